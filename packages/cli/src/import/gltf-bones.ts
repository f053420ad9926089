/**
 * The skeleton that Godot creates from the joints of a model: which node is which bone.
 */
import type { GltfJson, Item } from "./gltf-json.ts";

/** Which nodes become bones, and where their skeletons are. */
export interface Shape {
  readonly parents: Int32Array;
  /** Joints, their descendants, and the ancestors of joints in a skin with several topmost joints. */
  readonly bones: ReadonlySet<number>;
  /** By skin: the node below which its skeleton is, -1 for the root; `undefined` if unclear. */
  readonly skeletonParents: readonly (number | undefined)[];
  /** The only skeleton of the model; `undefined` if there are several, or its position is unclear. */
  readonly skeleton: Skeleton | undefined;
}

export interface Skeleton {
  /** The node below which it is, -1 for the root. */
  readonly parent: number;
  /** The node of each bone; `undefined` where versions of Godot differ. */
  readonly bones: readonly (number | undefined)[];
  /** The nodes by the names of bones; `undefined` where two have the same name. */
  readonly byName: ReadonlyMap<string, number | undefined>;
}

/** @param version - The rules for names, which depend on the version of Godot; `undefined` if unknown. */
export function shapeOf({ nodes = [], skins = [] }: GltfJson, version: number | undefined): Shape {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, k) => {
    for (const child of childrenOf(node)) parents[child] = k;
  });
  const joints = new Set(skins.flatMap(({ joints }) => joints as readonly number[]));
  const tops = skins.map((skin) => {
    const own = (skin.joints as readonly number[]).filter((joint) => !joints.has(parents[joint] as number));
    return new Set(own.map((joint) => parents[joint] as number));
  });
  // For a skin with several roots Godot goes up until all have one parent: the nodes on the way become bones.
  const passed: number[] = [];
  for (const above of tops) {
    const ways = [...above].map((parent) => wayUp(parents, parent));
    for (const way of ways)
      passed.push(...way.filter((node) => !ways.every((other) => other.includes(node))));
  }
  const bones = new Set<number>();
  const waiting = [...joints, ...passed];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (bones.has(node) || (nodes[node]?.skin !== undefined && !joints.has(node))) continue;
    bones.add(node);
    waiting.push(...childrenOf(nodes[node] as Item));
  }
  const skeletonParents = tops.map((above) => {
    const [parent] = above;
    return above.size === 1 && parent !== undefined && !bones.has(parent) ? parent : undefined;
  });
  // Older versions turn only joints into bones; their other descendants are attached to the bones.
  const older = new Set([...joints, ...passed]);
  return {
    parents,
    bones,
    skeletonParents,
    skeleton: skeletonOf(nodes, parents, bones, version === 2 ? bones : older),
  };
}

function skeletonOf(
  nodes: readonly Item[],
  parents: Int32Array,
  bones: ReadonlySet<number>,
  older: ReadonlySet<number>,
): Skeleton | undefined {
  const order = numbered(nodes, parents, bones);
  const before = older === bones ? order : numbered(nodes, parents, older);
  const [parent, another] = new Set(
    order.map((bone) => parents[bone] as number).filter((each) => !bones.has(each)),
  );
  if (parent === undefined || another !== undefined) return undefined;
  const byName = new Map<string, number | undefined>();
  for (const bone of order) {
    const name = String(nodes[bone]?.name ?? "").replace(/[:/]/g, "_");
    byName.set(name, byName.has(name) || name === "" ? undefined : bone);
  }
  return { parent, bones: order.map((bone, k) => (before[k] === bone ? bone : undefined)), byName };
}

/** Bones as Godot numbers them: depth first, siblings by the numbers of their nodes. */
function numbered(nodes: readonly Item[], parents: Int32Array, bones: ReadonlySet<number>): number[] {
  const order: number[] = [];
  const down = (list: readonly number[]) => [...list].sort((a, b) => b - a);
  const stack = down([...bones].filter((bone) => !bones.has(parents[bone] as number)));
  for (let bone = stack.pop(); bone !== undefined; bone = stack.pop()) {
    order.push(bone);
    stack.push(...down(childrenOf(nodes[bone] as Item).filter((child) => bones.has(child))));
  }
  return order;
}

/** A node and its ancestors. */
function wayUp(parents: Int32Array, node: number): number[] {
  const way: number[] = [];
  for (let up = node; up >= 0; up = parents[up] as number) way.push(up);
  return way;
}

function childrenOf({ children = [] }: Item): readonly number[] {
  return children as readonly number[];
}
