/**
 * Values that a kernel pair computes: sums and products of one field along the way down.
 *
 * The own numbers are copied into slot order when they are written, so that a pass reads nothing but arrays. An entity
 * without the component, or with the ghost tag, has the neutral number.
 */
import type { Schema, ValueOf } from "../ecs/index.ts";
import { createLastingView, type View } from "../ecs/internal.ts";
import { Ghost } from "../hierarchy/index.ts";
import type { SlotMoves } from "../hierarchy/internal.ts";
import { InvalidInheritedError } from "./errors.ts";
import { Flow, NEW, WRITTEN } from "./flow.ts";
import { createFoldKernel, neutralOf } from "./fold-kernel.ts";
import type { FoldingCombine, InheritedValues, ValueSource } from "./inherited-values.ts";
import { type KernelChoice, SlotKernel } from "./kernel.ts";
import { parentSlotNow, staleWay } from "./stale-way.ts";

export class FoldedValues<S extends Schema> implements InheritedValues<number> {
  readonly flow: Flow;
  readonly freshMarks = NEW | WRITTEN;
  private readonly kernel: SlotKernel<ReturnType<typeof createFoldKernel>["columns"]>;
  private readonly combine: FoldingCombine;
  private readonly initial: number;
  private readonly neutral: number;
  private readonly view: View & { readonly [field: string]: number };
  private readonly has: (node: number) => boolean;
  private kept = new Float64Array(0);
  private keptFrom = 0;
  private readonly way: number[] = [];

  constructor({ tree, definition }: ValueSource<S, number>, combine: FoldingCombine, choice: KernelChoice) {
    this.flow = new Flow(tree, this);
    const state = this.flow.ecs;
    this.combine = combine;
    this.initial = definition.initial;
    this.neutral = neutralOf(combine.fold);
    const store = state.store(definition.component);
    const ghost = state.store(Ghost);
    this.view = createLastingView(state, store) as View & Readonly<ValueOf<S>> as never;
    this.has = (node) => state.hasAt(node, store) && !state.hasAt(node, ghost);
    this.kernel = new SlotKernel(createFoldKernel(combine.fold), choice, () => {
      return new InvalidInheritedError(
        `Cannot use kernel: "wasm" for ${definition.name}: WebAssembly is missing here. Use "auto", which falls back to JavaScript.`,
      );
    });
  }

  get usesWasm(): boolean {
    return this.kernel.usesWasm;
  }

  get column(): Float64Array {
    return this.kernel.memory.arrays.value;
  }

  written(node: number): void {
    const { flow } = this;
    const slot = flow.order.slotOf[node];
    // A node that is leaving has no slot any more.
    if (flow.order.nodeAt[slot] !== node) return;
    flow.claim(slot + 1);
    this.kernel.memory.arrays.own[slot] = this.ownOf(node);
    flow.mark(slot);
  }

  touchAll(): void {
    const { own } = this.kernel.memory.arrays;
    const { nodeAt, tail } = this.flow.order;
    for (let slot = 1; slot < tail; slot++) if (nodeAt[slot] !== 0) own[slot] = this.ownOf(nodeAt[slot]);
    this.flow.isStale = true;
  }

  private ownOf(node: number): number {
    if (!this.has(node)) return this.neutral;
    this.view.index$ = node;
    return this.view[this.combine.field];
  }

  read(node: number): number {
    const { flow, way } = this;
    const { own, value } = this.kernel.memory.arrays;
    const length = staleWay(flow, node, way);
    if (length === 0) return value[flow.order.slotOf[node]];
    let result = value[parentSlotNow(flow, way[length - 1])];
    for (let k = length - 1; k >= 0; k--) {
      result = this.combine.fold === "sum" ? result + own[way[k]] : result * own[way[k]];
    }
    return result;
  }

  // FlowValues -----------------------------------------------------------------------------------------------------------

  computeRun(from: number, to: number): void {
    this.kernel.run(this.flow.order, from, to);
  }

  computeSlot(slot: number): boolean {
    const { value } = this.kernel.memory.arrays;
    const before = value[slot];
    this.kernel.run(this.flow.order, slot, slot + 1);
    return !Object.is(before, value[slot]);
  }

  remember(from: number, to: number): void {
    this.keptFrom = from;
    if (this.kept.length < to - from) this.kept = new Float64Array(Math.max(to - from, this.kept.length * 2));
    this.kept.set(this.column.subarray(from, to));
  }

  differs(slot: number): boolean {
    return !Object.is(this.kept[slot - this.keptFrom], this.column[slot]);
  }

  grow(capacity: number): void {
    this.kernel.resize(capacity);
    this.column[0] = this.initial;
  }

  move(from: number, to: number): void {
    this.kernel.memory.move(from, to);
  }

  permute(moves: SlotMoves): void {
    this.kernel.memory.permute(moves);
  }

  /** New slots have the number of their entity at once: components may be there before the slots are claimed. */
  reset(from: number, to: number): void {
    const { own, value } = this.kernel.memory.arrays;
    const { nodeAt } = this.flow.order;
    for (let slot = from; slot < to; slot++) {
      own[slot] = nodeAt[slot] === 0 ? this.neutral : this.ownOf(nodeAt[slot]);
      value[slot] = this.initial;
    }
  }
}
