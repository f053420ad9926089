/**
 * The one way in which living nodes are linked and unlinked.
 *
 * `place` keeps everything that is derived from the links up to date (positions, names, flat order), records the change and
 * emits its event. It never refuses: the editing calls check first.
 */
import { asOneCall, settle } from "../../ecs/internal.ts";
import type { TreeState } from "../state.ts";
import { emitLinked, emitOrder, indexAt } from "./emit.ts";
import { recordName, recordOrder, recordPosition } from "./record.ts";

/** Puts `child` under `parent`, before its child `before` (0: last). `false` when it is there already. */
export function place(t: TreeState, child: number, parent: number, before: number): boolean {
  const { links } = t;
  const from = links.parent(child);
  const following = links.next(child);
  if (from === parent && (before === following || before === child)) return false;
  t.ecs.requireUnasked("move an entity in the tree");
  if (t.ecs.doomed.size !== 0) t.ecs.doomed.noteMoved(child);
  if (t.ecs.recorder.wanted) recordPosition(t, child);
  const { isRead } = t;
  const previousIndex = isRead ? indexAt(t, child) : 0;
  // Only now: the first look at a large family makes an index of it, which must be kept up to date from here on.
  const hasDependents = t.dependents.count !== 0;
  if (hasDependents) notifyMoving(t, child, from, parent);
  if (hasDependents) forgetPosition(t, child, from, parent);
  links.move(child, parent, before);
  if (t.order !== undefined) t.order.linked(child, from, parent);
  t.version++;
  if (hasDependents) notifyMoved(t, child, from, parent);
  if (isRead) {
    if (from === parent && t.reordering !== undefined) t.reordering.add(parent);
    else emitLinked(t, child, from, parent, previousIndex);
  }
  if (t.ecs.notices.waits) settle(t.ecs);
  return true;
}

/** `child` is about to go from one parent to another, or to another position. */
function notifyMoving({ walks, notices }: TreeState, child: number, from: number, parent: number): void {
  walks.changing(child, from, parent);
  if (notices.active) notices.moving(child, parent);
}

function forgetPosition(t: TreeState, child: number, from: number, parent: number): void {
  t.positions.removing(child, from);
  if (from === parent) return;
  t.names.leaving(child, from);
  t.depths?.moved(child, from, parent);
}

function notifyMoved(t: TreeState, child: number, from: number, parent: number): void {
  const { linkListeners, depths } = t;
  t.positions.inserted(child, parent);
  if (from !== parent) {
    t.names.joined(child, parent);
    for (let k = 0; k < linkListeners.length; k++) linkListeners[k](child, from, parent);
  }
  if (depths !== undefined) t.options.limits?.warnIfDeep(t, depths, child, parent);
}

/** Puts the children of `parent` into another order; `nodes` are exactly its children. `false` when it is their order. */
export function reorder(t: TreeState, parent: number, nodes: ArrayLike<number>): boolean {
  const { links } = t;
  let same = true;
  let node = links.first(parent);
  for (let k = 0; k < nodes.length && same; k++, node = links.next(node)) same = node === nodes[k];
  if (same) return false;
  t.ecs.requireUnasked("change the order of children");
  t.walks.changing(0, parent, parent);
  if (t.ecs.recorder.wanted) recordOrder(t, parent);
  t.positions.forget(parent);
  for (let k = 0; k < nodes.length; k++) {
    links.remove(nodes[k]);
    links.insert(nodes[k], parent, 0);
  }
  t.order?.reordered();
  t.version++;
  if (t.isRead) emitOrder(t, parent);
  t.notices.changed(parent);
  if (t.ecs.notices.waits) settle(t.ecs);
  return true;
}

/** Gives a node another name. */
export function rename(t: TreeState, node: number, name: string | undefined): void {
  if (t.names.of(node) === name) return;
  t.ecs.requireUnasked("name an entity");
  if (t.ecs.recorder.wanted) recordName(t, node);
  t.names.set(node, name);
}

/** Makes several changes as one call: listeners are notified when all are made. */
export function together<Result>({ ecs }: TreeState, edit: () => Result): Result {
  return asOneCall(ecs, edit);
}

/** Makes several changes of order that are reported by one event per parent, after all of them. */
export function orderingTogether(t: TreeState, edit: () => void): void {
  const outer = t.reordering;
  const parents = outer ?? new Set<number>();
  t.reordering = parents;
  try {
    edit();
  } finally {
    t.reordering = outer;
  }
  if (outer === undefined) for (const parent of parents) emitOrder(t, parent);
}
