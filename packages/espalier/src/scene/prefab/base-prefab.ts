/**
 * Variants: prefabs whose root is an instance of another prefab.
 */
import { requireInstanceOf } from "../arguments.ts";
import { Prefab } from "./prefab.ts";
import { draftOf } from "./prefab-draft.ts";

/**
 * The prefab that a prefab is a variant of: the one that its root is an instance of. `undefined` for a prefab that is not a variant.
 *
 * @example
 * ```ts
 * const prefabs = { tank: `{ "entities": [{ "id": "tank", "children": [{ "id": "gun" }] }] }` };
 * const format = createSceneFormat({ components: [] });
 * const tiger = format.prefab(`{ "entities": [{ "id": "tiger", "prefab": "tank" }] }`, { file: "tiger", prefabs });
 * basePrefabOf(tiger)?.name; // → "tank"
 * basePrefabOf(format.prefab(prefabs.tank)); // → undefined
 * ```
 */
export function basePrefabOf(prefab: Prefab): Prefab | undefined {
  requireInstanceOf(prefab, Prefab, "a prefab", "find what a prefab is a variant of");
  const { nodes, children } = draftOf(prefab);
  const base = nodes[children.of(-1)[0]]?.rare.instance;
  return base && new Prefab(prefab.registry, base.template, base.reference);
}
