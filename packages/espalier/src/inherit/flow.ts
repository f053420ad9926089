/**
 * The one propagation: values that are computed from the parent's value and the entity's own, parents first.
 *
 * Values live in slot order (see `FlatOrder`), so that a subtree is computed by one linear loop. A write marks one
 * slot; `propagate` computes the subtrees of the marked slots and nothing else. Single reads between two passes are
 * computed on the way down to the entity and are never stale.
 */

import type { Entity } from "../ecs/index.ts";
import { ChangeLog, ChangeReader, INDEX_MASK, stateOf } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { type FlatOrder, orderOf, type SlotFollower, treeOf } from "../hierarchy/internal.ts";
import { permute } from "./permute.ts";
import { SlotList } from "./slot-list.ts";

// Marks of a slot since the last pass. 4 to 32 are the subclass's own.
/** It was written. */
export const WRITTEN = 1;
/** Its node is new. */
export const NEW = 2;
/** It was marked by a loop and is not in the list of marked slots yet. */
export const UNLISTED = 64;

export abstract class Flow implements SlotFollower {
  readonly tree: Hierarchy;
  protected readonly order: FlatOrder;
  /** The marks of each slot. */
  protected marked = new Uint8Array(0);
  /** The marked slots, and some that were. */
  private readonly dirty = new SlotList();
  /** Slots from here on are new since the last pass. They need no mark: the next pass computes them all. */
  protected fresh = 1;
  /** Slots from here on do not hold yet what a new entity starts with. */
  private claimedTo = 1;
  /** What a new slot is marked with when it has to be. */
  protected readonly freshMarks: number = NEW | WRITTEN;
  /** Loops under way that mark slots without listing them. */
  private loops = 0;
  /** Everything must be computed anew. */
  private stale = true;
  /** In which pass a slot was computed, to compute it once. */
  private computedIn = new Uint32Array(0);
  private pass = 0;
  private log: ChangeLog | undefined;

  constructor(tree: Hierarchy) {
    this.tree = tree;
    this.order = orderOf(treeOf(tree));
  }

  /** Subclasses call this at the end of their constructor, when their columns exist. */
  protected start(): void {
    this.order.follow(this);
  }

  // What subclasses bring ----------------------------------------------------------------------------------------------

  /** Computes slots from..to - 1 in order; the values of all parents are right when their turn comes. */
  protected abstract computeRun(from: number, to: number): void;
  /** Computes one slot from its parent's. `false` when that surely changed nothing, so that nothing below it changes either. */
  protected abstract computeSlot(slot: number): boolean;
  /** Keeps the values of slots from..to - 1 aside, to find out which of them change. */
  protected abstract remember(from: number, to: number): void;
  /** Whether the value of `slot` differs from the one kept aside. */
  protected abstract differs(slot: number): boolean;
  protected abstract growColumns(capacity: number): void;
  protected abstract moveColumns(from: number, to: number): void;
  protected abstract permuteColumns(old: Int32Array, count: number): void;
  /** Makes slots from..to - 1 hold what new entities start with. */
  protected abstract resetSlots(from: number, to: number): void;

  /** Called before a pass computes anything: these slots are marked, or were, and those from `fresh` on are new. */
  protected beforePass(_marked: SlotList, _fresh: number): void {}

  // The pass -----------------------------------------------------------------------------------------------------------

  /** Whether nothing was written since the last pass. */
  get isClean(): boolean {
    return this.dirty.count === 0 && !this.stale && this.loops === 0 && this.fresh === this.order.tail;
  }

  /**
   * Brings every value up to date, parents first, and touches only what is below a change. Costs nothing when nothing
   * changed. Gives the number of values it computed.
   */
  propagate(): number {
    if (this.isClean) return 0;
    const { order } = this;
    order.sync();
    this.claim(order.tail);
    if (this.loops !== 0) this.listAll();
    // Slots may have moved; whatever is marked is in the list under its new number.
    this.beforePass(this.dirty, this.fresh);
    const all = this.stale || (this.dirty.count + order.tail - this.fresh) * 4 > order.count;
    // Should the user's part of the computation throw, the next pass computes everything.
    this.stale = true;
    const computed = all ? this.computeAll() : order.exact ? this.computeRuns() : this.computeSubtrees();
    this.dirty.clear();
    this.fresh = order.tail;
    this.stale = false;
    return computed;
  }

