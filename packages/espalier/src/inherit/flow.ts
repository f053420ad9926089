/**
 * The one propagation: values that are computed from the parent's value and the entity's own, parents first.
 *
 * Values live in slot order (see `FlatOrder`), so that a subtree is computed by one linear loop. A write marks one
 * slot; a pass (`pass.ts`) computes the subtrees of the marked slots and nothing else. Single reads between two passes
 * are computed on the way down to the entity (`find-row.ts`) and are never stale.
 *
 * A flow is a part: inherited values and spaces have one each, and give it their values (`FlowValues`).
 */
import type { EntityLike } from "../ecs/index.ts";
import { ChangeLog, ChangeReader, grown, type WorldState } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { type FlatOrder, orderOf, type SlotFollower, type SlotMoves, treeOf } from "../hierarchy/internal.ts";
import type { ComputedRuns } from "./computed-runs.ts";
import type { FlowValues, Rows } from "./flow-values.ts";
import { permute } from "./permute.ts";
import { SlotList } from "./slot-list.ts";

// Marks of a slot since the last pass. 4 to 16 belong to the values.
/** It was written. */
export const WRITTEN = 1;
/** Its node is new. */
export const NEW = 2;
/** It is behind `fresh`, but its node is not new: it was moved there. */
export const MOVED = 32;
/** It was marked by a loop and is not in the list of marked slots yet. */
export const UNLISTED = 64;

export class Flow<R extends Rows = Rows> implements SlotFollower {
  readonly tree: Hierarchy;
  readonly order: FlatOrder;
  /** The state of the world. */
  readonly ecs: WorldState;
  readonly links: ReturnType<typeof treeOf>["links"];
  readonly values: FlowValues<R>;
  /** The marks of each slot. Replaced only when it grows. */
  marked = new Uint8Array(0);
  /** The marked slots, and some that were. */
  readonly dirty = new SlotList();
  /** Slots from here on were taken since the last pass. They need no mark: the next pass computes them all. */
  fresh = 1;
  /** Slots from here on do not hold yet what a new entity starts with. */
  private claimedTo = 1;
  /** Everything must be computed again. */
  isStale = true;
  /** Whether slots are marked that are not in the list, because the next pass computes everything. */
  hasUnlisted = false;
  /** Whether a pass is putting the order right: what it computes anyway, and nothing reads before, need not follow. */
  isSyncing = false;
  /** Loops under way that mark slots as `UNLISTED`: one store for each write instead of a call. */
  loops = 0;
  log: ChangeLog | undefined;
  /** What passes compute is added to each of these. */
  readonly watchers: ComputedRuns[] = [];
  /** For single reads: the slots on the way, and what the last value was found in. */
  readonly way: number[] = [];
  found!: R;
  /** Values before a run was computed, and the slot of the first one. */
  kept: Rows = [];
  keptFrom = 0;

  constructor(tree: Hierarchy, values: FlowValues<R>) {
    this.tree = tree;
    const state = treeOf(tree);
    this.order = orderOf(state);
    this.ecs = state.ecs;
    this.links = state.links;
    this.values = values;
  }

  /** Call this once, when the values exist: from then on they follow the order. */
  start(): void {
    this.order.follow(this);
  }

  /** Whether nothing was written since the last pass. */
  get isClean(): boolean {
    return this.dirty.count === 0 && !this.isStale && this.loops === 0 && this.fresh === this.order.tail;
  }

  /** Whether the arrays of the values may be replaced: no loop holds them, and those of a fixed world stay for its life. */
  get canReplace(): boolean {
    return !this.ecs.isIterating && !this.ecs.table.fixed;
  }

  /** A reader of what passes change from now on. Without a reader nothing is compared. */
  changes(): ChangeReader {
    this.log ??= new ChangeLog();
    const log = this.log;
    return new ChangeReader(
      log,
      (entity) => this.tree.world.isAlive(entity),
      () => {
        if (log.readers.size === 0 && this.log === log) this.log = undefined;
      },
    );
  }

  /** The node of a living entity. */
  nodeOf(entity: EntityLike, doing: string): number {
    return this.ecs.require(entity, doing);
  }

  /** The slot of a living entity, which holds what the entity started with or what was written since. */
  slotOf(entity: EntityLike, doing: string): number {
    const slot = this.order.slotOf[this.nodeOf(entity, doing)];
    if (slot >= this.claimedTo) this.claim(slot + 1);
    return slot;
  }

  /** Whether the node of this slot came after the last pass. */
  isNew(slot: number): boolean {
    const as = this.marked[slot];
    return slot < this.fresh ? (as & NEW) !== 0 : (as & MOVED) === 0;
  }

  // Marks ----------------------------------------------------------------------------------------------------------------

  mark(slot: number, as = WRITTEN): void {
    if (slot >= this.fresh) return;
    const before = this.marked[slot];
    if (before === 0) {
      if (this.dirty.isFull) this.dirty.removeUnmarked(this.marked);
      this.dirty.push(slot);
    }
    this.marked[slot] = before | as;
  }

