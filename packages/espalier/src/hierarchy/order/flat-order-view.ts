/**
 * The flat order as users get it: to read, and to bring up to date.
 */
import type { FlatOrder } from "./flat-order.ts";

/** A typed array that is not for writing. */
export interface ReadonlyInt32Array extends Iterable<number> {
  readonly [index: number]: number;
  /** How many numbers there are. */
  readonly length: number;
  /** The number at an index; negative ones count from the end. */
  at(index: number): number | undefined;
  /** The first index of a value, from `from` on; -1 if there is none. */
  indexOf(value: number, from?: number): number;
  /** A copy of a part. */
  slice(from?: number, to?: number): Int32Array;
}

/** Every parent before its children, as arrays. They are replaced when the world grows, or gives room back before a pass: fetch them at the start of a loop. */
export class FlatOrderView {
  readonly #order: FlatOrder;

  /** @internal Use `flatOrder(tree)`. */
  constructor(order: FlatOrder) {
    this.#order = order;
  }

  /** Slot of each living entity, by its index. Slot 0 is above all roots. */
  get slotOf(): ReadonlyInt32Array {
    return this.#order.slotOf;
  }

  /** Index of the entity of each slot; 0 for a hole. */
  get nodeAt(): ReadonlyInt32Array {
    return this.#order.nodeAt;
  }

  /**
   * Entity of each slot. 0 for a hole, and where handles have outgrown 32 bits; `tree.world.handleAt(nodeAt[slot])` has those.
   */
  get entityAt(): ReadonlyInt32Array {
    return this.#order.entityAt;
  }

  /** Slot of the parent of each slot; 0 for roots. Valid after `sync`. */
  get parentSlot(): ReadonlyInt32Array {
    return this.#order.parentSlot;
  }

  /** The slot behind the last one of the subtree of each slot. Valid while `exact`. */
  get end(): ReadonlyInt32Array {
    return this.#order.end;
  }

  /** Slots 1 to tail - 1 are in use or holes. */
  get tail(): number {
    return this.#order.tail;
  }

  /** How many slots before `tail` are not in use. */
  get holes(): number {
    return this.#order.holes;
  }

  /** How many entities have a slot. */
  get count(): number {
    return this.#order.count;
  }

  /** Grows whenever a slot changes its entity or the slot of its parent. */
  get version(): number {
    return this.#order.version;
  }

  /** Whether slots are in pre-order, with `end` valid. */
  get exact(): boolean {
    return this.#order.exact;
  }

  /** Makes every parent stand before its children again. Costs what changed since the last call. */
  sync(): void {
    this.#order.sync();
  }
}
