/**
 * The flat order: every node has a slot, and every parent's slot comes before those of its children. Values that flow
 * down the tree live in slot order, so that one linear pass reaches each node after its parent.
 *
 * It is repaired only where the tree changed, when it is needed (`sync`): a subtree that stands before its new
 * parent moves to the end and leaves holes; holes are swept when they are many. While the order is `exact`, it is the
 * pre-order itself: a subtree is one run of slots, and everything below a node is found without touching a link.
 *
 * The arrays are replaced when they grow. In a `fixed` world they never do, so loops may keep them in constants, which
 * is worth a third of the time: there are twice as many slots as indices, and instead of growing the order is put right.
 */
import { grown, IndexList } from "../../ecs/internal.ts";
import type { Links } from "../links/links.ts";
import { closeHoles, numberDepthFirst } from "./renumber.ts";

/** Several flows ask for the order in one frame; things have settled when it did not change for some frames. */
const QUIET_SYNCS = 16;

/**
 * In a tree with more nodes than this passes are slower where subtrees are scattered (by 5 % at 100,000, twice as slow at a million), so the
 * order is made exact while the tree keeps changing. In smaller ones that gains nothing and would be a long frame now and then.
 */
const LARGE = 65_536;

/** A new node this many slots behind its parent still stands beside it: a small tree built level by level. */
const NEAR = 32;

/** All slots changed at once: either only holes went, or the order is another. */
export type SlotMoves = ClosedHoles | NewOrder;

interface ClosedHoles {
  /** Slots 1 to count - 1 are in use now. */
  readonly count: number;
  /** Slots before this one were in use. */
  readonly tail: number;
  /** The runs of slots that stay together, from front to back: where each begins now, where it began, and its length. */
  readonly runs: Int32Array;
}

interface NewOrder {
  readonly count: number;
  readonly tail: number;
  readonly runs: undefined;
  /** Slot k now holds what was in `old[k]`, for 0 < k < count; 0 for a new node. */
  readonly old: Int32Array;
}

/** Something that keeps values by slot and must follow when slots change. */
export interface SlotFollower {
  /** Slots go up to this number now. */
  grow(capacity: number): void;
  /** What stood in slot `from` stands in `to`; `from` is free. */
  moved(from: number, to: number): void;
  /** Slots are about to move; those before `tail` are in use, and some of them may be new. */
  settle(tail: number): void;
  permuted(moves: SlotMoves): void;
  /**
   * A new node got this slot, which is not behind all others. Nodes that are appended are not reported: a follower finds them
   * behind the last slot it knows.
   */
  claimed(slot: number): void;
  /** The nodes ids[from..to) die; their slots are still theirs. */
  released(ids: Int32Array, from: number, to: number): void;
  /** The node of this slot has another parent. */
  reparented?(slot: number): void;
}

/** All entities of a tree in one row, every parent before its children. */
export class FlatOrder {
  /** Slot of each living node. Slot 0 belongs to the node above all roots. */
  slotOf: Int32Array;
  /** Node of each slot; 0 for a hole. */
  nodeAt: Int32Array;
  /**
   * Entity of each slot, for loops over everything: one array, read in order. 0 for a hole, and where handles have
   * outgrown 32 bits; `tree.world.handleAt(nodeAt[slot])` has those.
   */
  entityAt: Int32Array;
  /** Slot of the parent of each slot's node; 0 for roots. Valid after `sync`. */
  parentSlot: Int32Array;
  /** Once `exact` was asked and is true: the slot behind the last one of the subtree. */
  end: Int32Array;
  /** Slots 1 to tail - 1 are in use or holes. */
  tail = 1;
  holes = 0;
  /** Whether slots are in pre-order. */
  private inOrder = false;
  /** Whether the ancestors of the last slot have yet to be given `end`. */
  private open = false;
  /** The tail when `end` was valid for all. */
  private closedTail = 1;
  /** Grows whenever a slot changes its node or its parent's slot. */
  version = 0;
  private readonly links: Links;
  private followers: readonly SlotFollower[] = [];
  /** Nodes that may stand before their parent. */
  private pending = new IndexList();
  /** The list that `pending` takes turns with, so that repairing makes no garbage. */
  private repaired = new IndexList();
  /** Changes since the order was last exact. */
  private changes = 0;
  /** Those of them that put a node far from its parent, so that passes jump about in memory. */
  private displaced = 0;
  /** How often the order was asked for since it last changed. */
  private quietSyncs = 0;
  private repairing = false;
  private readonly fixed: boolean;

