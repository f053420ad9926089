/**
 * One pass of a flow: computes what is below a change, parents first, and lists what became different.
 */
import type { ChangeLog } from "../ecs/internal.ts";
import type { Flow } from "./flow.ts";

/**
 * Brings every value up to date and touches only what is below a change. Costs nothing when nothing changed. Returns the
 * number of values it computed.
 */
export function propagate(flow: Flow): number {
  if (flow.isClean) return 0;
  const { order, dirty } = flow;
  order.sync();
  flow.claim(order.tail);
  flow.listUnlisted();
  // Slots may have moved; whatever is marked is in the list under its new number.
  flow.values.beforePass?.();
  const all = flow.isStale || flow.isMost(dirty.count + order.tail - flow.fresh);
  // Should the user's part of the computation throw, the next pass computes everything.
  flow.isStale = true;
  const computed = all ? computeAll(flow) : order.exact ? computeRuns(flow) : computeSubtrees(flow);
  dirty.clear();
  flow.marked.fill(0, flow.fresh, order.tail);
  flow.hasUnlisted = false;
  flow.fresh = order.tail;
  flow.isStale = false;
  return computed;
}

function computeAll(flow: Flow): number {
  run(flow, 1, flow.order.tail);
  flow.marked.fill(0, 1, flow.order.tail);
  return flow.order.count;
}

/** Exact order: each marked subtree is one run, and one that lies inside an earlier run is done with it. */
function computeRuns(flow: Flow): number {
  const { order, marked, dirty } = flow;
  const { items, count } = dirty;
  dirty.sort();
  let done = 0;
  let computed = 0;
  for (let k = 0; k < count; k++) {
    const slot = items[k];
    if (marked[slot] === 0) continue;
    if (slot >= done) {
      done = order.end[slot];
      run(flow, slot, done);
      computed += done - slot;
    }
    marked[slot] = 0;
  }
  return computed + computeFresh(flow, Math.max(done, flow.fresh));
}

/** New slots and those that moved there: every parent stands before its children, and older parents are right by now. */
function computeFresh(flow: Flow, from: number): number {
  const { tail } = flow.order;
  if (from >= tail) return 0;
  run(flow, from, tail);
  return tail - from;
}

/** Parents first, but subtrees are scattered: follow the links. */
function computeSubtrees(flow: Flow): number {
  const { order, marked, dirty } = flow;
  const { items, count } = dirty;
  dirty.sort();
  let computed = 0;
  for (let k = 0; k < count; k++) {
    const slot = items[k];
    // What was computed with something above it has no mark any more.
    if (marked[slot] !== 0) computed += computeBelow(flow, order.nodeAt[slot]);
  }
  return computed + computeFresh(flow, flow.fresh);
}

function computeBelow(flow: Flow, top: number): number {
  const { fresh, values, log, marked, links } = flow;
  const { slotOf } = flow.order;
  let computed = 0;
  let node = top;
  for (;;) {
    const slot = slotOf[node];
    let first = 0;
    // What stands behind the others is computed by itself, and all below it stands there too.
    if (slot < fresh) {
      computed++;
      list(flow, slot, slot + 1);
      const isChanged = log === undefined ? values.computeSlot(slot) : computeLogged(flow, log, slot, node);
      marked[slot] = 0;
      if (isChanged) first = links.first(node);
    }
    if (first !== 0) {
      node = first;
      continue;
    }
    while (node !== top && links.next(node) === 0) node = links.parent(node);
    if (node === top) return computed;
    node = links.next(node);
  }
}

function computeLogged(flow: Flow, log: ChangeLog, slot: number, node: number): boolean {
  const { values } = flow;
  values.remember(slot, slot + 1);
  const mayDiffer = values.computeSlot(slot);
  if (flow.isNew(slot)) log.added(flow.ecs.handleAt(node), node);
  else if (!mayDiffer || !values.differs(slot)) return false;
  else log.changed(flow.ecs.handleAt(node), node);
  return true;
}

function run(flow: Flow, from: number, to: number): void {
  list(flow, from, to);
  if (flow.log === undefined) flow.values.computeRun(from, to);
  else runLogged(flow, flow.log, from, to);
}

function list({ watched }: Flow, from: number, to: number): void {
  for (let k = 0; k < watched.length; k++) watched[k].add(from, to);
}

function runLogged(flow: Flow, log: ChangeLog, from: number, to: number): void {
  const { values } = flow;
  const { table } = flow.ecs;
  const { nodeAt } = flow.order;
  values.remember(from, to);
  values.computeRun(from, to);
  for (let slot = from; slot < to; slot++) {
    const node = nodeAt[slot];
    if (node === 0) continue;
    if (flow.isNew(slot)) log.added(table.handleAt(node), node);
    else if (values.differs(slot)) log.changed(table.handleAt(node), node);
  }
}
