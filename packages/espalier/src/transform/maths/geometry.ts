/**
 * What makes a space one of the plane or one of three dimensions: its records, and how they are computed.
 */
import type { KernelExports, KernelPair, SlotNumbers } from "../../inherit/internal.ts";

/** The mark of a slot whose derived numbers are older than its fields. */
export const TURNED = 4;

/** Local and world records by slot. */
export type Columns = {
  readonly [name in "local" | "world"]: {
    readonly type: "f32" | "f64";
    readonly width: number;
    readonly spare?: number;
  };
};

/** What local and world records are, and the code that computes one from the other. */
export interface Geometry {
  /** The fields of the component, in the order in which a local record begins with them. */
  readonly fields: readonly string[];
  /** The local record of a new transform. Behind the fields come numbers that are derived from them, if any. */
  readonly initial: readonly number[];
  /** The world record above all roots, and how many of its numbers are its value. */
  readonly root: readonly number[];
  readonly worldSize: number;
  /** How many fields a row of a batch may have. */
  readonly rowWidths: readonly number[];
  /** Whether every slot needs `compose`, so that the kernel computes nothing. */
  readonly isSpecial: boolean;
  /** Computes slots that take over everything. */
  readonly pair: KernelPair<Columns>;
  readonly derived?: DerivedNumbers;
  /** Copies the values of all fields to `given`, by field. By name, because finding each by a text takes ten times as long. */
  give(values: object, given: SlotNumbers): void;
  /**
   * Writes fields first..end - 1 of the record at `l` from `given`, by field. Returns the marks that follow: 0 when nothing
   * changed, -1, with nothing written, when a number is not finite.
   */
  write(local: SlotNumbers, l: number, given: SlotNumbers, first: number, end: number): number;
  /** Computes one world record, with these flags (see `inherit-mask.ts`), from the local record at `l`. */
  compose(
    local: SlotNumbers,
    l: number,
    parent: SlotNumbers,
    p: number,
    out: SlotNumbers,
    o: number,
    flags: number,
  ): void;
}

/** Numbers of local records that follow from the fields, and that a pass needs. */
export interface DerivedNumbers {
  /** The first field that they depend on. */
  readonly from: number;
  /** Computes those of the record at `l`. */
  compute(local: SlotNumbers, l: number): void;
  /** The same for slots from..to - 1. */
  computeRange(local: SlotNumbers, from: number, to: number, exports: KernelExports | undefined): void;
}
