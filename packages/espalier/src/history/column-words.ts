/**
 * Columns as they lie in memory, and back from a tape.
 */
import { type Column, type Field, isPacked, type RawValues, type Store } from "../ecs/index.ts";
import type { Tape } from "./tape.ts";

export type NumberColumn = Exclude<Column, unknown[]>;

/** The fields of a component that hold numbers. */
export function packedNames(store: Store): string[] {
  return store.names.filter((_, k) => isPacked((store.fields[k] as Field).kind));
}

/** The first values of a column as words. */
export function wordsOf(column: NumberColumn, values: number): Int32Array {
  // The memory of a column ends with a whole word.
  const words = Math.ceil((column.BYTES_PER_ELEMENT * values) / 4);
  return new Int32Array(column.buffer, column.byteOffset, words);
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

/** How many numbers the values of all places take, for components that hold nothing but numbers by entity index. */
export function sizeOfColumns(stores: readonly Store[], places: number): number {
  return columnsOf(stores).reduce((sum, column) => sum + slotsOf(column, places), 0);
}

/** How many places all columns of such components have. */
export function lengthOfColumns(stores: readonly Store[]): number {
  return columnsOf(stores).reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY);
}

/** Puts them on a tape that has room. */
export function putColumns(tape: Tape, stores: readonly Store[], places: number): void {
  for (const column of columnsOf(stores)) {
    tape.words.set(wordsOf(column, places), tape.count * 2);
    tape.count += slotsOf(column, places);
  }
}

/** Gives them back, entity by entity. */
export class ColumnValues implements RawValues {
  private readonly copies = new Map<Store, NumberColumn[]>();

  constructor(tape: Tape, start: number, stores: readonly Store[], places: number) {
    let at = start;
    for (const store of stores) {
      const copies = columnsOf([store]).map((column) => {
        const from = at;
        at += slotsOf(column, places);
        return valuesOf(column, tape.numbers, from, places);
      });
      this.copies.set(store, copies);
    }
  }

  load(store: Store, row: number): void {
    const copies = this.copies.get(store) as NumberColumn[];
    for (let k = 0; k < copies.length; k++) {
      const column = store.columns[store.names[k] as string] as NumberColumn;
      column[row] = copies[k]?.[row] as number;
    }
  }
}

function columnsOf(stores: readonly Store[]): NumberColumn[] {
  return stores.flatMap((store) => store.names.map((name) => store.columns[name] as NumberColumn));
}
