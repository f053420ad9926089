/**
 * The two loops that give every node another slot. They are functions of their own because each is long and runs rarely: inside a method
 * that does more V8 throws the compiled code away at every call.
 */
import type { Links } from "../links/links.ts";

/** The arrays of a flat order. */
export interface OrderArrays {
  readonly slotOf: Int32Array;
  readonly nodeAt: Int32Array;
  readonly entityAt: Int32Array;
  readonly parentSlot: Int32Array;
  readonly end: Int32Array;
}

/**
 * Numbers all nodes in pre-order, without holes, and notes in `old` which slot each of them had. Returns the first free slot. What is behind
 * it stays as it was.
 */
export function numberDepthFirst(order: OrderArrays, links: Links, old: Int32Array): number {
  // Nothing here reads what it overwrites: old slots are known by node, parents are placed before their children.
  const { nodeAt, entityAt, parentSlot, end, slotOf } = order;
  let slot = 1;
  let node = links.first(0);
  while (node !== 0) {
    old[slot] = slotOf[node];
    slotOf[node] = slot;
    nodeAt[slot] = node;
    entityAt[slot] = links.handle(node);
    const parent = links.parent(node);
    parentSlot[slot] = parent === 0 ? 0 : slotOf[parent];
    slot++;
    const first = links.first(node);
    if (first !== 0) {
      node = first;
      continue;
    }
    for (;;) {
      end[slotOf[node]] = slot;
      const next = links.next(node);
      if (next !== 0) {
        node = next;
        break;
      }
      node = links.parent(node);
      if (node === 0) break;
    }
  }
  return slot;
}

/**
 * Closes the holes before `tail` and keeps the order of the rest. Parents must come before their children; `isExact` says whether `end` is
 * right. Returns the first free slot, and the runs of slots that moved together (see `SlotMoves`). What is behind the free slot stays as it was.
 */
export function closeHoles(
  order: OrderArrays,
  tail: number,
  holes: number,
  isExact: boolean,
): { count: number; runs: Int32Array } {
  const { nodeAt, entityAt, parentSlot, end, slotOf } = order;
  // For holes too: the slot that the next node behind them gets. Where the order is not exact, `end` means nothing and has room for it.
  const renamed = isExact ? new Int32Array(tail + 1) : end;
  // Each run but the last ends before a hole.
  const runs = new Int32Array((holes + 1) * 3);
  let used = 0;
  let to = 1;
  for (let from = 1; from < tail; from++) {
    renamed[from] = to;
    if (nodeAt[from] === 0) continue;
    const begin = from;
    runs[used++] = to;
    runs[used++] = begin;
    for (; from < tail; from++) {
      const node = nodeAt[from];
      renamed[from] = to;
      if (node === 0) break;
      nodeAt[to] = node;
      entityAt[to] = entityAt[from];
      slotOf[node] = to;
      // Slot 0, above the roots, stays slot 0.
      parentSlot[to] = renamed[parentSlot[from]];
      to++;
    }
    runs[used++] = from - begin;
  }
  if (isExact) {
    // What ends behind the last slot.
    renamed[tail] = to;
    renameEnds(end, renamed, runs, used);
  }
  return { count: to, runs: runs.subarray(0, used) };
}

/** Moves the ends with their slots, to the new name of each. */
function renameEnds(end: Int32Array, renamed: Int32Array, runs: Int32Array, used: number): void {
  for (let k = 0; k < used; k += 3) {
    for (let to = runs[k], from = runs[k + 1], last = to + runs[k + 2]; to < last; )
      end[to++] = renamed[end[from++]];
  }
}