  constructor(links: Links, capacity: number, fixed: boolean) {
    this.links = links;
    this.fixed = fixed;
    const slots = fixed ? capacity * 2 : capacity;
    this.slotOf = new Int32Array(capacity);
    this.nodeAt = new Int32Array(slots);
    this.entityAt = new Int32Array(slots);
    this.parentSlot = new Int32Array(slots);
    this.end = new Int32Array(slots);
    this.compact();
  }

  /** Makes room for nodes up to this number, or gives back what is beyond it. Followers are called, because loops of theirs may hold `slotOf`. */
  resizeNodes(capacity: number): void {
    const isSmaller = capacity < this.slotOf.length;
    this.slotOf = grown(this.slotOf, capacity);
    this.resize(Math.max(capacity, isSmaller ? this.tail : this.nodeAt.length));
  }

  /** How many nodes have a slot. */
  get count(): number {
    return this.tail - 1 - this.holes;
  }

  follow(follower: SlotFollower): void {
    this.followers = [...this.followers, follower];
    follower.grow(this.nodeAt.length);
  }

  // Called by the hierarchy --------------------------------------------------------------------------------------------

  spawned(node: number, parent: number, before: number): void {
    if (this.tail === this.nodeAt.length && !this.makeRoom()) {
      this.spawnedCompactly(node);
      return;
    }
    const slot = this.tail++;
    this.slotOf[node] = slot;
    this.nodeAt[slot] = node;
    this.entityAt[slot] = this.links.handle(node);
    this.parentSlot[slot] = parent === 0 ? 0 : this.slotOf[parent];
    this.end[slot] = slot + 1;
    this.version++;
    if (this.inOrder) this.appended(slot, before);
    else {
      this.changed();
      if (parent !== 0 && slot - this.parentSlot[slot] > NEAR) this.displaced++;
    }
  }

  /** The links know the new node already, so that a new order has a slot for it. */
  private spawnedCompactly(node: number): void {
    this.slotOf[node] = 0;
    this.compact();
    const slot = this.slotOf[node];
    for (let k = 0; k < this.followers.length; k++) this.followers[k].claimed(slot);
  }

  /**
   * Whether the new last slot keeps the pre-order: its parent must be the slot before or one above that. What lies
   * between is complete now and gets its end; over all slots that is one step each.
   */
  private appended(slot: number, before: number): void {
    const { parentSlot, end } = this;
    const parent = parentSlot[slot];
    let up = slot - 1;
    if (before === 0) {
      for (; up > parent; up = parentSlot[up]) if (this.open) end[up] = slot;
    }
    if (up === parent) this.open = parent !== 0;
    else this.displace();
  }

  /**
   * Whether slots are in pre-order, with `end` valid. Trees that are built depth first are so from the start; others
   * after `compact`, or when `sync` finds that it pays.
   */
  get exact(): boolean {
    if (this.inOrder && this.open) this.close();
    return this.inOrder;
  }

  /** Gives the ancestors of the last slot their ends, unless that costs more than what came since. */
  private close(): void {
    const { parentSlot, end, tail } = this;
    let steps = 64 + (tail - this.closedTail) * 4;
    let slot = tail - 1;
    for (; slot !== 0 && steps > 0; slot = parentSlot[slot], steps--) end[slot] = tail;
    if (slot !== 0) this.displace();
    this.open = false;
    this.closedTail = tail;
  }

  /** The nodes ids[from..to) died. */
  destroyed(ids: Int32Array, from: number, to: number): void {
    for (let k = 0; k < this.followers.length; k++) this.followers[k].released(ids, from, to);
    const { slotOf, nodeAt, entityAt } = this;
    for (let k = from; k < to; k++) {
      // `slotOf` stays: the values of the dying node can still be read until its index is given to another.
      const slot = slotOf[ids[k]];
      nodeAt[slot] = 0;
      entityAt[slot] = 0;
    }
    this.holes += to - from;
    this.version++;
  }

  /** `node` has another position among its siblings, or another parent than `from`. */
  linked(node: number, from: number, parent: number): void {
    const slot = this.slotOf[node];
    this.displace();
    this.parentSlot[slot] = parent === 0 ? 0 : this.slotOf[parent];
    this.version++;
    if (slot < this.parentSlot[slot]) this.pending.push(node);
    if (from === parent) return;
    for (let k = 0; k < this.followers.length; k++) this.followers[k].reparented?.(slot);
  }

  reordered(): void {
    this.displace();
  }

  private displace(): void {
    this.inOrder = false;
    this.displaced++;
    this.changed();
  }

  private changed(): void {
    this.changes++;
    this.quietSyncs = 0;
  }

  // Called by users of the order ----------------------------------------------------------------------------------------

