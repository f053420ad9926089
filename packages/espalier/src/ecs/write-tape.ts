/**
 * The short way from a write to whoever records it: the old number goes straight on its tape, without a call. Passing it
 * to a function that V8 does not inline would put every number into a box of its own.
 */
import type { Entity } from "./entity.ts";

/** Where a recorder writes, as far as generated code has to know. */
export interface WriteTape {
  numbers: Float64Array;
  /** How many of `numbers` are in use. */
  count: number;
  /** Makes sure that `size` numbers fit behind `count`; may move `numbers` and `count`. */
  reserve(size: number): void;
}

/** One that also keeps strings and objects. */
export interface ValueTape extends WriteTape {
  readonly references: unknown[];
}

/** The part of a recorder that hears of writes. */
export interface WriteRecorder {
  /** See `Recorder.tape`. */
  readonly tape?: WriteTape;
  writing(entity: Entity, index: number, store: object, field: number, before: unknown): void;
}

/** Writes some fields of a component, tells the recorder before of each that changes, and says whether one did. */
export type Change = (
  row: number,
  values: object,
  recorder: WriteRecorder | undefined,
  entity: Entity,
  index: number,
) => boolean;

/** A head holds the kind of the record and up to two small numbers. */
export const KINDS = 32;
/** Components per world and fields per component that a head can tell apart. */
export const FIELDS = 2 ** 16;
/** The kind of: value before, entity, head with component and field. */
export const WROTE = 6;

/** The head of a write to field number `field` of a component. */
export function writeHead(component: number, field: number): number {
  return WROTE + KINDS * (FIELDS * component + field);
}

/** Records that a number is about to be overwritten; a part of generated code. */
export const PUT_WRITE = `const put = (t, b, e, h) => {
  let at = t.count;
  if (at + 3 > t.numbers.length) { t.reserve(3); at = t.count; }
  const m = t.numbers;
  m[at] = b; m[at + 1] = e; m[at + 2] = h;
  t.count = at + 3;
};`;
