/**
 * Values that flow down the tree, worked out when they are asked for: along the ancestors of the one entity.
 *
 * For worlds that are not the editor's own. `createInherited` would follow such a world for as long as it lives, and would cost
 * its game something in every frame.
 */
import type { Entity, Schema } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { InheritedDefinition } from "espalier/inherit";

/** What an entity has in the end: its own value and those above it taken together. */
export interface Effective<Value> {
  of(entity: Entity): Value;
}

/** O(depth) per question, and nothing otherwise. */
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