  /**
   * Makes every parent stand before its children again. Costs what changed since the last call. Goes all the way back
   * to exact pre-order when that pays: when much was displaced, and things have settled or the tree is large.
   */
  sync(): void {
    const { count } = this;
    const isQuiet = ++this.quietSyncs > QUIET_SYNCS && this.changes * 8 > count;
    if (isQuiet || (count > LARGE && this.displaced > count * 0.75)) {
      this.compact();
      return;
    }
    if (this.pending.count > 0) this.repair();
    if (this.holes > 256 && this.holes * 2 > this.tail) this.sweep();
  }

  /** Restores perfect pre-order without holes. Costs a walk over the whole forest and a move of every value. */
  compact(): void {
    for (const follower of this.followers) follower.settle(this.tail);
    const old = new Int32Array(this.nodeAt.length);
    const slot = numberDepthFirst(this, this.links, old);
    const moves = { old, runs: undefined, count: slot, tail: this.tail };
    this.cutAt(slot);
    this.settle();
    for (const follower of this.followers) follower.permuted(moves);
  }

  /** The run of slots that holds `node` and everything below it, brought to exact order if need be. */
  range(node: number): readonly [number, number] {
    if (!this.exact || this.holes !== 0) this.compact();
    const slot = this.slotOf[node];
    return [slot, this.end[slot]];
  }

  private settle(): void {
    this.inOrder = true;
    this.open = false;
    this.closedTail = this.tail;
    this.changes = 0;
    this.displaced = 0;
    this.quietSyncs = 0;
    this.pending.count = 0;
    this.version++;
  }

  /** Moves displaced subtrees behind their parents. */
  private repair(): void {
    const { links } = this;
    for (const follower of this.followers) follower.settle(this.tail);
    const pending = this.pending;
    this.pending = this.repaired;
    this.repaired = pending;
    this.repairing = true;
    let moved = 0;
    let isFull = false;
    for (let k = 0; k < pending.count && !isFull; k++) {
      const top = pending.ids[k];
      const slot = this.slotOf[top];
      if (this.nodeAt[slot] !== top || slot > this.slotOf[links.parent(top)]) continue;
      // Subtrees inside each other may each move with all that is below: a new order is cheaper then.
      if (moved > this.count) break;
      let node = top;
      for (;;) {
        isFull = this.tail === this.nodeAt.length && !this.makeRoom();
        if (isFull) break;
        this.moveToTail(node);
        moved++;
        const first = links.first(node);
        if (first !== 0) {
          node = first;
          continue;
        }
        while (node !== top && links.next(node) === 0) node = links.parent(node);
        if (node === top) break;
        node = links.next(node);
      }
    }
    pending.count = 0;
    this.repairing = false;
    if (isFull || moved > this.count) this.compact();
  }

  private moveToTail(node: number): void {
    const from = this.slotOf[node];
    const to = this.tail++;
    const parent = this.links.parent(node);
    this.nodeAt[from] = 0;
    this.nodeAt[to] = node;
    this.entityAt[to] = this.entityAt[from];
    this.entityAt[from] = 0;
    this.slotOf[node] = to;
    this.parentSlot[to] = parent === 0 ? 0 : this.slotOf[parent];
    this.holes++;
    this.version++;
    for (let k = 0; k < this.followers.length; k++) this.followers[k].moved(from, to);
  }

  /** Closes the holes and keeps the order of the rest. */
  private sweep(): void {
    for (const follower of this.followers) follower.settle(this.tail);
    const { exact, tail } = this;
    const { count, runs } = closeHoles(this, tail, this.holes, exact);
    this.cutAt(count);
    this.closedTail = count;
    this.version++;
    for (const follower of this.followers) follower.permuted({ count, tail, runs });
  }

  /** No node has a slot from `tail` on, and none before it is a hole. */
  private cutAt(tail: number): void {
    if (tail < this.tail) {
      this.nodeAt.fill(0, tail, this.tail);
      this.entityAt.fill(0, tail, this.tail);
    }
    this.tail = tail;
    this.holes = 0;
  }

  /** Whether there is another slot now. */
  private makeRoom(): boolean {
    // Sweeping needs parents before children, which holds only when nothing waits for repair.
    if (this.holes * 4 > this.tail && this.pending.count === 0 && !this.repairing) this.sweep();
    else if (this.fixed) return false;
    else this.resize(this.nodeAt.length * 2);
    return true;
  }

  private resize(length: number): void {
    if (length !== this.nodeAt.length) {
      this.nodeAt = grown(this.nodeAt, length);
      this.entityAt = grown(this.entityAt, length);
      this.parentSlot = grown(this.parentSlot, length);
      this.end = grown(this.end, length);
    }
    for (const follower of this.followers) follower.grow(length);
  }
}
