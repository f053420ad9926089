/**
 * Values that the user's `combine` computes. Numbers are kept in a typed array, everything else in a plain one.
 */
import type { Schema } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { SlotMoves } from "../hierarchy/internal.ts";
import { Flow, NEW, WRITTEN } from "./flow.ts";
import type { InheritedDefinition, InheritedValues } from "./inherited-values.ts";
import { OwnValues } from "./own-values.ts";

export class CombinedValues<S extends Schema, Value> implements InheritedValues<Value> {
  readonly flow: Flow<Value[]>;
  readonly freshMarks = NEW | WRITTEN;
  readonly usesWasm = false;
  readonly width = 1;
  readonly size = 1;
  rows: Value[];
  readonly scratch: Value[] = [];
  private readonly definition: InheritedDefinition<S, Value>;
  private readonly own: OwnValues<S>;
  /** Objects must not be kept longer than their entities. */
  readonly release: ((slot: number) => void) | undefined;

  constructor(tree: Hierarchy, definition: InheritedDefinition<S, Value>) {
    this.flow = new Flow(tree, this);
    this.definition = definition;
    this.own = new OwnValues(this.flow.ecs, definition.component);
    const kind = typeof definition.initial;
    this.rows = kind === "number" ? numbers(0) : [definition.initial];
    const isPlain = kind === "number" || kind === "boolean" || kind === "string";
    this.release = isPlain ? undefined : (slot) => this.reset(slot, slot + 1);
  }

  written(index: number): void {
    this.flow.mark(this.flow.order.slotOf[index]);
  }

  touchAll(): void {
    this.flow.isStale = true;
  }

  private combined(parent: Value, slot: number): Value {
    const own = this.own.at(this.flow.order.nodeAt[slot]);
    return own === undefined ? parent : this.definition.combine(parent, own);
  }

  // FlowValues -----------------------------------------------------------------------------------------------------------

  compose(slot: number, parent: Value[], p: number, out: Value[], o: number): void {
    out[o] = this.combined(parent[p], slot);
  }

  computeRun(from: number, to: number): void {
    const { rows } = this;
    const { equals } = this.definition;
    const { nodeAt, parentSlot } = this.flow.order;
    for (let slot = from; slot < to; slot++) {
      if (nodeAt[slot] === 0) continue;
      const value = this.combined(rows[parentSlot[slot]], slot);
      // An equal object is not replaced, so that comparing before and after is comparing identities.
      if (equals === undefined || !equals(rows[slot], value)) rows[slot] = value;
    }
  }

  grow(capacity: number): void {
    const before: unknown = this.rows;
    if (!(before instanceof Float64Array)) return;
    this.rows = numbers(capacity);
    (this.rows as never as Float64Array).set(before.subarray(0, capacity));
    this.rows[0] = this.definition.initial;
  }

  move(from: number, to: number): void {
    this.rows[to] = this.rows[from];
    this.release?.(from);
  }

  permute(moves: SlotMoves): void {
    const { rows } = this;
    if (moves.runs !== undefined) closeHoles(rows, moves.runs);
    else {
      const before = rows.slice();
      for (let slot = 1; slot < moves.count; slot++) rows[slot] = before[moves.old[slot]];
    }
    if (this.release !== undefined) this.reset(moves.count, moves.tail);
  }

  reset(from: number, to: number): void {
    const rows: unknown = this.rows;
    const { initial } = this.definition;
    if (rows instanceof Float64Array) rows.fill(initial as number, from, to);
    else for (let slot = from; slot < to; slot++) this.rows[slot] = initial;
  }
}

/** Only holes went: each run moves to the front. */
function closeHoles(rows: unknown[], runs: Int32Array): void {
  for (let k = 0; k < runs.length; k += 3) {
    const from = runs[k + 1];
    for (let to = runs[k], by = from - to, end = to + runs[k + 2]; to < end; to++) rows[to] = rows[to + by];
  }
}

/** A typed array that takes numbers like a plain one. */
function numbers<Value>(length: number): Value[] {
  return new Float64Array(length) as never;
}
