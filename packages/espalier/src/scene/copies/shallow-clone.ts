/**
 * A copy of one entity without its descendants.
 */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { type CloneOptions, cloneWith } from "./clone.ts";

/**
 * Copies an entity alone: components and name, without its children. References to itself lead to the copy. The copy is placed
 * directly after the original unless `options` say otherwise. It is a plain entity, even if the original is an
 * instance of a prefab.
 *
 * @throws DeadEntityError, and what the hierarchy throws when the copy may not go there; nothing was created then.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const tank = world.spawn(Health({ hp: 40 }));
 * tree.attachNew(tank);
 * const copy = shallowClone(tree, tank);
 * [world.get(copy, Health), tree.childCount(copy)]; // → [{ hp: 40 }, 0]
 * ```
 */
export function shallowClone(
  tree: Hierarchy,
  entity: EntityLike,
  options: Omit<CloneOptions, "map"> = {},
): Entity {
  return cloneWith(tree, entity, options, undefined, true);
}
