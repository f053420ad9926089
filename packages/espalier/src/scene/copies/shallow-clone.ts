/**
 * A copy of one entity without what is below it.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK, stateOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { freeName, placeIn } from "../among-siblings.ts";
import { requireEntity, requireTree } from "../arguments.ts";
import { type CloneOptions, requireCloning } from "./clone.ts";
import { copyComponents } from "./copy-components.ts";

/**
 * Copies an entity alone: components and name, without its children. References to itself lead to the copy. Stands right
 * behind the original unless told otherwise. The copy is a plain entity, also where the original is an instance of a
 * prefab.
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
export function shallowClone(tree: Hierarchy, entity: Entity, given: Omit<CloneOptions, "map"> = {}): Entity {
  const { world } = requireTree(tree, "clone");
  const options = requireCloning(tree, given);
  requireEntity(tree, entity, "clone");
  const parent = options.parent === undefined ? tree.parentOf(entity) : options.parent;
  const place = placeIn(options) ?? (options.parent === undefined ? { after: entity } : undefined);
  const stores = stateOf(world).archetypeAt(entity & INDEX_MASK)?.stores ?? [];
  const { inits, toSelf } = copyComponents(
    world,
    entity,
    stores.map((store) => store.component),
    options.copy,
  );
  const name = options.name ?? tree.nameOf(entity);
  const copy = tree.attachNewAt(parent, place, ...inits);
  for (const { component, field } of toSelf) world.set(copy, component, { [field]: copy });
  if (name !== undefined) tree.setName(copy, options.name ?? freeName(tree, parent, name));
  return copy;
}
