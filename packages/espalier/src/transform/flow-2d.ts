/**
 * The propagation of 2D transforms: records by slot, computed by the kernels, with the special cases in between.
 */
import type { Component, Entity } from "../ecs/index.ts";
import { type ExternalStorage, followComponent, INDEX_MASK, stateOf } from "../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../hierarchy/index.ts";
import { Flow, NEW, permute, type SlotList, UNLISTED, WRITTEN } from "../inherit/internal.ts";
import { composeRecord } from "./compose-record.ts";
import { EVERYTHING, flagsOf, GHOST, InheritTransform, maskBits } from "./inherit-mask.ts";
import { LOCAL, TURNED } from "./linear.ts";
import { Records2D } from "./records-2d.ts";
import {
  checkTransforms2DOptions,
  type Schema2D,
  Transform2D,
  type Transforms2DOptions,
} from "./transform-2d.ts";

const fields = ["x", "y", "rotation", "scaleX", "scaleY", "skew"] as const;

/** No flags at all: the slot belongs to nobody. */
const NOBODY = 32;
/** The entity of the slot has a transform; stands beside what it takes over. */
const HELD = 64;
/** What a slot takes over, of its flags. */
const TAKES = HELD - 1;

export class Flow2D extends Flow {
  readonly component: Component<Schema2D>;
  protected readonly records: Records2D;
  protected readonly separable: boolean;
  /** What entities take over that have no mask of their own. */
  protected readonly spaceFlags: number;
  /** What each slot takes over from its parent, and whether it is `HELD`. */
  private flags = new Uint8Array(0);
  /** How many slots take over something else than EVERYTHING. */
  private specialCount = 0;
  private kept = new Float32Array(0);
  private keptFrom = 0;
  private readonly columns: { [field: string]: Float32Array } = {};
  private readonly componentId: number;
  private readonly storage: ExternalStorage;
  protected override readonly freshMarks = NEW | WRITTEN | TURNED;

  constructor(tree: Hierarchy, options: Transforms2DOptions) {
    super(tree);
    checkTransforms2DOptions(tree.world.checks, options);
    this.component = options.component ?? Transform2D;
    this.separable = options.compose === "separable";
    this.spaceFlags = maskBits(options.inherit ?? "all", tree.world.checks);
    const state = stateOf(tree.world);
    this.records = new Records2D(options.kernel ?? "auto", () => this.showColumns());
    this.storage = this.createStorage();
    state.useStorage(this.component, this.storage);
    this.componentId = state.store(this.component).id;
    this.start();
    this.followMasks();
  }

  /** Whether long runs are computed by WebAssembly. */
  get usesWasm(): boolean {
    return this.records.usesWasm;
  }

  private createStorage(): ExternalStorage {
    const rowOf = (index: number) => this.order.slotOf[index] * LOCAL;
    const bits = Object.keys(this.component.schema).map(
      (name) => UNLISTED | WRITTEN | (name === "x" || name === "y" ? 0 : TURNED),
    );
    return {
      columns: this.columns,
      followsDeath: true,
      rowOf,
      occupy: (index) => {
        const slot = this.order.slotOf[index];
        // All fields are about to be written, so a new slot is not reset first.
        this.claimBefore(slot);
        if (this.flags[slot] === NOBODY) this.setFlags(slot, this.unheldFlags);
        if (this.flags[slot] === EVERYTHING) this.flags[slot] |= HELD;
        else this.updateFlags(index, true);
        return slot * LOCAL;
      },
      vacate: (index) => {
        const slot = this.order.slotOf[index];
        // A dying entity has left its slot already.
        if (this.order.nodeAt[slot] !== index) return;
        this.resetLocal(slot);
        this.updateFlags(index, false);
        this.mark(slot, WRITTEN | TURNED);
      },
      written: (index) => this.localWritten(this.order.slotOf[index]),
      memory: () => {
        const { slotOf: slots, tail: count } = this.order;
        return {
          values: this.records.local,
          slots,
          width: LOCAL,
          count,
          marks: { bySlot: this.marked, bits },
        };
      },
      beginMarking: () => this.beginMarking(),
      endMarking: (nodes, count) => this.endMarking(nodes, count),
    };
  }

  /** Local values of a slot were written. What follows from them is computed when it is needed. */
  protected localWritten(slot: number): void {
    this.mark(slot, WRITTEN | TURNED);
  }

  /** Computes the linear part of a slot, if that was put off. */
  protected straighten(slot: number): void {
    if (slot < this.fresh) {
      if ((this.marked[slot] & TURNED) === 0) return;
      this.marked[slot] &= ~TURNED;
    }
    this.records.linear.compose(slot * LOCAL);
  }

  protected override beforePass(marked: SlotList, fresh: number): void {
    this.records.composeMarked(marked.items, marked.count, this.marked, this.order.tail);
    if (fresh < this.order.tail) this.records.composeRange(fresh, this.order.tail);
  }

  protected hasTransform(index: number): boolean {
    return stateOf(this.tree.world).archetypeAt(index)?.has[this.componentId] === 1;
  }

  /** The slot of a living entity that has a transform, or -1: the short way, by what the slots themselves say. */
  protected heldSlot(entity: Entity): number {
    const { slotOf, entityAt } = this.order;
    const slot = slotOf[entity & INDEX_MASK];
    const there = entityAt[slot];
    // 0 where the handle is wider than the array.
    if (there !== entity && (there !== 0 || !this.tree.world.isAlive(entity))) return -1;
    return this.flags[slot] & HELD ? slot : -1;
  }

  protected takenFlags(slot: number): number {
    return this.flags[slot] & TAKES;
  }

  // Masks --------------------------------------------------------------------------------------------------------------

