/**
 * Values that the user's `combine` computes. Numbers are kept in a typed array, everything else in a plain one.
 */
import type { Schema, ValueOf } from "../ecs/index.ts";
import { createLastingView, type View } from "../ecs/internal.ts";
import { Ghost } from "../hierarchy/index.ts";
import type { SlotMoves } from "../hierarchy/internal.ts";
import { type CombineLoop, createCombineLoop, type Step } from "./combine-loop.ts";
import { Flow, NEW, WRITTEN } from "./flow.ts";
import type { InheritedValues, ValueSource } from "./inherited-values.ts";
import { permute } from "./permute.ts";
import { parentSlotNow, staleWay } from "./stale-way.ts";

export class CombinedValues<S extends Schema, Value> implements InheritedValues<Value> {
  readonly flow: Flow;
  readonly freshMarks = NEW | WRITTEN;
  readonly usesWasm = false;
  private readonly step: Step<S, Value>;
  private readonly loop: CombineLoop<Value>;
  private values: Float64Array | Value[];
  /** Copies of the values of one run; grows to the longest. */
  private kept: Float64Array | Value[];
  private keptFrom = 0;
  private readonly way: number[] = [];
  /** Whether values may be objects, which must not be kept longer than their entities. */
  private readonly holdsObjects: boolean;

  constructor({ tree, definition }: ValueSource<S, Value>) {
    this.flow = new Flow(tree, this);
    const state = this.flow.ecs;
    const store = state.store(definition.component);
    this.step = {
      state,
      componentId: store.id,
      ghostId: state.store(Ghost).id,
      own: createLastingView(state, store) as View & Readonly<ValueOf<S>>,
      initial: definition.initial,
      combine: definition.combine,
      equals: definition.equals,
    };
    this.loop = createCombineLoop(this.step);
    const isNumber = typeof definition.initial === "number";
    this.values = isNumber ? new Float64Array(0) : [];
    this.kept = isNumber ? new Float64Array(0) : [];
    this.holdsObjects = !["number", "boolean", "string"].includes(typeof definition.initial);
  }

  get column(): ArrayLike<Value> {
    return this.values as ArrayLike<Value>;
  }

  written(index: number): void {
    this.flow.mark(this.flow.order.slotOf[index]);
  }

  touchAll(): void {
    this.flow.isStale = true;
  }

  read(node: number): Value {
    const { flow, way, values } = this;
    const { slotOf, nodeAt } = flow.order;
    const length = staleWay(flow, node, way);
    if (length === 0) return values[slotOf[node]] as Value;
    const above = parentSlotNow(flow, way[length - 1]);
    let value = above === 0 ? this.step.initial : (values[above] as Value);
    for (let k = length - 1; k >= 0; k--) value = this.combined(value, nodeAt[way[k]]);
    return value;
  }

  private combined(parent: Value, node: number): Value {
    const { state, componentId, ghostId, own, combine } = this.step;
    const has = state.archetypeAt(node)?.has;
    if (has === undefined || has[componentId] !== 1 || has[ghostId] === 1) return parent;
    own.index$ = node;
    return combine(parent, own);
  }

  // FlowValues -----------------------------------------------------------------------------------------------------------

  computeRun(from: number, to: number): void {
    const { nodeAt, parentSlot } = this.flow.order;
    this.loop(this.values as Value[], nodeAt, parentSlot, from, to);
  }

  computeSlot(slot: number): boolean {
    const before = this.values[slot];
    this.computeRun(slot, slot + 1);
    return !Object.is(before, this.values[slot]);
  }

  remember(from: number, to: number): void {
    this.keptFrom = from;
    if (this.kept instanceof Float64Array && this.kept.length < to - from)
      this.kept = new Float64Array(Math.max(to - from, this.kept.length * 2));
    for (let slot = from; slot < to; slot++) this.kept[slot - from] = this.values[slot] as never;
  }

  differs(slot: number): boolean {
    return !Object.is(this.kept[slot - this.keptFrom], this.values[slot]);
  }

  grow(capacity: number): void {
    if (!(this.values instanceof Float64Array)) return;
    const values = new Float64Array(capacity);
    values.set(this.values);
    this.values = values;
  }

  move(from: number, to: number): void {
    this.values[to] = this.values[from] as never;
    this.release(from);
  }

  permute(moves: SlotMoves): void {
    if (this.values instanceof Float64Array) {
      permute(this.values, 1, moves);
      return;
    }
    const { values } = this;
    const { old, count, tail } = moves;
    // In order nothing is overwritten before it is read.
    const before = moves.inOrder ? values : values.slice();
    for (let slot = 1; slot < count; slot++) values[slot] = before[old[slot]];
    for (let slot = count; slot < tail; slot++) this.release(slot);
  }

  reset(from: number, to: number): void {
    const { initial } = this.step;
    if (this.values instanceof Float64Array) this.values.fill(initial as number, from, to);
    else for (let slot = from; slot < to; slot++) this.values[slot] = initial;
  }

  /** Lets objects be collected. */
  release(slot: number): void {
    if (this.holdsObjects) this.values[slot] = this.step.initial as never;
  }
}
