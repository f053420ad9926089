/**
 * The nodes of a model as Godot shows them, and how an override of the prefab that is made of it names each.
 */
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { type EntityEntry, type SceneFile, toFlat } from "espalier/scene";
import { checkNodes } from "./gltf-check.ts";
import { type GltfJson, type Item, readGltfJson } from "./gltf-json.ts";
import { namesInGodot } from "./gltf-names.ts";

/** A node of a model that Godot shows. */
export interface ModelNode {
  /** What leads to it in the prefab: a path of names, or an id where names lead to another one. */
  readonly key: string;
  readonly isId: boolean;
  /** A mesh with a skin: its place is that of its skeleton. */
  readonly isSkinned: boolean;
  /** Names in the prefab of its children, as Godot orders them; `null` for what only Godot has. Nothing where that is not known. */
  readonly children: readonly (string | null)[] | undefined;
}

/**
 * The nodes of a model by their path in Godot, `.` for the root that stands for the model; nothing when the file cannot be read.
 * A path that leads to one node in one version of Godot and to another in another one is left out, unless the `.import` file
 * says which is meant.
 */
export function modelNodesOf(file: string): Map<string, ModelNode> | undefined {
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
  if (settings.isSkeleton) return found;
  const name = basename(file, extname(file));
  const nodes = new Map<string, { readonly node: number; readonly isSkinned: boolean } | undefined>();
  for (const named of namesInGodot(json, name, settings.version)) {
    for (const { path, node, isSkinned } of named) {
      const other = nodes.get(path);
      const isOther = nodes.has(path) && other?.node !== node;
      nodes.set(path, isOther ? undefined : { node, isSkinned });
    }
  }
  const known = new Set<number>();
  for (const each of nodes.values()) if (each !== undefined) known.add(each.node);
  const keys = keysOf(json, name);
  for (const [path, each] of nodes) {
    if (each === undefined) continue;
    const { node, isSkinned } = each;
    found.set(path, { ...(keys.get(node) as Key), isSkinned, children: childrenIn(json, node, known) });
  }
  const children = rootsIn(json, known, settings.hasAnimations);
  found.set(".", { key: ".", isId: false, isSkinned: false, children });
  return found;
}

interface Key {
  readonly key: string;
  readonly isId: boolean;
}

/** What the importer of Godot was told about a file. */
function settingsOf(file: string): {
  readonly version: number | undefined;
  readonly isSkeleton: boolean;
  readonly hasAnimations: boolean;
} {
  let text: string | undefined;
  try {
    text = readFileSync(`${file}.import`, "utf8");
  } catch {
    return { version: undefined, isSkeleton: false, hasAnimations: true };
  }
  return {
    version: Number(/^gltf\/naming_version=(\d+)/m.exec(text)?.[1] ?? 0),
    isSkeleton: /^nodes\/import_as_skeleton_bones=true/m.test(text),
    hasAnimations: !/^animation\/import=false/m.test(text),
  };
}

/** How the prefab names each node, by the rules of `importGltf` and `toFlat`. */
function keysOf(json: GltfJson, name: string): Map<number, Key> {
  const { nodes = [] } = json;
  const order: number[] = [];
  const paths = new Map<number, string | undefined>();
  const root: { name: string; children: Entry[] } = { name, children: [] };
  type Entry = { name?: string; children: Entry[] };
  type Waiting = { readonly node: number; readonly into: Entry[]; readonly above: string | undefined };
  const stack: Waiting[] = [];
  const push = (list: readonly number[], into: Entry[], above: string | undefined) => {
    for (const node of [...list].reverse()) stack.push({ node, into, above });
  };
  push(rootNodes(json), root.children, "");
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, into, above } = next;
    const { name } = nodes[node] as Item;
    const isNamed = typeof name === "string" && name !== "" && name !== "." && name !== "..";
    // A path leads to the first child of a name, and ends at a slash.
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
      // Ids come before paths: one that is also the id of another leads there.
      return [
        node,
        path === undefined || (isId(path) && path !== id)
          ? { key: id, isId: true }
          : { key: path, isId: false },
      ];
    }),
  );
}

/** The children of a node in Godot's order. */
function childrenIn(json: GltfJson, node: number, known: ReadonlySet<number>): (string | null)[] | undefined {
  return listed(json, childrenOf((json.nodes ?? [])[node] as Item), known);
}

/** Those of the model as a whole; a player of animations comes last. */
function rootsIn(
  json: GltfJson,
  known: ReadonlySet<number>,
  hasAnimations: boolean,
): (string | null)[] | undefined {
  const roots = rootNodes(json);
  const below = new Set((json.nodes ?? []).flatMap(childrenOf));
  const all = (json.nodes ?? []).map((_, k) => k).filter((k) => !below.has(k));
  // Some versions take these for the roots, whatever the scene says.
  if (all.join() !== roots.join()) return undefined;
  const list = listed(json, roots, known);
  if (list !== undefined && hasAnimations && (json.animations ?? []).length > 0) list.push(null);
  return list;
}

function listed(
  { nodes = [], skins = [] }: GltfJson,
  list: readonly number[],
  known: ReadonlySet<number>,
): (string | null)[] | undefined {
  const joints = new Set(skins.flatMap(({ joints }) => joints as readonly number[]));
  const names: (string | null)[] = [];
  let hasSkeleton = false;
  for (const node of list) {
    const { name, skin } = nodes[node] as Item;
    if (joints.has(node)) {
      // One skeleton stands for all bones here.
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
