/**
 * Whether the nodes of a glTF file form trees, as glTF demands. The package that reads it takes that for granted.
 */
import type { GltfJson, Item } from "./gltf-json.ts";

/** @throws Error that says what is wrong. */
export function checkNodes(json: GltfJson): void {
  const nodes = listOf(json.nodes, "nodes");
  const parents = new Map<number, number>();
  nodes.forEach((node, k) => {
    checkPlace(node, k);
    for (const child of indicesOf(node.children, nodes, `node ${k}`)) {
      const other = parents.get(child);
      if (other !== undefined) throw new Error(`node ${child} is a child of node ${other} and of node ${k}.`);
      parents.set(child, k);
    }
  });
  listOf(json.scenes, "scenes").forEach((scene, k) => {
    for (const root of indicesOf(scene.nodes, nodes, `scene ${k}`)) {
      const parent = parents.get(root);
      if (parent !== undefined) {
        throw new Error(`node ${root} stands in scene ${k} and is also a child of node ${parent}.`);
      }
    }
  });
}

function listOf(list: unknown, name: string): readonly Item[] {
  if (list === undefined) return [];
  if (Array.isArray(list) && list.every((item) => typeof item === "object" && item !== null)) return list;
  throw new Error(`its ${name} are not a list of objects.`);
}

function indicesOf(list: unknown, nodes: readonly Item[], whose: string): readonly number[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new Error(`${whose} has no list of nodes, but ${JSON.stringify(list)}.`);
  for (const index of list) {
    if (!Number.isInteger(index) || nodes[index as number] === undefined) {
      throw new Error(`${whose} names node ${JSON.stringify(index)}, and there are ${nodes.length} nodes.`);
    }
  }
  return list;
}

const lengths: { readonly [key: string]: number } = { translation: 3, rotation: 4, scale: 3, matrix: 16 };

function checkPlace(node: Item, index: number): void {
  for (const [key, length] of Object.entries(lengths)) {
    const value = node[key];
    if (value === undefined) continue;
    if (Array.isArray(value) && value.length === length && value.every((part) => typeof part === "number")) {
      continue;
    }
    throw new Error(`the ${key} of node ${index} is not a list of ${length} numbers.`);
  }
}
