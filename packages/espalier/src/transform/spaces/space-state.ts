/**
 * What a space of transforms holds, in the plane or in three dimensions: records by slot, computed by the kernels of its geometry
 * with the special cases in between. The functions beside this file read and change it; `TransformSpace` is what users see.
 */
import type { AnyComponent, EntityLike } from "../../ecs/index.ts";
import { type ExternalStorage, INDEX_MASK, type Store } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { FlatOrder, SlotMoves } from "../../hierarchy/internal.ts";
import {
  Flow,
  type FlowValues,
  NEW,
  type SlotKernel,
  type SlotNumbers,
  WRITTEN,
} from "../../inherit/internal.ts";
import { type Columns, type Geometry, TURNED } from "../maths/geometry.ts";
import { EVERYTHING, TOP_LEVEL } from "./inherit-mask.ts";
import { LinkFlags } from "./link-flags.ts";
import { createLocalStorage } from "./local-storage.ts";

export class SpaceState implements FlowValues<SlotNumbers> {
  readonly tree: Hierarchy;
  readonly name: string;
  readonly component: AnyComponent;
  readonly geometry: Geometry;
  readonly order: FlatOrder;
  readonly flow: Flow<SlotNumbers>;
  readonly flags: LinkFlags;
  readonly store: Store;
  private readonly storage: ExternalStorage;
  readonly freshMarks = NEW | WRITTEN | TURNED;
  readonly kernel: SlotKernel<Columns>;
  /** The records in the memory of the kernel, here for short ways to them. */
  local: SlotNumbers;
  rows: SlotNumbers;
  /** Whether numbers are kept in 32 bits. */
  readonly isSingle: boolean;
  readonly localWidth: number;
  readonly width: number;
  readonly size: number;
  /** The number of each field of a record in the component. */
  readonly fieldIds: readonly number[];
  /** What a setter was given, by field: a double argument of a call that is not inlined would be heap-allocated. */
  readonly given: SlotNumbers;
  readonly scratch: SlotNumbers;

  constructor(
    tree: Hierarchy,
    name: string,
    component: AnyComponent,
    geometry: Geometry,
    kernel: SlotKernel<Columns>,
    spaceFlags: number,
  ) {
    this.tree = tree;
    this.name = name;
    this.component = component;
    this.geometry = geometry;
    this.kernel = kernel;
    this.local = kernel.memory.arrays.local;
    this.rows = kernel.memory.arrays.world;
    this.localWidth = geometry.initial.length;
    this.width = geometry.root.length;
    this.size = geometry.worldSize;
    this.isSingle = this.local instanceof Float32Array;
    const Numbers = this.isSingle ? Float32Array : Float64Array;
    this.given = new Numbers(geometry.fields.length);
    this.scratch = new Numbers(this.width * 2);
    this.flags = new LinkFlags(tree, spaceFlags, (node) => this.hasTransform(node));
    this.flow = new Flow(tree, this);
    this.order = this.flow.order;
    const state = this.flow.ecs;
    this.storage = createLocalStorage(this);
    state.useStorage(component, this.storage);
    this.store = state.store(component);
    this.fieldIds = geometry.fields.map((name) => this.store.names.indexOf(name));
    this.flow.start();
    this.flags.follow(this.flow);
  }

  /** What entities take over that have no mask of their own. */
  get spaceFlags(): number {
    return this.flags.spaceFlags;
  }

  hasTransform(node: number): boolean {
    return this.flow.ecs.hasAt(node, this.store);
  }

  /** The slot of a living entity that has a transform, or -1: the short way, by what the slots themselves say. */
  heldSlot(entity: EntityLike): number {
    if (typeof entity !== "number") return -1;
    const { slotOf, entityAt } = this.order;
    const slot = slotOf[entity & INDEX_MASK];
    const there = entityAt[slot];
    // 0 where the handle is wider than the array.
    if (there !== entity && (there !== 0 || !this.tree.world.isAlive(entity))) return -1;
    return this.flags.isHeld(slot) ? slot : -1;
  }

