/**
 * Events of the structure: one per change.
 */
import { ADDED, DESTROYED, DETACHED, MOVED, REORDERED } from "../events/packed-events.ts";
import { childNodes } from "../links/measure.ts";
import { entityAt, handleOrZero } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** `child` was a root, or nothing, and is below `parent` now. */
export function emitAdded(t: TreeState, child: number, parent: number): void {
  t.events.append(ADDED, entityAt(t, child), entityAt(t, parent), indexAt(t, child), 0, 0);
}

/** `child` is about to leave `parent`, because it dies. */
export function emitDestroyed(t: TreeState, child: number, parent: number): void {
  t.events.append(DESTROYED, entityAt(t, child), entityAt(t, parent), indexAt(t, child), 0, 0);
}

/** `child` went from `from`, where it was number `previousIndex`, to `to`. */
export function emitLinked(
  t: TreeState,
  child: number,
  from: number,
  to: number,
  previousIndex: number,
): void {
  const entity = entityAt(t, child);
  const index = indexAt(t, child);
  const parent = handleOrZero(t, to);
  const previousParent = handleOrZero(t, from);
  if (from === to) t.events.append(REORDERED, entity, parent, previousIndex, index, 0);
  else if (to === 0) t.events.append(DETACHED, entity, previousParent, previousIndex, index, 0);
  else if (from === 0) t.events.append(ADDED, entity, parent, index, 0, 0);
  else t.events.append(MOVED, entity, previousParent, parent, previousIndex, index);
}

/** The children of `parent` have another order. */
export function emitOrder(t: TreeState, parent: number): void {
  const order = childNodes(t, parent).map((node) => entityAt(t, node));
  t.events.append(REORDERED, 0, handleOrZero(t, parent), -1, -1, 0, order);
}

/** The position among the siblings. O(1) at both ends. */
export function indexAt({ links, positions }: TreeState, node: number): number {
  if (links.next(node) === 0) return links.count(links.parent(node)) - 1;
  return links.prev(node) === 0 ? 0 : positions.indexOf(node);
}