  /**
   * A reader of what passes do from now on: `changed` are the entities whose value became another one, exactly those;
   * `added` those that got their first; `removed` those that were destroyed. Without a reader nothing is compared.
   */
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

  /** Says that the value an entity contributes was changed in a way this could not see. */
  touch(entity: Entity): void {
    this.mark(this.order.slotOf[stateOf(this.tree.world).require(entity, "touch a value")]);
  }

  /** Says that everything may have changed: the next pass computes all. Cheaper than `touch` for each. */
  touchAll(): void {
    this.stale = true;
  }

  /** Makes sure that slots before `tail` hold what new entities start with. */
  protected claim(tail: number): void {
    if (this.claimedTo >= tail) return;
    const from = this.claimedTo;
    this.claimedTo = tail;
    this.resetSlots(from, tail);
  }

  /** The same for all slots before `slot`; what is in that one is about to be written as a whole. */
  protected claimBefore(slot: number): void {
    if (this.claimedTo > slot) return;
    this.claim(slot);
    this.claimedTo = slot + 1;
  }

  protected mark(slot: number, as = WRITTEN): void {
    if (slot >= this.fresh) return;
    const before = this.marked[slot];
    if (before === 0) {
      if (this.dirty.isFull) this.dirty.weed(this.marked);
      this.dirty.push(slot);
    }
    this.marked[slot] = before | as;
  }

  /** A loop begins that marks slots as `UNLISTED`: one store for each write in place of a call. */
  protected beginMarking(): void {
    this.loops++;
  }

  /** It ended, and may have marked the slots of these nodes. */
  protected endMarking(nodes: Int32Array, count: number): void {
    this.loops--;
    const { marked, fresh, dirty } = this;
    const { slotOf } = this.order;
    const items = dirty.reserve(count, marked);
    let listed = dirty.count;
    for (let k = 0; k < count; k++) {
      const slot = slotOf[nodes[k]];
      const as = marked[slot];
      if ((as & UNLISTED) === 0) continue;
      // The next pass computes new slots anyway.
      marked[slot] = slot < fresh ? as & ~UNLISTED : 0;
      if (slot < fresh) items[listed++] = slot;
    }
    dirty.count = listed;
  }

  /** For a pass inside a loop that marks slots. */
  private listAll(): void {
    for (let slot = 1; slot < this.order.tail; slot++) {
      const as = this.marked[slot];
      if ((as & UNLISTED) === 0) continue;
      this.marked[slot] = 0;
      this.mark(slot, as & ~UNLISTED);
    }
  }

  /** Marks many slots at once; each may be listed more than once. */
  protected markAll(slots: Int32Array): void {
    // The next pass would compute everything anyway.
    if (slots.length * 4 > this.order.count) this.stale = true;
    else for (let k = 0; k < slots.length; k++) this.mark(slots[k]);
  }

  /**
   * The slots from the topmost changed ancestor down to `node`, into `way`; 0 of them when its stored value is right.
   * Follows the links, because the order may wait for repair.
   */
  protected staleWay(node: number, way: number[]): number {
    if (this.isClean) return 0;
    this.claim(this.order.tail);
    const { fresh } = this;
    const { links } = treeOf(this.tree);
    const { slotOf } = this.order;
    let length = 0;
    let needed = 0;
    for (let up = node; up > 0; up = links.parent(up)) {
      const slot = slotOf[up];
      way[length++] = slot;
      if (this.stale || slot >= fresh || this.marked[slot] !== 0) needed = length;
    }
    return needed;
  }

  /** The slot of the parent, by the links. */
  protected parentSlotNow(slot: number): number {
    const parent = treeOf(this.tree).links.parent(this.order.nodeAt[slot]);
    return parent === 0 ? 0 : this.order.slotOf[parent];
  }

  private computeAll(): number {
    const { order } = this;
    this.run(1, order.tail);
    this.marked.fill(0, 1, order.tail);
    return order.count;
  }

  /** Exact order: each marked subtree is one run, and one that lies inside an earlier run is done with it. */
  private computeRuns(): number {
    const { order, marked } = this;
    const { items, count } = this.dirty;
    this.dirty.sort();
    let done = 0;
    let computed = 0;
    for (let k = 0; k < count; k++) {
      const slot = items[k];
      if (marked[slot] === 0) continue;
      if (slot >= done) {
        done = order.end[slot];
        this.run(slot, done);
        computed += done - slot;
      }
      marked[slot] = 0;
    }
    return computed + this.computeFresh(Math.max(done, this.fresh));
  }

