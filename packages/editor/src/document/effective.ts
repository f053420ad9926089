/**
 * Inherited values, computed on demand: along the ancestors of one entity.
 *
 * For worlds that are not the editor's own. `createInherited` would follow such a world as long as it exists, and would cost
 * its game time in every frame.
 */
import type { Entity, Schema } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { InheritedDefinition } from "espalier/inherit";

/** The effective value of an entity: its own combined with those of its ancestors. */
export interface Effective<Value> {
  of(entity: Entity): Value;
}

/** O(depth) per read, and no cost otherwise. */
export function effectiveOnDemand<S extends Schema, Value>(
  tree: Hierarchy,
  { component, initial, combine }: InheritedDefinition<S, Value>,
): Effective<Value> {
  const { world } = tree;
  return {
    of(entity) {
      const own: Entity[] = [];
      for (let up: Entity | null = entity; up !== null; up = tree.parentOf(up)) {
        if (world.has(up, component)) own.push(up);
      }
      let value = initial;
      for (const one of own.reverse()) {
        value = combine(value, world.get(one, component) as Parameters<typeof combine>[1]);
      }
      return value;
    },
  };
}
