/**
 * The values of one component along a tree: below an entity, or above it.
 */

import type { Component, Entity, EntityLike, Schema, ValueOf } from "../../ecs/index.ts";
import { requireTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";

/** An entity and a copy of its values. */
export type EntityValue<S extends Schema> = readonly [entity: Entity, value: ValueOf<S>];

/**
 * The entities below `entity` that have `component`, in pre-order, each with a copy of its values. Walks the whole
 * subtree: for every frame use a query with `descendantOf`.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const tank = world.spawn(Health({ hp: 250 }));
 * const turret = tree.attachNew(tank, Health({ hp: 50 }));
 * componentsInChildren(tree, tank, Health); // → [[turret, { hp: 50 }]]
 * componentsInChildren(tree, tank, Health, { includeSelf: true }).length; // → 2
 * ```
 */
export function componentsInChildren<S extends Schema>(
  tree: Hierarchy,
  entity: EntityLike,
  component: Component<S>,
  options: { readonly includeSelf?: boolean } = {},
): EntityValue<S>[] {
  requireTree(tree, "find components");
  return valuesOf(tree, tree.descendants(entity, options), component);
}

/**
 * The ancestors of `entity` that have `component`, nearest first, each with a copy of its values.
 *
 * @example
 * ```ts
 * const Team = component("Team", { color: string("grey") });
 * const tank = world.spawn(Team({ color: "red" }));
 * const barrel = tree.attachNew(tree.attachNew(tank));
 * componentsInParent(tree, barrel, Team); // → [[tank, { color: "red" }]]
 * ```
 */
export function componentsInParent<S extends Schema>(
  tree: Hierarchy,
  entity: EntityLike,
  component: Component<S>,
  options: { readonly includeSelf?: boolean } = {},
): EntityValue<S>[] {
  requireTree(tree, "find components");
  return valuesOf(tree, tree.ancestors(entity, options), component);
}

function valuesOf<S extends Schema>(
  { world }: Hierarchy,
  entities: Iterable<Entity>,
  component: Component<S>,
): EntityValue<S>[] {
  const found: EntityValue<S>[] = [];
  for (const entity of entities) {
    const value = world.get(entity, component);
    if (value !== undefined) found.push([entity, value]);
  }
  return found;
}
