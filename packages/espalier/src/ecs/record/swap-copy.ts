/**
 * Undoing a loop as one block: the values in its copy and those in the columns are swapped, so that the record which leads
 * forward again is a copy of the same size. Value by value, that record would be several times as large, and the limit of a
 * history that holds a step would not hold its redo.
 */
import type { Column } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import type { WorldState } from "../state.ts";
import { recordsOf } from "./change-records.ts";
import { type CopyParts, partsOf } from "./column-copy.ts";
import type { Records } from "./tape.ts";

type NumberColumn = Exclude<Column, unknown[]>;

/**
 * Brings back what the copy that ends at `end` holds. `false`, and nothing done, where each value must go through its usual
 * door: writes have listeners, or an entity of the loop is gone or lacks the component.
 */
export function swapCopy(s: WorldState, store: Store, { numbers }: Records, end: number): boolean {
  if (store.heard || !s.recorder.wanted) return false;
  const given = partsOf(numbers, end, store);
  if (!areAllThere(s, store, given)) return false;
  const { tape } = recordsOf(s);
  const size = numbers[end - 2];
  tape.reserve(size);
  tape.numbers.set(numbers.subarray(end - size, end), tape.count);
  const parts = partsOf(tape.numbers, tape.count + size, store);
  // Values that are there already leave no record, as everywhere.
  if (store.external === undefined ? swapColumns(store, parts) : swapRecords(store, parts))
    tape.count += size;
  return true;
}

function areAllThere(s: WorldState, store: Store, { handles, count }: CopyParts): boolean {
  for (let k = 0; k < count; k++) {
    const entity = handles[k] as Entity;
    if (!s.table.isAlive(entity) || !s.hasAt(entity & INDEX_MASK, store)) return false;
  }
  return true;
}

/** Whether any value changed. */
function swapColumns(store: Store, parts: CopyParts): boolean {
  const now = store.isDense ? undefined : rowsNow(store, parts);
  let changed = false;
  store.names.forEach((name, f) => {
    const column = store.columns[name] as NumberColumn;
    if (swapColumn(column, parts.blocks[f] as NumberColumn, parts, now)) changed = true;
  });
  return changed;
}

function swapColumn(
  column: NumberColumn,
  block: NumberColumn,
  { handles, rows, first, count }: CopyParts,
  now: Int32Array | undefined,
): boolean {
  let changed = false;
  for (let k = 0; k < count; k++) {
    const index = handles[k] & INDEX_MASK;
    const at = (rows === undefined ? index : rows[k]) - first;
    const row = now === undefined ? index : now[k];
    const before = block[at];
    const value = column[row];
    if (Object.is(before, value)) continue;
    column[row] = before;
    block[at] = value;
    changed = true;
  }
  return changed;
}

/** Rows may have moved since; those in the copy address its blocks only. */
function rowsNow(store: Store, { handles, count }: CopyParts): Int32Array {
  const rows = new Int32Array(count);
  for (let k = 0; k < count; k++) rows[k] = store.rowOf(handles[k] & INDEX_MASK);
  return rows;
}

/** The same for values that another room keeps, which is notified of each entity whose values changed. */
function swapRecords(store: Store, parts: CopyParts): boolean {
  const { blocks, offsets, width, handles, rows, first, count } = parts;
  const block = blocks[0] as NumberColumn;
  const external = store.external as NonNullable<Store["external"]>;
  const { values, slots } = (external.memory as NonNullable<typeof external.memory>)();
  let changed = false;
  for (let k = 0; k < count; k++) {
    const index = handles[k] & INDEX_MASK;
    const from = ((rows as Int32Array)[k] - first) * width;
    const to = slots[index] * width;
    let isOther = false;
    for (let f = 0; f < offsets.length; f++) {
      const offset = offsets[f] as number;
      const before = block[from + offset];
      const value = values[to + offset];
      if (Object.is(before, value)) continue;
      values[to + offset] = before;
      block[from + offset] = value;
      isOther = true;
    }
    if (!isOther) continue;
    external.written(index);
    changed = true;
  }
  return changed;
}
