/**
 * The names of a model's nodes in Godot. It removes characters from names, names unnamed nodes, and numbers
 * duplicates across the whole file, in the order of the nodes. The details depend on its version.
 */
import { type Shape, shapeOf } from "./gltf-bones.ts";
import { type HintSettings, hintIn, leftOut } from "./gltf-hints.ts";
import type { GltfJson, Item } from "./gltf-json.ts";

/** The rules of a version. */
interface Convention {
  /** `gltf/naming_version` in the `.import` file; 0 if there is none. */
  readonly version: 0 | 1 | 2;
  readonly letters: (name: string) => string;
  /** The separator between a name and its number. */
  readonly gap: string;
  readonly camera: string;
  readonly skeleton: string;
}

const forbidden = /[.:@/"%]/g;
const removed = (name: string) => name.replace(forbidden, "");
const replaced = (name: string) => name.replace(forbidden, "_");
const ascii = (name: string) => name.replace(/[^a-zA-Z0-9_ -]+/g, "");

const conventions: readonly Convention[] = [
  { version: 0, letters: ascii, gap: " ", camera: "Camera", skeleton: "Skeleton" }, // 3
  { version: 0, letters: removed, gap: "", camera: "Camera", skeleton: "Skeleton" }, // 3, without legacy names
  { version: 0, letters: removed, gap: "", camera: "Camera3D", skeleton: "Skeleton3D" }, // 4.0
  { version: 0, letters: replaced, gap: "", camera: "Camera3D", skeleton: "Skeleton3D" }, // 4.1 and files of before
  { version: 1, letters: replaced, gap: "", camera: "Camera", skeleton: "Skeleton3D" }, // 4.2
  { version: 2, letters: replaced, gap: "", camera: "Camera", skeleton: "Skeleton3D" }, // 4.5
];

/** A node of a model in Godot. */
export interface NamedNode {
  /** Names from the root of the model. */
  readonly path: string;
  /** Its number in the file. */
  readonly node: number;
  /**
   * What its transform follows: `"skeleton"` for a mesh with a skin, which Godot puts below the skeleton, `"bone"` for one
   * attached to a bone.
   */
  readonly follows: "skeleton" | "bone" | undefined;
}

/** The nodes of a model in one version of Godot. */
export interface NamedNodes {
  readonly nodes: readonly NamedNode[];
  /** The path of its only skeleton. */
  readonly skeleton: string | undefined;
}

/** The settings in the `.import` file beside a model. */
export interface ModelSettings {
  /** The rules for names; `undefined` if there is no file. */
  readonly version: number | undefined;
  readonly hints: HintSettings;
}

/**
 * The nodes of a model, for each version of Godot that may be meant. Without bones, nodes that it does not import, and nodes
 * whose name depends on these.
 *
 * @param fileName - Without its extension.
 */
export function* namesInGodot(
  json: GltfJson,
  fileName: string,
  { version, hints }: ModelSettings,
): IterableIterator<NamedNodes> {
  const shape = shapeOf(json, version);
  const { scene = 0 } = json as { readonly scene?: number };
  const sceneName = String(json.scenes?.[scene]?.name ?? "");
  const title = sceneName === "" || sceneName.startsWith("Scene") ? fileName : sceneName;
  const out = leftOut(json, hints, shape.bones);
  for (const convention of conventions) {
    if (version !== undefined && convention.version !== version) continue;
    const names = namesBy(json, shape, convention, title);
    yield pathsOf(json, shape, { names, out, hints }, convention);
  }
}

/** The names of nodes; `undefined` for those that are left out. */
function namesBy(
  { nodes = [], meshes = [], skins = [] }: GltfJson,
  { bones }: Shape,
  { version, letters, gap, camera, skeleton }: Convention,
  title: string,
): (string | undefined)[] {
  const taken = new Set<string>(skeleton === "Skeleton3D" || skins.length > 0 ? [skeleton] : []);
  const unique = (name: string) => {
    let made = name;
    for (let number = 2; taken.has(made); number++) made = `${name}${gap}${number}`;
    taken.add(made);
    return made;
  };
  if (version === 0) unique(letters(title));
  // Some versions number these first.
  const others = new Set<string>(["Skin", "Animation"]);
  for (const bone of bones) {
    const name = String(nodes[bone]?.name ?? "bone");
    others.add(name).add(letters(name));
  }
  for (const mesh of meshes) others.add(letters(`${title}_${mesh.name ?? "mesh"}`));
  const unclear = new Set<string>();
  const bases: (string | undefined)[] = [];
  const names = nodes.map((node, k) => {
    if (bones.has(k)) return undefined;
    let base = letters(String(node.name ?? ""));
    if (String(node.name ?? "") === "") {
      base = node.mesh !== undefined ? "Mesh" : node.camera !== undefined ? camera : "Node";
      // Numbered twice, so that the first one gets the number 2.
      if (version === 0) base = unique(base);
    }
    bases[k] = base;
    const name = unique(base);
    if (others.has(name) || base === "") unclear.add(base);
    return name;
  });
  return names.map((name, k) => (unclear.has(bases[k] ?? "") ? undefined : name));
}

interface Names {
  readonly names: readonly (string | undefined)[];
  /** Nodes that are not imported. */
  readonly out: ReadonlySet<number>;
  readonly hints: HintSettings;
}

function pathsOf(
  { nodes = [], scenes = [], ...json }: GltfJson,
  { bones, skeletonParents, skeleton: only, parents }: Shape,
  { names, out, hints }: Names,
  { skeleton, letters }: Convention,
): NamedNodes {
  const { scene = 0 } = json as { readonly scene?: number };
  const found: NamedNode[] = [];
  const paths = new Map<number, string>([[-1, ""]]);
  const skinned: number[] = [];
  const below = (path: string, name: string) => (path === "" ? name : `${path}/${name}`);
  /** The names that Godot may use. */
  const shown = (node: number): readonly string[] => {
    const name = names[node];
    const hint = name === undefined ? undefined : hintIn(name, nodes[node] as Item, hints);
    if (name === undefined || hint === undefined) return name === undefined ? [] : [name];
    const siblings = nodes.map((_, k) => k).filter((k) => k !== node && parents[k] === parents[node]);
    // If a sibling has this name, versions behave differently.
    if (hint.rest === "" || siblings.some((k) => names[k] === hint.rest)) return [];
    return hint.effect === "body" ? [name, hint.rest] : [hint.rest];
  };
  const waiting = ((scenes[scene]?.nodes ?? []) as readonly number[]).map(
    (node): readonly [number, number] => [node, -1],
  );
  for (const [node, parent] of waiting) {
    const item = nodes[node] as Item;
    if (out.has(node)) continue;
    if (item.skin !== undefined && item.mesh !== undefined) {
      if (childrenOf(item).length === 0) skinned.push(node);
      continue;
    }
    if (bones.has(node)) {
      for (const child of childrenOf(item)) waiting.push([child, node]);
      continue;
    }
    const above = paths.get(parent);
    const [name, another] = shown(node);
    if (name === undefined || above === undefined) continue;
    const path = below(above, name);
    // The descendants of a node with two names are found under only one of them.
    if (another === undefined) paths.set(node, path);
    found.push({ path, node, follows: undefined });
    if (another !== undefined) found.push({ path: below(above, another), node, follows: undefined });
    for (const child of childrenOf(item)) waiting.push([child, node]);
  }
  for (const node of skinned) {
    const name = names[node];
    const parent = skeletonParents[(nodes[node] as Item).skin as number];
    const above = parent === undefined ? undefined : paths.get(parent);
    if (name === undefined || above === undefined) continue;
    found.push({ path: below(below(above, skeleton), name), node, follows: "skeleton" });
  }
  const above = only === undefined ? undefined : paths.get(only.parent);
  const path = above === undefined ? undefined : below(above, skeleton);
  if (path !== undefined) found.push(...onBones(nodes, bones, path, letters));
  return { nodes: found, skeleton: path };
}

/**
 * Meshes that are bones themselves. Newer versions put them below a node with the same name that follows the bone. If
 * there are further bones below, hiding the mesh would not hide those, so they are left alone.
 */
function onBones(
  nodes: readonly Item[],
  bones: ReadonlySet<number>,
  skeleton: string,
  letters: (name: string) => string,
): NamedNode[] {
  const found: NamedNode[] = [];
  for (const node of bones) {
    const { name = "", mesh, skin, children } = nodes[node] as Item;
    if (mesh === undefined || skin !== undefined || children !== undefined || name === "") continue;
    const path = `${skeleton}/${letters(name)}`;
    found.push({ path, node, follows: "bone" });
    found.push({ path: `${path}/${letters(name)}`, node, follows: "bone" });
  }
  return found;
}

function childrenOf({ children = [] }: Item): readonly number[] {
  return children as readonly number[];
}
