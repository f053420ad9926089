/**
 * What a `Flow` computes: the contract between the propagation and the values it keeps up to date.
 */

import type { SlotMoves } from "../hierarchy/internal.ts";

/** Values one behind the other. */
export type Rows = { [at: number]: unknown; readonly length: number };

/** Values by slot. The flow says when to compute which, and follows the flat order for them. */
export interface FlowValues<R extends Rows = Rows> {
  /** The marks of a slot that is new when it has to be marked. */
  readonly freshMarks: number;
  /** The values: that of a slot begins at `rows[slot * width]`. Slot 0 has the value above all roots. */
  readonly rows: R;
  readonly width: number;
  /** How many of these `width` are compared to find out whether a value changed. */
  readonly size: number;
  /** Room for two values, for single reads. */
  readonly scratch: R;
  /** Computes slots from..to - 1 in order; the values of all parents are right when their turn comes. */
  computeRun(from: number, to: number): void;
  /** Computes the value of a slot from its parent's, at `parent[p]`, into `out[o]`. Marks may be older than the last pass. */
  compose(slot: number, parent: R, p: number, out: R, o: number): void;
  /** Slots go up to this number now. */
  grow(capacity: number): void;
  /** What belonged to slot `from` belongs to slot `to` now; with `results` false all but the computed values. */
  move(from: number, to: number, results: boolean): void;
  /** The same for all slots. */
  permute(moves: SlotMoves, results: boolean): void;
  /** Gives slots from..to - 1 what new entities start with. */
  reset(from: number, to: number): void;
  /** The entity of the slot dies. */
  readonly release?: ((slot: number) => void) | undefined;
  /** A pass begins. Values may get other arrays now, if no loop holds them. */
  beforeSync?(): void;
  /** A pass is about to compute something; nothing moves from here until its end. */
  beforePass?(): void;
}
