/**
 * Which fields of which rows were written, by component: bits by entity index, kept from read to read so that the cost of a
 * read depends on the
 * changes and not on the size of the world.
 */
import type { Column } from "../../ecs/index.ts";
import { INDEX_MASK, partsOf, type Records, type Store, type WorldState } from "../../ecs/internal.ts";
import { columnOf } from "../values/held.ts";

type Numbers = Exclude<Column, unknown[]>;

/** Means all fields: the component was added, removed or touched, or it has too many fields for a bit each. */
export const ALL = 0x80000000;
const MOST_FIELDS = 31;

/** The rows of one component that were written. */
export class ChangedRows {
  /** Entity indices, each once. */
  readonly indices: number[] = [];
  /** By index: a bit for each field that was written. */
  bits = new Uint32Array(0);

  mark(index: number, bit: number): void {
    const before = this.bits[index] as number;
    if (before === 0) this.indices.push(index);
    this.bits[index] = before | bit;
  }

  /** Gets ready for another read. */
  reset(capacity: number): void {
    for (const index of this.indices) this.bits[index] = 0;
    this.indices.length = 0;
    if (this.bits.length < capacity) this.bits = new Uint32Array(capacity);
  }
}

/** The bit of a field. */
export function bitOf(store: Store, field: number): number {
  return store.fields.length > MOST_FIELDS ? ALL : 1 << field;
}

/** The fields that the bits represent. */
export function fieldsIn({ fields }: Store, bits: number): number[] {
  return fields.flatMap((_, k) =>
    fields.length > MOST_FIELDS || (bits & ALL) !== 0 || bits & (1 << k) ? [k] : [],
  );
}

/** Marks the rows whose current values differ from the copy that ends at `end`. */
export function markCopied(
  s: WorldState,
  store: Store,
  { numbers }: Records,
  end: number,
  rows: ChangedRows,
): void {
  const parts = partsOf(numbers, end, store);
  const { handles, count, width, offsets, first } = parts;
  /** By position in the copy: the current row; -1 if there is none any more. */
  const now = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const entity = handles[k] as number;
    const index = entity & INDEX_MASK;
    now[k] = s.isAlive(entity) && s.hasAt(index, store) ? (store.isDense ? index : store.rowOf(index)) : -1;
  }
  for (let f = 0; f < store.fields.length; f++) {
    const block = (parts.blocks.length === 1 ? parts.blocks[0] : parts.blocks[f]) as Numbers;
    const column = columnOf(store, f) as Numbers;
    markField(
      column,
      block,
      now,
      handles,
      parts.rows,
      first,
      width,
      offsets[f] as number,
      bitOf(store, f),
      rows,
    );
  }
}

function markField(
  column: Numbers,
  block: Numbers,
  now: Int32Array,
  handles: Int32Array | Float64Array,
  before: Int32Array | undefined,
  first: number,
  width: number,
  offset: number,
  bit: number,
  rows: ChangedRows,
): void {
  for (let k = 0; k < now.length; k++) {
    const row = now[k] as number;
    if (row < 0) continue;
    const index = (handles[k] as number) & INDEX_MASK;
    const at = ((before === undefined ? index : (before[k] as number)) - first) * width + offset;
    if (!Object.is(column[row], block[at])) rows.mark(index, bit);
  }
}