  private followMasks(): void {
    const { world } = this.tree;
    const state = stateOf(world);
    const update = (index: number) => this.updateFlags(index, this.hasTransform(index));
    followComponent(state, InheritTransform, update);
    followComponent(state, Ghost, update);
    for (const entity of world.query(InheritTransform)) update(entity & INDEX_MASK);
    for (const entity of world.query(Ghost)) update(entity & INDEX_MASK);
  }

  /** @param held Whether the entity has a transform; one that comes or goes may still be missing or there. */
  private updateFlags(node: number, held: boolean): void {
    const slot = this.order.slotOf[node];
    if (this.order.nodeAt[slot] !== node) return;
    this.claim(slot + 1);
    const flags = this.flagsFor(node, held) | (held ? HELD : 0);
    if (this.flags[slot] === flags) return;
    this.setFlags(slot, flags);
    this.mark(slot);
  }

  /** What an entity takes over, with a transform or without. */
  protected flagsFor(node: number, held: boolean): number {
    const { world } = this.tree;
    const entity = stateOf(this.tree.world).handleAt(node);
    if (world.has(entity, Ghost)) return GHOST;
    const own = world.get(entity, InheritTransform);
    const flags = own === undefined ? this.spaceFlags : flagsOf(own);
    // The identity that stands for a missing transform passes everything through, as long as nothing is masked.
    return held || flags === EVERYTHING ? flags : GHOST;
  }

  /** What an entity without a transform and without a mask takes over. */
  private get unheldFlags(): number {
    return this.spaceFlags === EVERYTHING ? EVERYTHING : GHOST;
  }

  private setFlags(slot: number, flags: number): void {
    this.specialCount += (isSpecial(flags) ? 1 : 0) - (isSpecial(this.flags[slot]) ? 1 : 0);
    this.flags[slot] = flags;
  }

  // Flow ---------------------------------------------------------------------------------------------------------------

  protected computeRun(from: number, to: number): void {
    if (this.specialCount === 0 && !this.separable) {
      const { order } = this;
      this.records.run(order.parentSlot, order.version, order.tail, from, to);
    } else this.computeMixed(from, to);
  }

  /** The kernel from one special slot to the next. */
  private computeMixed(from: number, to: number): void {
    const { order, flags, separable } = this;
    let at = from;
    for (let slot = from; slot < to; slot++) {
      const takes = flags[slot] & TAKES;
      if (takes === EVERYTHING && !separable) continue;
      if (slot > at) this.records.run(order.parentSlot, order.version, order.tail, at, slot);
      if (takes !== NOBODY) this.computeSlot(slot);
      at = slot + 1;
    }
    if (at < to) this.records.run(order.parentSlot, order.version, order.tail, at, to);
  }

  protected computeSlot(slot: number): boolean {
    const { local, world } = this.records;
    const parent = this.order.parentSlot[slot] << 3;
    const flags = this.takenFlags(slot);
    composeRecord(local, slot * LOCAL, world, parent, world, slot << 3, flags, this.separable);
    return true;
  }

  protected remember(from: number, to: number): void {
    const length = (to - from) << 3;
    if (this.kept.length < length) this.kept = new Float32Array(Math.max(length, this.kept.length * 2));
    const { world } = this.records;
    this.keptFrom = from;
    // One slot at a time is the usual case where much moves, and a view of the array costs more than that.
    if (length === 8) for (let k = 0; k < 8; k++) this.kept[k] = world[(from << 3) + k];
    else this.kept.set(world.subarray(from << 3, to << 3));
  }

  protected differs(slot: number): boolean {
    const { world } = this.records;
    const before = (slot - this.keptFrom) << 3;
    const now = slot << 3;
    for (let k = 0; k < 6; k++) if (this.kept[before + k] !== world[now + k]) return true;
    return false;
  }

  protected growColumns(capacity: number): void {
    this.records.grow(capacity);
    const flags = new Uint8Array(capacity).fill(NOBODY);
    flags.set(this.flags);
    this.flags = flags;
  }

  /** Columns of the component: views into the records, one float apart, so that one row finds each field. */
  private showColumns(): void {
    fields.forEach((name, k) => {
      this.columns[name] = this.records.local.subarray(k);
    });
    this.storage?.onMoved?.();
  }

  protected moveColumns(from: number, to: number): void {
    this.records.move(from, to);
    this.flags[to] = this.flags[from];
    this.flags[from] = NOBODY;
  }

  protected permuteColumns(old: Int32Array, count: number): void {
    this.records.permute(old, count);
    permute(this.flags, 1, old, count);
    this.flags.fill(NOBODY, count);
  }

  protected resetSlots(from: number, to: number): void {
    const { nodeAt } = this.order;
    for (let slot = from; slot < to; slot++) {
      if (nodeAt[slot] === 0) continue;
      this.resetLocal(slot);
      // It has no transform yet.
      this.setFlags(slot, this.unheldFlags);
    }
  }

  override released(slot: number, node: number): void {
    super.released(slot, node);
    this.setFlags(slot, NOBODY);
  }

  override releasedRun(from: number, to: number): void {
    super.releasedRun(from, to);
    if (this.specialCount === 0) this.flags.fill(NOBODY, from, to);
    else for (let slot = from; slot < to; slot++) this.setFlags(slot, NOBODY);
  }

  private resetLocal(slot: number): void {
    const { local } = this.records;
    const l = slot * LOCAL;
    for (let k = 0; k < LOCAL; k++) local[l + k] = 0;
    local[l + 3] = 1;
    local[l + 4] = 1;
    local[l + 6] = 1;
    local[l + 9] = 1;
  }
}

function isSpecial(flags: number): boolean {
  return (flags & TAKES) !== EVERYTHING && flags !== NOBODY;
}