  /** Brings the derived numbers of these slots up to date, or of those that are marked as `TURNED`. */
  derive(slots: Int32Array, count: number, all: boolean): void {
    const { derived } = this.geometry;
    if (derived === undefined) return;
    // Computing all in order is faster then than these as they come.
    if (count === this.order.tail || (this.kernel.usesWasm && count * 2 > this.order.tail)) {
      if (all || this.isAnyTurned()) this.deriveRange(1, this.flow.fresh);
      return;
    }
    const { marked } = this.flow;
    for (let k = 0; k < count; k++) {
      const slot = slots[k];
      if (all || marked[slot] & TURNED) derived.compute(this.local, slot * this.localWidth);
    }
  }

  /** Where entities only move, looking for one that turned takes a tenth of the time of deriving all. */
  private isAnyTurned(): boolean {
    const { marked, fresh } = this.flow;
    for (let slot = 1; slot < fresh; slot++) if ((marked[slot] & TURNED) !== 0) return true;
    return false;
  }

  /** The same for slots from..to - 1. */
  deriveRange(from: number, to: number): void {
    this.geometry.derived?.computeRange(this.local, from, to, this.kernel.exports);
  }

  resetLocal(slot: number): void {
    const { local, localWidth } = this;
    const { initial } = this.geometry;
    for (let k = 0; k < localWidth; k++) local[slot * localWidth + k] = initial[k];
  }

  // FlowValues -----------------------------------------------------------------------------------------------------------

  beforePass(): void {
    const { fresh, dirty, hasUnlisted } = this.flow;
    const { tail } = this.order;
    this.derive(dirty.items, hasUnlisted ? tail : dirty.count, false);
    if (fresh < tail) this.deriveRange(fresh, tail);
  }

  computeRun(from: number, to: number): void {
    if (this.flags.specialCount === 0 && !this.geometry.isSpecial) this.kernel.run(this.order, from, to);
    else this.computeMixed(from, to);
  }

  /** The kernel from one special slot to the next. */
  private computeMixed(from: number, to: number): void {
    const { order, flags, geometry, kernel, rows, width } = this;
    let at = from;
    for (let slot = from; slot < to; slot++) {
      if (!geometry.isSpecial && flags.taken(slot) === EVERYTHING) continue;
      if (slot > at) kernel.run(order, at, slot);
      if (!flags.isEmpty(slot))
        this.composeRecord(slot, rows, order.parentSlot[slot] * width, rows, slot * width);
      at = slot + 1;
    }
    if (at < to) kernel.run(order, at, to);
  }

  private composeRecord(slot: number, parent: SlotNumbers, p: number, out: SlotNumbers, o: number): void {
    const flags = this.flags.taken(slot);
    const l = slot * this.localWidth;
    // A top-level entity takes over the value above all roots.
    if (flags & TOP_LEVEL) this.geometry.compose(this.local, l, this.rows, 0, out, o, EVERYTHING);
    else this.geometry.compose(this.local, l, parent, p, out, o, flags);
  }

  compose(slot: number, parent: SlotNumbers, p: number, out: SlotNumbers, o: number): void {
    const { fresh, marked } = this.flow;
    if (slot >= fresh || marked[slot] & TURNED) {
      if (slot < fresh) marked[slot] &= ~TURNED;
      this.geometry.derived?.compute(this.local, slot * this.localWidth);
    }
    this.composeRecord(slot, parent, p, out, o);
  }

  beforeSync(): void {
    if (this.kernel.canStart && this.flow.canReplace) this.grow(this.order.nodeAt.length);
  }

  grow(capacity: number): void {
    const { kernel, storage } = this;
    const isNew = this.rows.length === 0;
    kernel.resize(capacity);
    this.local = kernel.memory.arrays.local;
    this.rows = kernel.memory.arrays.world;
    if (isNew) this.rows.set(this.geometry.root);
    // Views into the records, one number apart, so that one row finds each field.
    this.geometry.fields.forEach((name, k) => {
      storage.columns[name] = this.local.subarray(k);
    });
    storage.onMoved?.();
    this.flags.grow(capacity);
  }

  move(from: number, to: number, results: boolean): void {
    this.kernel.move(from, to, results);
    this.flags.move(from, to);
  }

  permute(moves: SlotMoves, results: boolean): void {
    this.kernel.permute(moves, results);
    this.flags.permute(moves);
  }

  reset(from: number, to: number): void {
    const { nodeAt } = this.order;
    for (let slot = from; slot < to; slot++) {
      if (nodeAt[slot] === 0) continue;
      this.resetLocal(slot);
      this.flags.reset(slot);
    }
  }

  release(slot: number): void {
    this.flags.release(slot);
  }
}
