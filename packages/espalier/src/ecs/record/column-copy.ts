/**
 * All values that a loop may write as one record, made before it begins: the columns as they lie in memory, from the lowest to
 * the highest row of its entities. That takes 0.1 ns a value, where recording each write takes 5.
 *
 * values of each field …, entities …, rows … (where a row is not the entity's index); first row, how many rows, how many
 * entities, whether handles are wide, how many numbers in all, head
 */

import type { Column } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import type { Entities } from "../entities/entities.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { COPIED, KINDS } from "./kinds.ts";
import type { LoopList } from "./recorder.ts";
import type { Records, Tape } from "./tape.ts";

type NumberColumn = Exclude<Column, unknown[]>;

/** The lowest and the highest of some rows. */
type Range = readonly [lowest: number, highest: number];

/** What is known of the list that a loop walked last. */
interface KnownList {
  readonly ids: Int32Array;
  readonly revision: number;
  readonly wide: boolean;
  readonly handles: Int32Array | Float64Array;
  readonly range: Range;
}

/** At most so many rows are copied for each entity of the loop; where they are scattered wider, each write is recorded. */
const MOST_BESIDE = 4;
const TRAILER = 6;

export class ColumnCopies {
  private readonly table: Entities;
  private known: KnownList | undefined;
  /** Rows of the entities, where they are not their indices. */
  private rows = new Int32Array(0);

  constructor(table: Entities) {
    this.table = table;
  }

  canCopy(store: Store, list: LoopList): boolean {
    if (!isCopied(store)) return true;
    if (store.packed !== store.fields.length) return false;
    if (store.external !== undefined && store.external.memory === undefined) return false;
    if (list.count === 0) return true;
    const [lowest, highest] = this.findRows(store, list);
    return highest - lowest < Math.max(64, list.count * MOST_BESIDE);
  }

  copy(store: Store, list: LoopList, tape: Tape): void {
    if (!isCopied(store) || list.count === 0) return;
    const [lowest, highest] = this.findRows(store, list);
    const { handles } = this.listOf(list);
    const first = lowest & ~7;
    const length = highest + 1 - first;
    const blocks = blocksOf(store, first, length);
    const { count } = list;
    const listed = Math.ceil((handles.BYTES_PER_ELEMENT * count) / 8);
    const size =
      blocks.reduce((sum, block) => sum + ((block.length + 1) >> 1), TRAILER) +
      listed +
      (store.isDense ? 0 : (count + 1) >> 1);
    tape.reserve(size);
    const { words } = tape;
    let at = tape.count;
    for (const block of blocks) {
      words.set(block, at * 2);
      at += (block.length + 1) >> 1;
    }
    if (handles instanceof Float64Array) tape.numbers.set(handles, at);
    else words.set(handles, at * 2);
    at += listed;
    if (!store.isDense) {
      words.set(this.rows.subarray(0, count), at * 2);
      at += (count + 1) >> 1;
    }
    const { numbers } = tape;
    numbers[at] = first;
    numbers[at + 1] = length;
    numbers[at + 2] = count;
    numbers[at + 3] = handles instanceof Float64Array ? 1 : 0;
    numbers[at + 4] = size;
    numbers[at + 5] = headOf(store);
    tape.count = at + TRAILER;
  }

  /**
   * How long the record that ends at `end` is, if it is a copy of this component and every value is still what it says; -1
   * otherwise.
   */
  unchangedSize(store: Store, tape: Tape, end: number): number {
    if (!isCopied(store)) return 0;
    const { numbers, words } = tape;
    if (end === 0 || numbers[end - 1] !== headOf(store)) return -1;
    const size = numbers[end - 2];
    const first = numbers[end - 6];
    const length = numbers[end - 5];
    let at = (end - size) * 2;
    const width = store.external?.memory?.().width;
    for (const block of blocksOf(store, first, length)) {
      if (width === undefined) {
        for (let k = 0; k < block.length; k++) if (block[k] !== words[at + k]) return -1;
      } else if (!sameFields(store, block, words, at, width)) return -1;
      at += (block.length + 1) & ~1;
    }
    return size;
  }

  /** The handles of a list, which are kept from loop to loop. */
  private listOf({ ids, count, revision }: LoopList): KnownList {
    const { known, table } = this;
    const { wide } = table;
    if (known?.ids === ids && known.revision === revision && known.wide === wide) return known;
    const handles = wide ? new Float64Array(count) : new Int32Array(count);
    for (let k = 0; k < count; k++) handles[k] = table.handleAt(ids[k]);
    return (this.known = { ids, revision, wide, handles, range: rangeOf(ids, count) });
  }

  /** Finds the rows of the component. */
  private findRows(store: Store, list: LoopList): Range {
    if (store.isDense) return this.listOf(list).range;
    const { ids, count } = list;
    if (this.rows.length < count) this.rows = new Int32Array(count * 2);
    const { rows } = this;
    const slots = store.external?.memory?.().slots;
    for (let k = 0; k < count; k++) rows[k] = slots === undefined ? store.rowOf(ids[k]) : slots[ids[k]];
    return rangeOf(rows, count);
  }
}

