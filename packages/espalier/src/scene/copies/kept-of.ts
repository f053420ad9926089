/**
 * What loading kept of an entity because the format does not know it.
 */
import type { EntityLike } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { requireEntity, requireTree } from "../arguments.ts";
import type { Json } from "../json/json.ts";
import { tablesOf } from "../tables.ts";

/** Parts of a file that are written again when the scene is saved. */
export interface KeptValues {
  /** Components that the format does not know, by name, as they stand in the file. */
  readonly components: { readonly [name: string]: Json };
  /** Other keys of the entity. */
  readonly keys: { readonly [key: string]: Json };
  /** References that lead nowhere, by component and field. */
  readonly references: { readonly [component: string]: { readonly [field: string]: Json } };
}

/**
 * What `load(…, { unknown: "keep" })` or lenient loading kept of an entity; empty when nothing. For tools that show it.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const text = `{ "entities": [{ "id": "a", "components": { "Fuel": { "left": 3 } } }] }`;
 * const scene = format.load(tree, text, { unknown: "keep" });
 * keptOf(tree, scene.entity("a")).components; // → { Fuel: { left: 3 } }
 * ```
 */
export function keptOf(tree: Hierarchy, entity: EntityLike): KeptValues {
  requireTree(tree, "ask what was kept");
  const kept = tablesOf(tree).kept.get(requireEntity(tree, entity, "ask what was kept"));
  return {
    components: { ...kept?.components },
    keys: { ...kept?.keys },
    references: { ...kept?.references },
  };
}
