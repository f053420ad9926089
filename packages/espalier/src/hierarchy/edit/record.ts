/**
 * What a hierarchy records before it changes, for undo.
 */
import { childNodes } from "../links/measure.ts";
import { entityAt, entityOrNull, handleOrZero } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** Instead of a former parent: a name changed. */
export const NAMED = -2;
/** Instead of a former parent: the order of the children changed. */
export const REORDERED = -1;

/** Where a node is. Handles, because they show later whether the same entity is still there. */
export function recordPosition(t: TreeState, node: number): void {
  const { links } = t;
  const parent = handleOrZero(t, links.parent(node));
  t.ecs.recorder.room(t.reversible, entityAt(t, node), parent, handleOrZero(t, links.next(node)));
}

/** What brings a dying node back to its position, with its name. */
export function recordLeaving(t: TreeState, node: number): void {
  if (t.names.of(node) !== undefined) recordName(t, node);
  recordPosition(t, node);
}

/** In which order the children of a node are. */
export function recordOrder(t: TreeState, parent: number): void {
  const order = childNodes(t, parent).map((node) => entityAt(t, node));
  t.ecs.recorder.room(t.reversible, entityOrNull(t, parent), REORDERED, 0, order);
}

export function recordName(t: TreeState, node: number): void {
  t.ecs.recorder.room(t.reversible, entityAt(t, node), NAMED, 0, t.names.of(node));
}
