/**
 * One pass of a flow: computes what is below a change, parents first, and lists what became different.
 */
import { type ChangeLog, giveBackRoom } from "../ecs/internal.ts";
import type { Flow } from "./flow.ts";
import type { Rows } from "./flow-values.ts";

/**
 * Brings every value up to date and touches only what is below a change. Costs nothing when nothing changed. Returns the
 * number of values it computed.
 */
export function propagate(flow: Flow): number {
  if (!flow.ecs.table.isFit) giveBackRoom(flow.ecs);
  if (flow.isClean) return 0;
  const { order, dirty } = flow;
  flow.values.beforeSync?.();
  // Only with a log are values before the pass compared with those after it.
  flow.isSyncing = true;
  order.sync();
  flow.isSyncing = false;
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
  const { fresh, marked, links } = flow;
  const { slotOf } = flow.order;
  let computed = 0;
  let node = top;
  for (;;) {
    const slot = slotOf[node];
    let first = 0;
    // What stands behind the others is computed by itself, and all below it stands there too.
    if (slot < fresh) {
      computed++;
      if (computeSlot(flow, slot, node)) first = links.first(node);
      marked[slot] = 0;
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

/** `false` when the value stayed as it was, so that nothing below it changes either. */
function computeSlot(flow: Flow, slot: number, node: number): boolean {
  list(flow, slot, slot + 1);
  const { log, values } = flow;
  if (log === undefined) {
    const { rows, width } = values;
    const before = rows[slot];
    values.computeRun(slot, slot + 1);
    // Comparing several numbers takes longer than it saves: one that was marked is rarely the same.
    return width > 1 || !Object.is(before, rows[slot]);
  }
  computeKept(flow, slot, slot + 1);
  const isNew = flow.isNew(slot);
  if (!isNew && !differs(flow, slot)) return false;
  write(flow, log, node, isNew);
  return true;
}

function run(flow: Flow, from: number, to: number): void {
  list(flow, from, to);
  if (flow.log === undefined) flow.values.computeRun(from, to);
  else runLogged(flow, flow.log, from, to);
}

function list({ watchers }: Flow, from: number, to: number): void {
  for (let k = 0; k < watchers.length; k++) watchers[k].add(from, to);
}

function runLogged(flow: Flow, log: ChangeLog, from: number, to: number): void {
  const { nodeAt } = flow.order;
  computeKept(flow, from, to);
  for (let slot = from; slot < to; slot++) {
    if (nodeAt[slot] === 0) continue;
    const isNew = flow.isNew(slot);
    if (isNew || differs(flow, slot)) write(flow, log, nodeAt[slot], isNew);
  }
}

function write(flow: Flow, log: ChangeLog, node: number, isNew: boolean): void {
  const entity = flow.ecs.handleAt(node);
  if (isNew) log.added(entity, node);
  else log.changed(entity, node);
}

/** Computes slots from..to - 1, and copies their values before, so that `differs` knows which of them became other ones. */
export function computeKept(flow: Flow, from: number, to: number): void {
  const { rows, width } = flow.values;
  const length = (to - from) * width;
  if (flow.kept.length < length) {
    const Copy = rows.constructor as new (length: number) => Rows;
    flow.kept = new Copy(Math.max(length, flow.kept.length * 2));
  }
  flow.keptFrom = from;
  const { kept } = flow;
  // One slot at a time is the usual case where much moves, and a view of the array costs more than that.
  if (to - from === 1 || Array.isArray(kept))
    for (let k = 0; k < length; k++) kept[k] = rows[from * width + k];
  else (kept as Float64Array).set((rows as Float64Array).subarray(from * width, to * width));
  flow.values.computeRun(from, to);
}

/** Whether the value of a slot differs from the one before `computeKept`. */
export function differs({ values, kept, keptFrom }: Flow, slot: number): boolean {
  const { rows, width, size } = values;
  const before = (slot - keptFrom) * width;
  for (let k = 0; k < size; k++) if (!Object.is(kept[before + k], rows[slot * width + k])) return true;
  return false;
}
