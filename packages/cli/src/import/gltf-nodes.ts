/**
 * Which nodes a model has, by the paths under which Godot shows them.
 */
import { readFileSync, statSync } from "node:fs";
import { checkNodes } from "./gltf-check.ts";
import { type Item, readGltfJson } from "./gltf-json.ts";

/** Letters that Godot takes out of the names of nodes. */
const changed = /[.:@/"%]/;

/**
 * The paths of the nodes below the root that stands for the model. Only of those that are called in Godot as in the file: names
 * that occur once, because Godot numbers the others, and without letters that it takes out. Bones and skinned meshes are
 * somewhere else there and are found under no path here. Nothing when the file cannot be read.
 */
export function nodePathsOf(file: string): string[] | undefined {
  let nodes: readonly Item[];
  let roots: readonly number[];
  try {
    if (!statSync(file).isFile()) return undefined;
    const json = readGltfJson(readFileSync(file));
    checkNodes(json);
    nodes = json.nodes ?? [];
    const { scene = 0 } = json as { readonly scene?: number };
    roots = (json.scenes?.[scene]?.nodes ?? []) as readonly number[];
  } catch {
    return undefined;
  }
  const uses = new Map<unknown, number>();
  for (const { name } of nodes) uses.set(name, (uses.get(name) ?? 0) + 1);
  const paths: string[] = [];
  const waiting: (readonly [number, string])[] = roots.map((index) => [index, ""]);
  for (const [index, above] of waiting) {
    const { name, children = [], skin } = nodes[index] as Item;
    const isSame = typeof name === "string" && name !== "" && uses.get(name) === 1 && !changed.test(name);
    if (!isSame || skin !== undefined) continue;
    const path = above === "" ? name : `${above}/${name}`;
    paths.push(path);
    for (const child of children as readonly number[]) waiting.push([child, path]);
  }
  return paths;
}