  /** New slots: every parent stands before its children, and older parents are right by now. */
  private computeFresh(from: number): number {
    const { tail } = this.order;
    if (from >= tail) return 0;
    this.run(from, tail);
    return tail - from;
  }

  /** Parents first, but subtrees are scattered: follow the links. */
  private computeSubtrees(): number {
    const { order, marked, computedIn } = this;
    const { items, count } = this.dirty;
    this.dirty.sort();
    const pass = ++this.pass;
    let computed = 0;
    for (let k = 0; k < count; k++) {
      const slot = items[k];
      if (marked[slot] === 0) continue;
      const top = order.nodeAt[slot];
      if (top !== 0 && computedIn[slot] !== pass) computed += this.computeBelow(top, pass);
      marked[slot] = 0;
    }
    return computed + this.computeFresh(this.fresh);
  }

  private computeBelow(top: number, pass: number): number {
    const { slotOf } = this.order;
    const { links } = treeOf(this.tree);
    const { fresh } = this;
    let computed = 0;
    let node = top;
    for (;;) {
      const slot = slotOf[node];
      let first = 0;
      // What is new is computed by itself, and all below it is new too.
      if (slot < fresh) {
        this.computedIn[slot] = pass;
        computed++;
        const isChanged = this.log === undefined ? this.computeSlot(slot) : this.computeLogged(slot);
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

  private computeLogged(slot: number): boolean {
    this.run(slot, slot + 1);
    return this.differs(slot);
  }

  private run(from: number, to: number): void {
    if (this.log === undefined) {
      this.computeRun(from, to);
      return;
    }
    this.remember(from, to);
    this.computeRun(from, to);
    const { nodeAt } = this.order;
    for (let slot = from; slot < to; slot++) {
      const node = nodeAt[slot];
      if (node === 0) continue;
      if (slot >= this.fresh || this.marked[slot] & NEW) this.log.added(this.tree.handleAt(node), node);
      else if (this.differs(slot)) this.log.changed(this.tree.handleAt(node), node);
    }
  }

  // SlotFollower -------------------------------------------------------------------------------------------------------

  grow(capacity: number): void {
    const marked = new Uint8Array(capacity);
    marked.set(this.marked);
    this.marked = marked;
    this.computedIn = new Uint32Array(capacity);
    this.growColumns(capacity);
  }

  moved(from: number, to: number): void {
    // It stands behind all others and is not new.
    this.fresh = to + 1;
    this.claimedTo = to + 1;
    this.moveColumns(from, to);
    const as = this.marked[from];
    if (as === 0) return;
    this.marked[from] = 0;
    this.mark(to, as);
  }

  settle(tail: number): void {
    this.claim(tail);
    const { fresh } = this;
    this.fresh = tail;
    for (let slot = fresh; slot < tail; slot++) {
      if (this.order.nodeAt[slot] !== 0) this.mark(slot, this.freshMarks);
    }
  }

  permuted(old: Int32Array, count: number): void {
    this.permuteColumns(old, count);
    this.fresh = count;
    this.claimedTo = count;
    const { marked } = this;
    // In place: loops hold the array.
    permute(marked, 1, old, count);
    marked.fill(0, count);
    this.dirty.clear();
    for (let slot = 1; slot < count; slot++) {
      if (marked[slot] === 0) continue;
      if (this.dirty.isFull) this.dirty.weed(marked);
      this.dirty.push(slot);
    }
    this.computedIn.fill(0);
    this.pass = 0;
  }

  claimed(slot: number): void {
    this.resetSlots(slot, slot + 1);
    this.mark(slot, this.freshMarks);
  }

  reparented(slot: number): void {
    this.mark(slot);
  }

  released(slot: number, node: number): void {
    // Nobody has heard of one that comes and goes between two passes.
    if (this.log !== undefined && slot < this.fresh && (this.marked[slot] & NEW) === 0)
      this.log.removed(this.tree.handleAt(node), node);
    // The list may still name it; an unmarked entry is passed over.
    this.marked[slot] = 0;
  }

  releasedRun(from: number, to: number): void {
    if (this.log !== undefined) {
      for (let slot = from; slot < to; slot++) this.released(slot, this.order.nodeAt[slot]);
    } else this.marked.fill(0, from, to);
  }

  protected nodeOf(entity: Entity, doing: string): number {
    stateOf(this.tree.world).require(entity, doing);
    return entity & INDEX_MASK;
  }
}
