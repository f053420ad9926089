/**
 * The nodes of a model in Godot, and the keys that overrides of its prefab use for them.
 */
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { type EntityEntry, type SceneFile, toFlat } from "espalier/scene";
import { shapeOf } from "./gltf-bones.ts";
import { checkNodes } from "./gltf-check.ts";
import { hintIn, leftOut } from "./gltf-hints.ts";
import { type GltfJson, type Item, readGltfJson } from "./gltf-json.ts";
import { type ModelSettings, type NamedNode, namesInGodot } from "./gltf-names.ts";

/** A node of a model in Godot. */
export interface ModelNode {
  /** Its key in the prefab: a path of names, or an id if the names lead to another node. */
  readonly key: string;
  readonly isId: boolean;
  /** What its transform follows: the skeleton for a mesh with a skin, the bone for one attached to it. */
  readonly follows: "skeleton" | "bone" | undefined;
  /** The names of its children in the prefab, in Godot's order; `null` for nodes that exist only in Godot. `undefined` if unknown. */
  readonly children: readonly (string | null)[] | undefined;
}

/** The bones of a skeleton that Godot creates, and the keys of their nodes in the prefab. */
export interface ModelBones {
  /** By number; `undefined` where versions of Godot differ. */
  readonly byNumber: readonly (Key | undefined)[];
  readonly byName: ReadonlyMap<string, Key | undefined>;
  /** Whether positions in Godot are those of the file: the importer may be configured to scale the model. */
  readonly isToScale: boolean;
}

export interface Model {
  /** By their path in Godot, `.` for the root that stands for the model. */
  readonly nodes: ReadonlyMap<string, ModelNode>;
  /** By the path of the skeleton. */
  readonly skeletons: ReadonlyMap<string, ModelBones>;
}

/**
 * The nodes of a model; `undefined` when the file cannot be read. A path that leads to different nodes in different versions of Godot
 * is left out, unless the `.import` file tells the version.
 */
export function modelNodesOf(file: string): Model | undefined {
  let json: GltfJson;
  try {
    if (!statSync(file).isFile()) return undefined;
    json = readGltfJson(readFileSync(file));
    checkNodes(json);
  } catch {
    return undefined;
  }
  const settings = settingsOf(file);
  const found = new Map<string, ModelNode>();
  const skeletons = new Map<string, ModelBones>();
  if (settings.isSkeleton) return { nodes: found, skeletons };
  const name = basename(file, extname(file));
  const nodes = new Map<string, NamedNode | undefined>();
  const skeletonPaths = new Set<string>();
  for (const named of namesInGodot(json, name, settings)) {
    if (named.skeleton !== undefined) skeletonPaths.add(named.skeleton);
    for (const each of named.nodes) {
      const isOther = nodes.has(each.path) && nodes.get(each.path)?.node !== each.node;
      nodes.set(each.path, isOther ? undefined : each);
    }
  }
  const known = new Set<number>();
  for (const each of nodes.values()) if (each !== undefined) known.add(each.node);
  const { bones, skeleton } = shapeOf(json, settings.version);
  const out = leftOut(json, settings.hints, bones);
  const keys = keysOf(json, name, out);
  const children = (list: readonly number[]) => listed(json, list, known, out);
  for (const [path, each] of nodes) {
    const key = each === undefined ? undefined : keys.get(each.node);
    if (each === undefined || key === undefined) continue;
    const item = (json.nodes ?? [])[each.node] as Item;
    const list = each.follows === "bone" ? undefined : children(childrenOf(item));
    const { effect } = hintIn(String(item.name ?? ""), item, settings.hints) ?? {};
    // Nodes that Godot adds come last.
    if (effect === "more" || effect === "body") list?.push(null);
    found.set(path, { ...key, follows: each.follows, children: list });
  }
  if (skeleton !== undefined && !settings.isRetargeted) {
    const keyOf = (bone: number | undefined) => (bone === undefined ? undefined : keys.get(bone));
    const byName = new Map([...skeleton.byName].map(([bone, node]) => [bone, keyOf(node)]));
    const made = { byNumber: skeleton.bones.map(keyOf), byName, isToScale: !settings.isScaled };
    for (const path of skeletonPaths) if (!found.has(path)) skeletons.set(path, made);
  }
  const list = rootsIn(json, children, settings.hasAnimations);
  found.set(".", { key: ".", isId: false, follows: undefined, children: list });
  return { nodes: found, skeletons };
}

/** The effects of hints in the names of a model's nodes: which nodes Godot does not import, and other effects. */
export function hintsOf(
  json: GltfJson,
  file: string,
): { readonly leftOut: Set<number>; readonly hintIn: (node: Item) => string | undefined } {
  const { hints, version } = settingsOf(file);
  return {
    leftOut: leftOut(json, hints, shapeOf(json, version).bones),
    hintIn: (node) => hintIn(String(node.name ?? ""), node, hints)?.hint,
  };
}

/** The key of a node in the prefab: a path of names, or an id. */
export interface Key {
  readonly key: string;
  readonly isId: boolean;
}