  /** Lists those slots of these nodes that a loop has marked. */
  listMarked(nodes: Int32Array, count: number): void {
    // Looking at each slot once is cheaper than listing them.
    if (this.isMost(count) && (this.isStale || this.areMostMarked(this.fresh, UNLISTED))) {
      this.isStale = true;
      this.hasUnlisted = true;
      return;
    }
    const { marked, fresh, dirty } = this;
    const { slotOf } = this.order;
    const items = dirty.reserve(count, marked);
    let listed = dirty.count;
    for (let k = 0; k < count; k++) {
      const slot = slotOf[nodes[k]];
      const as = marked[slot];
      if ((as & UNLISTED) === 0) continue;
      // The next pass computes new slots anyway.
      marked[slot] = as & (slot < fresh ? ~UNLISTED : MOVED);
      if (slot < fresh) items[listed++] = slot;
    }
    dirty.count = listed;
  }

  /** For a pass inside a loop that marks slots. */
  listUnlisted(): void {
    if (this.loops === 0) return;
    for (let slot = 1; slot < this.order.tail; slot++) {
      const as = this.marked[slot];
      if ((as & UNLISTED) === 0) continue;
      this.marked[slot] = as & MOVED;
      this.mark(slot, as & ~UNLISTED);
    }
  }

  /** Marks many slots at once; each may be listed more than once. */
  markAll(slots: Int32Array): void {
    if (this.isMost(slots.length)) this.isStale = true;
    else for (let k = 0; k < slots.length; k++) this.mark(slots[k]);
  }

  /** Whether so many slots are marked that the next pass computes everything, which clears all marks. */
  isMost(count: number): boolean {
    return count * 4 > this.order.count;
  }

  /** Whether so many slots before `end` have one of the marks `as`. Where they do, it looks at few of them. */
  private areMostMarked(end: number, as: number): boolean {
    const { marked } = this;
    const enough = this.order.count / 4;
    let count = 0;
    for (let slot = 1; slot < end; slot++) if ((marked[slot] & as) !== 0 && ++count > enough) return true;
    return false;
  }

  /** Makes sure that slots before `tail` hold what new entities start with. */
  claim(tail: number): void {
    if (this.claimedTo >= tail) return;
    const from = this.claimedTo;
    this.claimedTo = tail;
    this.values.reset(from, tail);
  }

  /** The same for all slots before `slot`; what is in that one is about to be written as a whole. */
  claimBefore(slot: number): void {
    if (this.claimedTo > slot) return;
    this.claim(slot);
    this.claimedTo = slot + 1;
  }

  // SlotFollower ---------------------------------------------------------------------------------------------------------

  grow(capacity: number): void {
    this.marked = grown(this.marked, capacity);
    this.values.grow(capacity);
  }

  moved(from: number, to: number): void {
    // It stands behind all other slots, so that the next pass computes it.
    this.claimedTo = to + 1;
    this.values.move(from, to, !this.isSyncing || this.log !== undefined);
    for (const runs of this.watchers) runs.slotsMoved();
    this.marked[to] = this.isNew(from) ? 0 : MOVED;
    this.marked[from] = 0;
  }

  settle(tail: number): void {
    this.claim(tail);
  }

  permuted(moves: SlotMoves): void {
    this.values.permute(moves, !this.isSyncing || !this.isStale || this.log !== undefined);
    for (const runs of this.watchers) runs.slotsMoved();
    const { count, runs } = moves;
    const { marked, dirty } = this;
    if (runs === undefined) this.markFresh(moves.tail);
    // In place: loops hold the array.
    permute(marked, 1, moves);
    marked.fill(0, count);
    this.claimedTo = count;
    const end = runs === undefined ? count : slotBehind(runs, this.fresh);
    this.fresh = end;
    dirty.clear();
    // The next pass looks at every mark then.
    if (this.isStale && this.hasUnlisted) return;
    if (this.areMostMarked(end, 255)) {
      this.isStale = true;
      this.hasUnlisted = true;
      return;
    }
    for (let slot = 1; slot < end; slot++) {
      if (marked[slot] === 0) continue;
      if (dirty.isFull) dirty.removeUnmarked(marked);
      dirty.push(slot);
    }
  }

  /** Marks what needed no mark before, because it will not stand behind all other slots any more. */
  private markFresh(tail: number): void {
    const { marked } = this;
    const { freshMarks } = this.values;
    for (let slot = this.fresh; slot < tail; slot++) {
      marked[slot] = marked[slot] & MOVED ? freshMarks & ~NEW : freshMarks;
    }
  }

  claimed(slot: number): void {
    this.values.reset(slot, slot + 1);
    this.mark(slot, this.values.freshMarks);
  }

  reparented(slot: number): void {
    this.mark(slot);
  }

  released(ids: Int32Array, from: number, to: number): void {
    const { marked, values, log, isClean } = this;
    if (isClean && log === undefined && values.release === undefined) return;
    const { slotOf } = this.order;
    for (let k = from; k < to; k++) {
      const slot = slotOf[ids[k]];
      // An entity that comes and goes between two passes is in no log.
      if (log !== undefined && !this.isNew(slot)) log.removed(this.tree.world.handleAt(ids[k]), ids[k]);
      // The list may still name it; an unmarked entry is passed over. Where all is clean nothing is marked.
      if (!isClean) marked[slot] = 0;
      values.release?.(slot);
    }
  }
}

/** Where what stood before `slot` ends now, when the holes between these runs are closed. */
function slotBehind(runs: Int32Array, slot: number): number {
  for (let k = runs.length - 3; k >= 0; k -= 3) {
    const [to, from, length] = [runs[k], runs[k + 1], runs[k + 2]];
    if (from < slot) return to + Math.min(length, slot - from);
  }
  return 1;
}
