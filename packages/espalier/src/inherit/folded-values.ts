/**
 * Values that a kernel pair computes: sums and products of one field along the way down.
 *
 * The own numbers are copied into slot order when they are written, so that a pass reads nothing but arrays. An entity
 * without the component, or with the ghost tag, has the neutral number.
 */
import type { Schema } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { SlotMoves } from "../hierarchy/internal.ts";
import { InvalidInheritedError } from "./errors.ts";
import { Flow, NEW, WRITTEN } from "./flow.ts";
import { createFoldKernel, neutralOf } from "./fold-kernel.ts";
import type { FoldingCombine, InheritedDefinition, InheritedValues } from "./inherited-values.ts";
import { type KernelChoice, SlotKernel } from "./kernel.ts";
import { OwnValues } from "./own-values.ts";

export class FoldedValues<S extends Schema> implements InheritedValues<number> {
  readonly flow: Flow<Float64Array>;
  readonly freshMarks = NEW | WRITTEN;
  readonly width = 1;
  readonly size = 1;
  readonly scratch = new Float64Array(2);
  private readonly kernel: SlotKernel<ReturnType<typeof createFoldKernel>["columns"]>;
  private readonly combine: FoldingCombine;
  private readonly initial: number;
  private readonly neutral: number;
  private readonly own: OwnValues<S>;

  constructor(
    tree: Hierarchy,
    definition: InheritedDefinition<S, number> & { readonly combine: FoldingCombine },
    choice: KernelChoice,
  ) {
    const { combine } = definition;
    this.flow = new Flow(tree, this);
    this.combine = combine;
    this.initial = definition.initial;
    this.neutral = neutralOf(combine.fold);
    this.own = new OwnValues(this.flow.ecs, definition.component);
    this.kernel = new SlotKernel(createFoldKernel(combine.fold), choice, () => {
      return new InvalidInheritedError(
        `Cannot use kernel: "wasm" for ${definition.name}: WebAssembly is missing here. Use "auto", which falls back to JavaScript.`,
        { subject: definition.name, option: "kernel", value: "wasm" },
      );
    });
  }

  get usesWasm(): boolean {
    return this.kernel.usesWasm;
  }

  get rows(): Float64Array {
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
    const own = this.own.at(node) as { readonly [field: string]: number } | undefined;
    return own === undefined ? this.neutral : own[this.combine.field];
  }

  // FlowValues -----------------------------------------------------------------------------------------------------------

  compose(slot: number, parent: Float64Array, p: number, out: Float64Array, o: number): void {
    const own = this.kernel.memory.arrays.own[slot];
    out[o] = this.combine.fold === "sum" ? parent[p] + own : parent[p] * own;
  }

  computeRun(from: number, to: number): void {
    this.kernel.run(this.flow.order, from, to);
  }

  beforeSync(): void {
    if (this.kernel.canStart && this.flow.canReplace) this.grow(this.flow.order.nodeAt.length);
  }

  async loadKernel(): Promise<void> {
    await this.kernel.load();
    this.beforeSync();
  }

  grow(capacity: number): void {
    this.kernel.resize(capacity);
    this.rows[0] = this.initial;
  }

  move(from: number, to: number, results: boolean): void {
    this.kernel.move(from, to, results);
  }

  permute(moves: SlotMoves, results: boolean): void {
    this.kernel.permute(moves, results);
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
