/**
 * The code that the passes of one query run: plain at first, generated once that pays, and made anew when what it relies on moved.
 */
import type { Store } from "../components/store.ts";
import { createReader, createView } from "../components/view.ts";
import type { View } from "../components/view-prototype.ts";
import type { WorldState } from "../state.ts";
import { createFlatLoop, createLoop, type FlatLoop, type Loop } from "./loop.ts";
import { type ComputedMemory, type ComputedTerm, isComputed } from "./terms.ts";

/** After this many passes, or for this many entities, a query gets loops of its own; before, they would cost more than they save. */
const PASSES_BEFORE_GENERATING = 4;
const ENTITIES_TO_GENERATE = 500;

/** Loops, each list by how many passes of the query run inside each other: each of these needs views of its own. */
class LoopSet {
  entity: Loop[] = [];
  value: Loop[] = [];
  flat: FlatLoop[] = [];
}

/** What callbacks of a query are given. */
export interface ViewedTerms {
  readonly of: readonly (Store | ComputedTerm)[];
  readonly optional: readonly boolean[];
  /** For each view the way to the entity it stands at; nothing where that is the match itself. */
  readonly resolvers: readonly (((index: number) => number) | undefined)[];
  /** Whether terms must be asked per entity. */
  readonly filtered: boolean;
}

export class QueryLoops {
  private readonly state: WorldState;
  private readonly viewed: ViewedTerms;
  private readonly stores: readonly Store[];
  private readonly computed: readonly ComputedTerm[];
  private passCount = 0;
  /** Whether loops are generated, and for which columns and arrays. */
  private isGenerated = false;
  private resized = 0;
  private readonly memories: (ComputedMemory | undefined)[] = [];
  private guarded = new LoopSet();
  /** With views that write without recording, for passes before which columns are copied. */
  private free = new LoopSet();

  constructor(state: WorldState, viewed: ViewedTerms) {
    this.state = state;
    this.viewed = viewed;
    this.stores = viewed.of.filter((each) => !isComputed(each)) as Store[];
    this.computed = viewed.of.filter(isComputed);
  }

  /** A pass over these lists begins, and no other of this query is under way. */
  prepare(lists: readonly { readonly count: number }[]): void {
    const { stores } = this;
    const generate = this.isGenerated || (this.state.generates && this.doesPay(lists));
    let resized = 0;
    for (let k = 0; k < stores.length; k++) resized += (stores[k] as Store).resized;
    const isMoved = this.refreshComputed();
    if (this.isGenerated === generate && this.resized === resized && !isMoved) return;
    this.isGenerated = generate;
    this.resized = resized;
    this.guarded = new LoopSet();
    this.free = new LoopSet();
  }

  private doesPay(lists: readonly { readonly count: number }[]): boolean {
    return ++this.passCount > PASSES_BEFORE_GENERATING || countOf(lists) >= ENTITIES_TO_GENERATE;
  }

  /** The loop of `each`. `isCopied`: a copy of the columns stands for what it writes. */
  ofEntities(depth: number, isCopied: boolean): Loop {
    const { entity } = isCopied ? this.free : this.guarded;
    entity[depth] ??= this.makeLoop(isCopied, true);
    return entity[depth] as Loop;
  }

  /** The loop of `update` where terms must be asked per entity, or views may be missing. */
  ofValues(depth: number): Loop {
    const { value } = this.guarded;
    value[depth] ??= this.makeLoop(false, false);
    return value[depth] as Loop;
  }

  /** The loop of `update` over a flat list. */
  ofList(depth: number, isCopied: boolean, list: Int32Array): FlatLoop {
    const { flat } = isCopied ? this.free : this.guarded;
    flat[depth] ??= createFlatLoop(this.makeViews(isCopied, false), list, this.isGenerated);
    return flat[depth] as FlatLoop;
  }

  /** The flat list is another array now. */
  listReplaced(): void {
    this.guarded.flat = [];
    this.free.flat = [];
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
    const { state, isGenerated, viewed } = this;
    return viewed.of.map((each, k) => {
      if (isComputed(each)) return createReader(state, each, isGenerated, lasting);
      // What a view writes elsewhere than at the match, no loop lists as marked.
      const isLasting = lasting || viewed.resolvers[k] !== undefined;
      return createView(state, each, isGenerated, { free, lasting: isLasting });
    });
  }

  private makeLoop(free: boolean, entities: boolean): Loop {
    const { optional, resolvers, filtered } = this.viewed;
    const views = this.makeViews(free, entities);
    return createLoop({ views, optional, resolvers, filtered, entities }, this.state, this.isGenerated);
  }
}

/** How many entities are in the lists together. */
export function countOf(lists: readonly { readonly count: number }[]): number {
  return lists.reduce((sum, { count }) => sum + count, 0);
}
