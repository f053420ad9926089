/**
 * What a `Flow` computes: the contract between the propagation and the values it keeps up to date.
 */

import type { SlotMoves } from "../hierarchy/internal.ts";

/** Values by slot. The flow says when to compute which, and follows the flat order for them. */
export interface FlowValues {
  /** The marks of a slot that is new when it has to be marked. */
  readonly freshMarks: number;
  /** Computes slots from..to - 1 in order; the values of all parents are right when their turn comes. */
  computeRun(from: number, to: number): void;
  /** Computes one slot from its parent's. `false` when that surely changed nothing, so that nothing below it changes either. */
  computeSlot(slot: number): boolean;
  /** Copies the values of slots from..to - 1, to find out which of them change. */
  remember(from: number, to: number): void;
  /** Whether the value of `slot` differs from the copy. */
  differs(slot: number): boolean;
  /** Slots go up to this number now. */
  grow(capacity: number): void;
  /** The value of slot `from` belongs to slot `to` now. */
  move(from: number, to: number): void;
  permute(moves: SlotMoves): void;
  /** Gives slots from..to - 1 what new entities start with. */
  reset(from: number, to: number): void;
  /** The entity of the slot dies. */
  release?(slot: number): void;
  /** A pass is about to compute something; nothing moves from here until its end. */
  beforePass?(): void;
}
