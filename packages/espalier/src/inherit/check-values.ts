/**
 * The self-test of values that flow down.
 */
import type { Entity, Finding, Schema } from "../ecs/index.ts";
import { Ghost, type Hierarchy } from "../hierarchy/index.ts";
import type { Flow } from "./flow.ts";
import type { InheritedDefinition } from "./inherited-values.ts";
import { computeKept, differs, propagate } from "./pass.ts";

/**
 * Slots whose value differs when everything is recomputed: a change was missed, or the values were written from outside.
 * They have the right value afterwards.
 */
export function* staleValues(flow: Flow, code: string): IterableIterator<Finding> {
  propagate(flow);
  const { order, tree } = flow;
  computeKept(flow, 1, order.tail);
  for (let slot = 1; slot < order.tail; slot++) {
    if (order.nodeAt[slot] === 0 || !differs(flow, slot)) continue;
    const entity = tree.world.handleAt(order.nodeAt[slot]);
    yield { code, entity, message: `${tree.label(entity)} has a value that was not brought up to date` };
  }
}

/** Entities whose value is not what `combine` makes of their parent's and their own, asked one after the other. */
export function* wrongInherited<S extends Schema, Value>(
  tree: Hierarchy,
  definition: InheritedDefinition<S, Value>,
  of: (entity: Entity) => Value,
): IterableIterator<Finding> {
  const { component, initial, combine, equals = Object.is } = definition;
  const { world } = tree;
  const right = new Map<Entity | null, Value>([[null, initial]]);
  for (const entity of parentsFirst(tree)) {
    const above = right.get(tree.parentOf(entity)) as Value;
    const own = world.has(entity, Ghost) ? undefined : world.get(entity, component);
    const value = own === undefined ? above : combine(above, own);
    right.set(entity, value);
    if (equals(of(entity), value)) continue;
    yield { code: "inherit/inconsistent", entity, message: `${tree.label(entity)} has a wrong value` };
  }
}

function* parentsFirst(tree: Hierarchy) {
  for (const root of tree.childrenOf(null)) yield* tree.descendants(root, { includeSelf: true });
}
