/**
 * What happens to the tree when the world creates entities: each gets a node.
 */
import { keepHandle } from "../nodes.ts";
import type { TreeState } from "../state.ts";
import { emitAdded } from "./emit.ts";

/** Links the new entities ids[from..to): where `attachNew` said, or as last roots. */
export function created(t: TreeState, ids: Int32Array, from: number, to: number): void {
  const parent = t.nextParent;
  const before = t.nextBefore;
  t.nextParent = 0;
  t.nextBefore = 0;
  t.guardedParent = 0;
  const { links, order } = t;
  const { table } = t.ecs;
  const isRead = t.isRead && parent !== 0;
  if (t.dependents.count !== 0) t.walks.changing(0, -1, parent);
  for (let k = from; k < to; k++) {
    const node = ids[k];
    if (before === 0) {
      const handle = table.handleAt(node);
      links.append(node, parent, (handle | 0) === handle ? handle : 0);
    } else {
      links.insert(node, parent, before);
      keepHandle(t, node);
    }
    if (order !== undefined) order.spawned(node, parent, before);
    // Asked each time: the event of one may make an index of its siblings, which the next one must enter.
    if (t.dependents.count !== 0) notifyCreated(t, node, parent);
    if (isRead) emitAdded(t, node, parent);
  }
  t.version += to - from;
}

function notifyCreated(t: TreeState, node: number, parent: number): void {
  const { notices, linkListeners } = t;
  t.positions.inserted(node, parent);
  for (let k = 0; k < linkListeners.length; k++) linkListeners[k](node, -1, parent);
  // Only noted: the entity is not complete yet.
  if (notices.active) notices.created(node, parent);
  const { depths } = t;
  if (depths === undefined) return;
  depths.moved(node, 0, parent);
  t.options.limits?.warnIfDeep(t, depths, node, parent);
}