/** Whether there is something to copy; other writes are recorded one by one in any case. */
function isCopied({ packed, shared }: Store): boolean {
  return packed !== 0 && shared === undefined;
}

function headOf({ id }: Store): number {
  return COPIED + KINDS * id;
}

function rangeOf(rows: Int32Array, count: number): Range {
  let lowest = rows[0];
  let highest = lowest;
  for (let k = 1; k < count; k++) {
    const row = rows[k];
    if (row < lowest) lowest = row;
    else if (row > highest) highest = row;
  }
  return [lowest, highest];
}

/** The rows first..first + length as words of memory: one block per field, or one for a room that keeps whole records. */
function blocksOf(store: Store, first: number, length: number): Int32Array[] {
  const memory = store.external?.memory?.();
  if (memory !== undefined) return [wordsOf(memory.values, first * memory.width, length * memory.width)];
  return store.names.map((name) => wordsOf(store.columns[name] as NumberColumn, first, length));
}

/** Whether the fields of a component are the same in both; what else is in a record of a room may have been computed. */
function sameFields(
  store: Store,
  block: Int32Array,
  words: Int32Array,
  start: number,
  width: number,
): boolean {
  const wordsEach = wordsPerNumber(store);
  for (const offset of offsetsOf(store)) {
    for (let word = 0; word < wordsEach; word++) {
      for (let at = offset * wordsEach + word; at < block.length; at += width * wordsEach) {
        if (block[at] !== words[start + at]) return false;
      }
    }
  }
  return true;
}

/** Where the parts of a copy are: the values as typed arrays over the record itself. */
export interface CopyParts {
  /** One per field, or one for a room that keeps whole records. */
  readonly blocks: readonly NumberColumn[];
  /** Where a field stands in a record of a room; 0 for all where each field has a block. */
  readonly offsets: readonly number[];
  readonly width: number;
  readonly handles: Int32Array | Float64Array;
  /** Rows at the time of the copy, where they are not the indices. They address the blocks. */
  readonly rows: Int32Array | undefined;
  readonly first: number;
  readonly count: number;
}

/** The parts of the copy that ends at `end`. */
export function partsOf(numbers: Float64Array, end: number, store: Store): CopyParts {
  const count = numbers[end - 4];
  const isWide = numbers[end - 3] === 1;
  const first = numbers[end - 6];
  const length = numbers[end - 5];
  let at = end - numbers[end - 2];
  const take = <T extends NumberColumn>(like: T, values: number): T => {
    const from = at;
    at += Math.ceil((like.BYTES_PER_ELEMENT * values) / 8);
    const Values = like.constructor as new (buffer: ArrayBufferLike, from: number, length: number) => T;
    return new Values(numbers.buffer, numbers.byteOffset + from * 8, values);
  };
  const memory = store.external?.memory?.();
  const width = memory?.width ?? 1;
  const blocks =
    memory === undefined
      ? store.names.map((name) => take(store.columns[name] as NumberColumn, length))
      : [take(memory.values, length * width)];
  const offsets = memory === undefined ? store.names.map(() => 0) : offsetsOf(store);
  const handles = take<Int32Array | Float64Array>(isWide ? new Float64Array(0) : new Int32Array(0), count);
  const rows = store.isDense ? undefined : take(new Int32Array(0), count);
  return { blocks, offsets, width, handles, rows, first, count };
}

/** The values in a copy that ends at `end`: calls `write` for every entity and field, last one first. */
export function readCopy(
  { numbers }: Records,
  end: number,
  store: Store,
  write: (entity: Entity, field: number, value: number) => void,
): void {
  const { blocks, offsets, width, handles, rows, first, count } = partsOf(numbers, end, store);
  for (let k = count - 1; k >= 0; k--) {
    const entity = handles[k] as Entity;
    const row = (rows === undefined ? entity & INDEX_MASK : rows[k]) - first;
    for (let f = 0; f < store.fields.length; f++) {
      const block = (blocks.length === 1 ? blocks[0] : blocks[f]) as NumberColumn;
      write(entity, f, block[row * width + (offsets[f] as number)]);
    }
  }
}

function wordsPerNumber(store: Store): number {
  return (store.external?.memory?.().values.BYTES_PER_ELEMENT ?? 4) / 4;
}

/** Where the fields of a component stand in a record of the room that keeps them. */
function offsetsOf(store: Store): number[] {
  const values = store.external?.memory?.().values as NumberColumn;
  return store.names.map(
    (name) =>
      ((store.columns[name] as NumberColumn).byteOffset - values.byteOffset) / values.BYTES_PER_ELEMENT,
  );
}

function wordsOf(column: NumberColumn, first: number, length: number): Int32Array {
  const { BYTES_PER_ELEMENT: bytes } = column;
  // The memory of a column ends with a whole word.
  return new Int32Array(column.buffer, column.byteOffset + first * bytes, Math.ceil((bytes * length) / 4));
}
