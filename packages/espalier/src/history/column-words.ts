/**
 * Columns as they lie in memory, and back from a tape.
 */
import { type Column, type Field, isPacked, type Store } from "../ecs/index.ts";

export type NumberColumn = Exclude<Column, unknown[]>;

/** The fields of a component that hold numbers. */
export function packedNames(store: Store): string[] {
  return store.names.filter((_, k) => isPacked((store.fields[k] as Field).kind));
}

/** A range of places. It begins where a word of memory does in every column. */
export interface Range {
  readonly first: number;
  readonly length: number;
}

/** The range from the lowest to the highest of these. */
export function rangeOf(lowest: number, highest: number): Range {
  const first = lowest & ~7;
  return { first, length: Math.max(0, highest + 1 - first) };
}

/** Values of a column as words. */
export function wordsOf(column: NumberColumn, { first, length }: Range): Int32Array {
  const { BYTES_PER_ELEMENT: bytes } = column;
  // The memory of a column ends with a whole word.
  return new Int32Array(column.buffer, column.byteOffset + first * bytes, Math.ceil((bytes * length) / 4));
}

/** How many numbers of a tape so many values take. */
export function slotsOf({ BYTES_PER_ELEMENT }: NumberColumn, values: number): number {
  return Math.ceil((BYTES_PER_ELEMENT * values) / 8);
}

/** Values that stand on a tape from number `at` on, in an array like another one. */
export function valuesOf<T extends NumberColumn>(
  like: T,
  numbers: Float64Array,
  at: number,
  length: number,
): T {
  const Values = like.constructor as new (buffer: ArrayBufferLike, from: number, length: number) => T;
  return new Values(numbers.buffer, numbers.byteOffset + at * 8, length);
}
