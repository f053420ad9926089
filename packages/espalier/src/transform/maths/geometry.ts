/**
 * What makes a space one of the plane or one of three dimensions: its records, and how they are computed.
 */
import type { FlatOrder, SlotMoves } from "../../hierarchy/internal.ts";
import type { Flow, SlotNumbers } from "../../inherit/internal.ts";

/** The mark of a slot whose derived numbers are older than its fields. */
export const TURNED = 4;

/** Local and world records by slot, and the code that computes one from the other. */
export interface Geometry {
  /** The fields of the component, in the order in which a local record begins with them. */
  readonly fields: readonly string[];
  /** The local record of a new transform. Behind the fields come numbers that are derived from them, if any. */
  readonly initial: readonly number[];
  /** Numbers per world record, and how many of them are its value. */
  readonly worldWidth: number;
  readonly worldSize: number;
  /** The first field that derived numbers depend on; the number of fields where there are none. */
  readonly derivedFrom: number;
  /** How many fields a row of a batch may have. */
  readonly rowWidths: readonly number[];
  readonly usesWasm: boolean;
  /** Whether `run` computes nothing, because every slot needs `compose`. */
  readonly isSpecial: boolean;
  local: SlotNumbers;
  /** Slot 0 is the value above all roots. */
  world: SlotNumbers;

  /**
   * Writes fields first..end - 1 of a slot from `given`, by field. Returns the marks that follow: 0 when nothing changed, -1, with
   * nothing written, when a number is not finite.
   */
  write(slot: number, given: SlotNumbers, first: number, end: number): number;
  /** Computes slots from..to - 1, all of which take over everything. */
  run(order: FlatOrder, from: number, to: number): void;
  /** Computes one world record, with these flags (see `inherit-mask.ts`), from the local record at `l`. */
  compose(l: number, parent: SlotNumbers, p: number, out: SlotNumbers, o: number, flags: number): void;
  /** Brings the derived numbers of a slot up to date. */
  derive(slot: number): void;
  /** The same for all slots before `tail`. */
  deriveAll(tail: number): void;
  /** The same for all that were written since the last pass. */
  deriveWritten(flow: Flow): void;
  /** Writes rows to slots. `false`, with nothing written, when a number is not finite. */
  writeRows(slots: Int32Array, rows: SlotNumbers, width: number, tail: number): boolean;
  grow(capacity: number): void;
  move(from: number, to: number): void;
  permute(moves: SlotMoves): void;
}