interface Settings extends ModelSettings {
  readonly isSkeleton: boolean;
  readonly hasAnimations: boolean;
  /** Whether bones got other names and transforms. */
  readonly isRetargeted: boolean;
  readonly isScaled: boolean;
}

/** The settings of Godot's importer for a file. */
function settingsOf(file: string): Settings {
  let text = "";
  let version: number | undefined;
  try {
    text = readFileSync(`${file}.import`, "utf8");
    version = Number(/^gltf\/naming_version=(\d+)/m.exec(text)?.[1] ?? 0);
  } catch {
    // Then everything is as Godot has it at first.
  }
  const isTurnedOff = (option: string) => new RegExp(`^${option}=false`, "m").test(text);
  return {
    version,
    isSkeleton: /^nodes\/import_as_skeleton_bones=true/m.test(text),
    hasAnimations: !/^animation\/import=false/m.test(text),
    isRetargeted: /retarget\/bone_map": *[^n\s]/.test(text),
    isScaled: Number(/^nodes\/root_scale=([\d.eE+-]+)/m.exec(text)?.[1] ?? 1) !== 1,
    hints: {
      names: !isTurnedOff("nodes/use_name_suffixes"),
      types: !isTurnedOff("nodes/use_node_type_suffixes"),
    },
  };
}

/** The key of each node in the prefab, by the rules of `importGltf` and `toFlat`. */
function keysOf(json: GltfJson, name: string, out: ReadonlySet<number>): Map<number, Key> {
  const { nodes = [] } = json;
  const order: number[] = [];
  const paths = new Map<number, string | undefined>();
  const root: { name: string; children: Entry[] } = { name, children: [] };
  type Entry = { name?: string; children: Entry[] };
  type Waiting = { readonly node: number; readonly into: Entry[]; readonly above: string | undefined };
  const stack: Waiting[] = [];
  const push = (list: readonly number[], into: Entry[], above: string | undefined) => {
    for (const node of [...list].reverse()) if (!out.has(node)) stack.push({ node, into, above });
  };
  push(rootNodes(json), root.children, "");
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, into, above } = next;
    const { name } = nodes[node] as Item;
    const isNamed = typeof name === "string" && name !== "" && name !== "." && name !== "..";
    // A path leads to the first child with a name, and names with a slash cannot be in it.
    const leads =
      isNamed && !name.includes("/") && above !== undefined && !into.some((other) => other.name === name);
    const path = leads ? (above === "" ? name : `${above}/${name}`) : undefined;
    const entry: Entry = { ...(isNamed ? { name } : {}), children: [] };
    into.push(entry);
    order.push(node);
    paths.set(node, path);
    push(childrenOf(nodes[node] as Item), entry.children, path);
  }
  const file = { version: 1, entities: [root] } as unknown as SceneFile;
  const ids = toFlat(file).entities.map(({ id }: EntityEntry) => id as string);
  const isId = (path: string) => ids.includes(path);
  return new Map(
    order.map((node, k) => {
      const path = paths.get(node);
      const id = ids[k + 1] as string;
      // Ids take precedence over paths: a path that equals the id of another node leads there.
      return [
        node,
        path === undefined || (isId(path) && path !== id)
          ? { key: id, isId: true }
          : { key: path, isId: false },
      ];
    }),
  );
}

/** The children of the model as a whole, in Godot's order; a player of animations comes last. */
function rootsIn(
  json: GltfJson,
  children: (list: readonly number[]) => (string | null)[] | undefined,
  hasAnimations: boolean,
): (string | null)[] | undefined {
  const roots = rootNodes(json);
  const below = new Set((json.nodes ?? []).flatMap(childrenOf));
  const all = (json.nodes ?? []).map((_, k) => k).filter((k) => !below.has(k));
  // Some versions use these as the roots, ignoring the scene.
  if (all.join() !== roots.join()) return undefined;
  const list = children(roots);
  if (list !== undefined && hasAnimations && (json.animations ?? []).length > 0) list.push(null);
  return list;
}

/** Nodes by their names in the prefab, in Godot's order. */
function listed(
  { nodes = [], skins = [] }: GltfJson,
  list: readonly number[],
  known: ReadonlySet<number>,
  out: ReadonlySet<number>,
): (string | null)[] | undefined {
  const joints = new Set(skins.flatMap(({ joints }) => joints as readonly number[]));
  const names: (string | null)[] = [];
  let hasSkeleton = false;
  for (const node of list) {
    const { name, skin } = nodes[node] as Item;
    if (out.has(node)) continue;
    if (joints.has(node)) {
      // One skeleton node replaces all bones here.
      if (!hasSkeleton) names.push(null);
      hasSkeleton = true;
    } else if (skin !== undefined) {
      // It moves below the skeleton.
    } else if (known.has(node) && typeof name === "string" && name !== "") names.push(name);
    else return undefined;
  }
  return names;
}

function rootNodes({ scenes = [], ...json }: GltfJson): readonly number[] {
  const { scene = 0 } = json as { readonly scene?: number };
  return (scenes[scene]?.nodes ?? []) as readonly number[];
}

function childrenOf({ children = [] }: Item): readonly number[] {
  return children as readonly number[];
}
