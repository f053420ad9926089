/**
 * Checks that the nodes of a glTF file form trees, as glTF requires. The package that reads it relies on that.
 */
import type { GltfJson, Item } from "./gltf-json.ts";

/** @throws Error that says what is wrong. */
export function checkNodes(json: GltfJson): void {
  for (const key of [
    "meshes",
    "cameras",
    "skins",
    "animations",
    "materials",
    "textures",
    "images",
    "samplers",
  ] as const) {
    listOf(json[key], key);
  }
  const nodes = listOf(json.nodes, "nodes");
  const parents = new Map<number, number>();
  nodes.forEach((node, k) => {
    checkTransform(node, k);
    if (node.name !== undefined && typeof node.name !== "string")
      throw new Error(`node ${k} has a name that is not text.`);
    for (const [key, things] of Object.entries(references)) {
      const index = node[key];
      if (index === undefined) continue;
      const count = (json[things] ?? []).length;
      if (Number.isInteger(index) && (index as number) >= 0 && (index as number) < count) continue;
      throw new Error(`node ${k} names ${key} ${JSON.stringify(index)}, and there are ${count}.`);
    }
    for (const child of indicesOf(node.children, nodes, `node ${k}`)) {
      const other = parents.get(child);
      if (other !== undefined) throw new Error(`node ${child} is a child of node ${other} and of node ${k}.`);
      parents.set(child, k);
    }
  });
  (json.skins ?? []).forEach((skin, k) => {
    if (!Array.isArray(skin.joints)) throw new Error(`skin ${k} has no list of joints.`);
    indicesOf(skin.joints, nodes, `skin ${k}`);
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
  throw new Error(`its ${name} are not an array of objects.`);
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

/** What nodes refer to by number. */
const references: { readonly [key: string]: "meshes" | "cameras" | "skins" } = {
  mesh: "meshes",
  camera: "cameras",
  skin: "skins",
};

const lengths: { readonly [key: string]: number } = { translation: 3, rotation: 4, scale: 3, matrix: 16 };

function checkTransform(node: Item, index: number): void {
  for (const [key, length] of Object.entries(lengths)) {
    const value = node[key];
    if (value === undefined) continue;
    if (Array.isArray(value) && value.length === length && value.every((part) => Number.isFinite(part))) {
      continue;
    }
    throw new Error(`the ${key} of node ${index} is not an array of ${length} numbers.`);
  }
}
