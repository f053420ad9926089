/**
 * What Godot calls the nodes of a model. It takes letters out of their names, gives names to those that have none, and numbers
 * those that occur twice, over the whole file and by the numbers of the nodes. How, depends on its version.
 */
import type { GltfJson, Item } from "./gltf-json.ts";

/** The rules of a version. */
interface Convention {
  /** `gltf/naming_version` in the `.import` file; 0 where there is none. */
  readonly version: 0 | 1 | 2;
  readonly letters: (name: string) => string;
  /** Between a name and its number. */
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

/** Behind these the importer of Godot makes something else of a node. */
const hints = "noimp|col|convcol|colonly|convcolonly|rigid|vehicle|wheel|navmesh|occ|occonly|multimesh";
const isHint = new RegExp(`\\$(?:${hints})|[-_](?:${hints})[0-9 .-]*$`, "i");

/** Where a node of a model is in Godot. */
export interface NamedNode {
  /** Names from the root of the model on. */
  readonly path: string;
  /** Its number in the file. */
  readonly node: number;
  /** A mesh with a skin, which Godot puts below the skeleton, without a place of its own. */
  readonly isSkinned: boolean;
}

/**
 * The nodes of a model as one version of Godot shows them, for each version that may be meant. Left out are those that it makes
 * something else of: bones, what hangs on them, and names with a hint; and those whose number depends on such.
 *
 * @param fileName - Without its ending.
 * @param version - What the `.import` file says, if there is one.
 */
export function* namesInGodot(
  json: GltfJson,
  fileName: string,
  version: number | undefined,
): IterableIterator<NamedNode[]> {
  const shape = shapeOf(json);
  const { scene = 0 } = json as { readonly scene?: number };
  const sceneName = String(json.scenes?.[scene]?.name ?? "");
  const title = sceneName === "" || sceneName.startsWith("Scene") ? fileName : sceneName;
  for (const convention of conventions) {
    if (version !== undefined && convention.version !== version) continue;
    yield placed(json, shape, namesBy(json, shape, convention, title), convention);
  }
}

/** Which nodes may become bones, and where their skeletons are. */
interface Shape {
  readonly parents: Int32Array;
  /** Joints, what is below them, and what is above those of a skin that begin at several places. */
  readonly bones: ReadonlySet<number>;
  /** By skin: the node below which its skeleton is, -1 for the root; `undefined` where that is not clear. */
  readonly skeletonParents: readonly (number | undefined)[];
}

function shapeOf({ nodes = [], skins = [] }: GltfJson): Shape {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, k) => {
    for (const child of childrenOf(node)) parents[child] = k;
  });
  const joints = new Set(skins.flatMap(({ joints }) => joints as readonly number[]));
  const tops = skins.map((skin) => {
    const own = (skin.joints as readonly number[]).filter((joint) => !joints.has(parents[joint] as number));
    return new Set(own.map((joint) => parents[joint] as number));
  });
  const bones = new Set<number>();
  const waiting = [...joints];
  // Of a skin with several roots Godot goes up until all have one parent: what it passes becomes bones.
  for (const above of tops) {
    const ways = [...above].map((parent) => wayUp(parents, parent));
    for (const way of ways)
      waiting.push(...way.filter((node) => !ways.every((other) => other.includes(node))));
  }
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (bones.has(node) || (nodes[node]?.skin !== undefined && !joints.has(node))) continue;
    bones.add(node);
    waiting.push(...childrenOf(nodes[node] as Item));
  }
  const skeletonParents = tops.map((above) => {
    const [parent] = above;
    return above.size === 1 && parent !== undefined && !bones.has(parent) ? parent : undefined;
  });
  return { parents, bones, skeletonParents };
}

/** The names of nodes; of those that are left out, `undefined`. */
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
      // Numbered twice, so that the first has the number 2.
      if (version === 0) base = unique(base);
    }
    bases[k] = base;
    const name = unique(base);
    if (others.has(name) || base === "") unclear.add(base);
    return isHint.test(name) ? undefined : name;
  });
  return names.map((name, k) => (unclear.has(bases[k] ?? "") ? undefined : name));
}

function placed(
  { nodes = [], scenes = [], ...json }: GltfJson,
  { bones, skeletonParents }: Shape,
  names: readonly (string | undefined)[],
  { skeleton }: Convention,
): NamedNode[] {
  const { scene = 0 } = json as { readonly scene?: number };
  const found: NamedNode[] = [];
  const paths = new Map<number, string>([[-1, ""]]);
  const skinned: number[] = [];
  const below = (path: string, name: string) => (path === "" ? name : `${path}/${name}`);
  const waiting = ((scenes[scene]?.nodes ?? []) as readonly number[]).map(
    (node): readonly [number, number] => [node, -1],
  );
  for (const [node, parent] of waiting) {
    const item = nodes[node] as Item;
    const name = names[node];
    if (item.skin !== undefined && item.mesh !== undefined) {
      if (childrenOf(item).length === 0) skinned.push(node);
      continue;
    }
    if (bones.has(node)) {
      for (const child of childrenOf(item)) waiting.push([child, node]);
      continue;
    }
    const above = paths.get(parent);
    if (name === undefined || above === undefined) continue;
    const path = below(above, name);
    paths.set(node, path);
    found.push({ path, node, isSkinned: false });
    for (const child of childrenOf(item)) waiting.push([child, node]);
  }
  for (const node of skinned) {
    const name = names[node];
    const parent = skeletonParents[(nodes[node] as Item).skin as number];
    const above = parent === undefined ? undefined : paths.get(parent);
    if (name === undefined || above === undefined) continue;
    found.push({ path: below(below(above, skeleton), name), node, isSkinned: true });
  }
  return found;
}

/** A node and what is above it. */
function wayUp(parents: Int32Array, node: number): number[] {
  const way: number[] = [];
  for (let up = node; up >= 0; up = parents[up] as number) way.push(up);
  return way;
}

function childrenOf({ children = [] }: Item): readonly number[] {
  return children as readonly number[];
}
