/**
 * Events of the structure: one per change, emitted after it.
 */
import type { Entity } from "../../ecs/index.ts";
import { childNodes } from "../links/measure.ts";
import { entityAt, entityOrNull } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** `child` went from `from`, where it was number `previousIndex`, to `to`. */
export function emitPlaced(
  t: TreeState,
  child: number,
  from: number,
  to: number,
  previousIndex: number,
): void {
  const entity = entityAt(t, child);
  const index = indexAt(t, child);
  const parent = entityOrNull(t, to);
  const previousParent = entityOrNull(t, from);
  if (from === to) {
    t.events.emit({ type: "reordered", parent, child: entity, previousIndex, index, order: null });
  } else if (parent === null) {
    t.events.emit({
      type: "removed",
      child: entity,
      parent: previousParent as Entity,
      index: previousIndex,
      rootIndex: index,
      cause: "detach",
    });
  } else if (previousParent === null) {
    t.events.emit({ type: "added", child: entity, parent, index });
  } else {
    const newParent = parent;
    t.events.emit({ type: "moved", child: entity, previousParent, newParent, previousIndex, index });
  }
}

/** The children of `parent` have another order. */
export function emitOrder(t: TreeState, parent: number): void {
  t.events.emit({
    type: "reordered",
    parent: entityOrNull(t, parent),
    child: null,
    previousIndex: -1,
    index: -1,
    order: childNodes(t, parent).map((node) => entityAt(t, node)),
  });
}

/** The position among the siblings. O(1) at both ends. */
export function indexAt({ links, positions }: TreeState, node: number): number {
  if (links.next(node) === 0) return links.count(links.parent(node)) - 1;
  return links.prev(node) === 0 ? 0 : positions.indexOf(node);
}
