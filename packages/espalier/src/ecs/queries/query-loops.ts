/**
 * The code that the passes of one query run: plain at first, generated once that pays, and made anew when what it relies on moved.
 */
import type { Store } from "../components/store.ts";
import { createReader, createView } from "../components/view.ts";
import type { View } from "../components/view-prototype.ts";
import type { WorldState } from "../state.ts";
import { createFlatLoop, createLoop, type FlatLoop, type Loop } from "./loop.ts";
import type { Viewed } from "./split-terms.ts";
import { type ComputedMemory, type ComputedTerm, isComputed } from "./terms.ts";

/** After this many passes, or for this many entities, a query gets loops of its own; before, they would cost more than they save. */
const PASSES_BEFORE_GENERATING = 4;
const ENTITIES_TO_GENERATE = 500;

export class QueryLoops {
  /** Those of the views that are of components. */
  readonly stores: readonly Store[];
  private readonly state: WorldState;
  private readonly viewed: readonly Viewed[];
  private readonly filtered: boolean;
  private readonly computed: readonly ComputedTerm[];
  private passCount = 0;
  /** Whether loops are generated, and for which columns and arrays. */
  private isGenerated = false;
  private resized = 0;
  private readonly memories: (ComputedMemory | undefined)[] = [];
  // By how many passes of the query run inside each other, because each of these needs views of its own, and by kind.
  private loops: Loop[] = [];
  private flatLoops: FlatLoop[] = [];

  /** @param filtered Whether terms must be evaluated per entity. */
  constructor(state: WorldState, viewed: readonly Viewed[], filtered: boolean) {
    this.state = state;
    this.viewed = viewed;
    this.filtered = filtered;
    const of = viewed.map((each) => each.of);
    this.stores = of.filter((each) => !isComputed(each)) as Store[];
    this.computed = of.filter(isComputed);
  }

  /** A pass over these lists begins. Passes under way keep the loops they began with. */
  prepare(lists: readonly { readonly count: number }[]): void {
    const { stores } = this;
    const generate = this.isGenerated || (this.state.generates && this.doesPay(lists));
    let resized = 0;
    for (let k = 0; k < stores.length; k++) resized += (stores[k] as Store).resized;
    const isMoved = this.refreshComputed();
    if (this.isGenerated === generate && this.resized === resized && !isMoved) return;
    this.isGenerated = generate;
    this.resized = resized;
    this.loops = [];
    this.flatLoops = [];
  }

  private doesPay(lists: readonly { readonly count: number }[]): boolean {
    return ++this.passCount > PASSES_BEFORE_GENERATING || countOf(lists) >= ENTITIES_TO_GENERATE;
  }

  /**
   * The loop of `each`, which gives entities, and that of `update` where terms must be evaluated per entity or views may be missing.
   *
   * @param isCopied Whether a copy of the columns stands for what it writes, so that views write without recording.
   */
  ofPass(depth: number, entities: boolean, isCopied: boolean, hasArgument: boolean): Loop {
    const at = depth * 8 + (hasArgument ? 4 : 0) + (entities ? 2 : 0) + (isCopied ? 1 : 0);
    this.loops[at] ??= createLoop(
      this.makeViews(isCopied, entities),
      { viewed: this.viewed, filtered: this.filtered, entities, hasArgument },
      this.state,
      this.isGenerated,
    );
    return this.loops[at] as Loop;
  }

  /** The loop of `update` over a flat list. */
  ofList(depth: number, isCopied: boolean, hasArgument: boolean, list: Int32Array): FlatLoop {
    const at = depth * 4 + (hasArgument ? 2 : 0) + (isCopied ? 1 : 0);
    this.flatLoops[at] ??= createFlatLoop(
      this.makeViews(isCopied, false),
      list,
      hasArgument,
      this.isGenerated,
    );
    return this.flatLoops[at] as FlatLoop;
  }

  /** The flat list is another array now. */
  listReplaced(): void {
    this.flatLoops = [];
  }

  /** Brings computed values up to date. `true` when they are in other arrays. */
  private refreshComputed(): boolean {
    const { computed, memories } = this;
    let isMoved = false;
    for (let k = 0; k < computed.length; k++) {
      const term = computed[k] as ComputedTerm;
      term.refresh();
      const memory = term.memory?.();
      if (memory === memories[k]) continue;
      memories[k] = memory;
      isMoved = true;
    }
    return isMoved;
  }

  /** @param lasting Whether columns may move while they are in use: a callback of `each` may create entities. */
  private makeViews(free: boolean, lasting: boolean): View[] {
    const { state, isGenerated } = this;
    return this.viewed.map(({ of, resolve }) => {
      if (isComputed(of)) return createReader(state, of, isGenerated, lasting);
      // What a view writes elsewhere than at the match, no loop lists as marked.
      return createView(state, of, isGenerated, { free, lasting: lasting || resolve !== undefined });
    });
  }
}

/** How many entities are in the lists together. */
export function countOf(lists: readonly { readonly count: number }[]): number {
  return lists.reduce((sum, { count }) => sum + count, 0);
}
