/**
 * All values of a component as one record, for loops that write most of them.
 *
 * The columns are copied as they lie in memory: 0.1 ns a value, in place of 5 to record each write. That is why the numbers
 * of a tape must only be moved as a whole, never read and written one by one.
 */
import {
  type Archetype,
  type Column,
  type Entity,
  type Field,
  INDEX_MASK,
  isPacked,
  type Store,
  type World,
  writeRaw,
} from "../ecs/index.ts";
import type { Tape } from "./tape.ts";

/** What is copied may be at most so many times as much as is visited. */
const MOST_BESIDE = 4;
/** How many numbers follow the entities. */
const TRAILER = 4;

type NumberColumn = Exclude<Column, unknown[]>;

/**
 * Writes a record of all values of a component that are numbers: the columns up to the last place in use; the entities; how
 * many places, how many entities, how many numbers in all, head. `false`, and nothing written, where recording the writes
 * of a loop that visits so many entities is cheaper.
 */
export function copyColumns(
  world: World,
  store: Store,
  visited: number,
  tape: Tape,
  head: number,
  handles: HandleLists,
): boolean {
  const places = world.table.used + 1;
  if (store.packed === 0 || places > visited * MOST_BESIDE) return false;
  const columns = numberColumns(store);
  let entities = 0;
  let size = 0;
  for (const archetype of world.graph.all) if (archetype.has[store.id] === 1) entities += archetype.count;
  for (const column of columns) size += slotsOf(column, places);
  tape.reserve(size + entities + TRAILER);
  const { numbers } = tape;
  let at = tape.count;
  for (const column of columns) {
    const length = column.BYTES_PER_ELEMENT * places;
    bytesOf(numbers, at * 8, length).set(bytesOf(column, 0, length));
    at += slotsOf(column, places);
  }
  for (const archetype of world.graph.all) {
    if (archetype.count === 0 || archetype.has[store.id] !== 1) continue;
    numbers.set(handles.of(world, archetype), at);
    at += archetype.count;
  }
  numbers[at] = places;
  numbers[at + 1] = entities;
  numbers[at + 2] = size + entities + TRAILER;
  numbers[at + 3] = head;
  tape.count = at + TRAILER;
  return true;
}

/** The handles of whole archetypes, made anew only when other entities are in them: loops come again and again. */
export class HandleLists {
  private readonly lists = new Map<
    Archetype,
    { readonly revision: number; readonly handles: Float64Array }
  >();

  of({ table }: World, archetype: Archetype): Float64Array {
    const { ids, count, revision } = archetype;
    const known = this.lists.get(archetype);
    if (known?.revision === revision) return known.handles;
    const handles = new Float64Array(count);
    for (let k = 0; k < count; k++) handles[k] = table.handleAt(ids[k]);
    this.lists.set(archetype, { revision, handles });
    return handles;
  }
}

/** Writes the values of the record that ends at `end`, where they differ. */
export function restoreColumns(world: World, store: Store, { numbers }: Tape, end: number): void {
  const entities = numbers[end - 3] as number;
  const places = numbers[end - 4] as number;
  const columns = numberColumns(store);
  const fields = store.fields.flatMap((field, k) => (isPacked(field.kind) ? k : []));
  let at = end - (numbers[end - 2] as number);
  const copies = columns.map((column) => {
    const from = at;
    at += slotsOf(column, places);
    return valuesOf(column, numbers, from, places);
  });
  for (let k = entities - 1; k >= 0; k--) {
    const entity = numbers[at + k] as Entity;
    for (let f = 0; f < copies.length; f++) {
      writeRaw(world, entity, store, fields[f] as number, copies[f]?.[entity & INDEX_MASK]);
    }
  }
}

/** The columns of a component that hold numbers. */
function numberColumns(store: Store): NumberColumn[] {
  return store.names
    .filter((_, k) => isPacked((store.fields[k] as Field).kind))
    .map((name) => store.columns[name] as NumberColumn);
}

/** How many numbers of a tape the first values of a column take. */
function slotsOf(column: NumberColumn, values: number): number {
  return Math.ceil((column.BYTES_PER_ELEMENT * values) / 8);
}

function bytesOf({ buffer, byteOffset }: NumberColumn, from: number, length: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + from, length);
}

/** Values that stand on a tape from number `at` on, as their column holds them. */
function valuesOf(column: NumberColumn, numbers: Float64Array, at: number, length: number): NumberColumn {
  const Values = column.constructor as new (
    buffer: ArrayBufferLike,
    from: number,
    length: number,
  ) => NumberColumn;
  return new Values(numbers.buffer, numbers.byteOffset + at * 8, length);
}
