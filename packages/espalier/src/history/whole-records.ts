/**
 * Records of what happened to all entities of an archetype in one call. Where each stood follows from the order. Who they are
 * is recorded as their places, two in a number, and the sum of their generations: a generation only grows, so that an equal
 * sum means that all are the same. The world puts it where those who write a record say, because it passes by anyway.
 *
 * What a record consists of stands beside each function, first number first.
 */
import {
  type Archetype,
  addRaw,
  copyOf,
  DeadEntityError,
  type Entity,
  exactOf,
  GENERATION_STEP,
  removeRaw,
  reviveRaw,
  type Store,
  type World,
} from "../ecs/index.ts";
import { ColumnValues, putColumns, type Range, rangeOf, sizeOfColumns } from "./column-words.ts";
import type { Tape } from "./tape.ts";
import type { TapeValues } from "./tape-values.ts";

/** Fewer entities than this have their values looked for one by one. */
const LEAST_COPIED = 128;
/** What is copied may be at most so many times as much. */
const MOST_BESIDE = 6;

const NO_RANGE: Range = { first: 0, length: 0 };

/** entities …, how many, head */
export function recordSpawned(tape: Tape, entities: readonly Entity[], head: number): void {
  const { length } = entities;
  tape.reserve(length + 2);
  const { numbers, count } = tape;
  for (let k = 0; k < length; k++) numbers[count + k] = entities[k] as Entity;
  numbers[count + length] = length;
  numbers[count + length + 1] = head;
  tape.count = count + length + 2;
}

export function undoSpawned(world: World, tape: Tape): void {
  const { numbers, count: end } = tape;
  const length = numbers[end - 2] as number;
  const start = end - 2 - length;
  tape.count = start;
  for (let k = length - 1; k >= 0; k--) world.unspawn(numbers[start + k] as Entity);
}

/** values …, places …, range of the values (0, 0: entity by entity), sum, how many, head with the archetype */
export function recordDestroyed(world: World, tape: Tape, archetype: Archetype, head: number): number {
  const { ids, count, stores } = archetype;
  const range = rangeToCopy(archetype, stores);
  const values = range.length === 0 ? count * archetype.packed : sizeOfColumns(stores, range.length);
  tape.reserve(values + sizeOfPlaces(count) + 5);
  if (range.length !== 0) putColumns(tape, stores, range);
  else {
    copyOf(world, archetype).saveMany(ids, 0, count, tape.numbers, tape.count, tape.references);
    tape.count += values;
  }
  putPlaces(tape, archetype);
  putTwo(tape, range.first, range.length);
  const sum = tape.count++;
  putTwo(tape, count, head);
  return sum;
}

export function undoDestroyed(world: World, tape: Tape, values: TapeValues, archetype: Archetype): void {
  const { numbers, references, count: end } = tape;
  const { stores } = archetype;
  const length = numbers[end - 2] as number;
  const range = { first: numbers[end - 5] as number, length: numbers[end - 4] as number };
  const places = end - 5 - sizeOfPlaces(length);
  const ids = readPlaces(world, tape, places, length, numbers[end - 3] as number, 1);
  const isEach = range.length === 0;
  const { packed } = archetype;
  const start = places - (isEach ? length * packed : sizeOfColumns(stores, range.length));
  // None where the values are columns.
  const left = references.length - length * archetype.references;
  const from = isEach ? values : new ColumnValues(tape, start, stores, range);
  tape.count = start;
  for (let k = length - 1; k >= 0; k--) {
    values.from(start + k * packed, left + k * archetype.references);
    const index = ids[k] as number;
    const entity = (world.table.generationAt(index) - 1) * GENERATION_STEP + index;
    reviveRaw(world, entity as Entity, archetype, rowOf(k, length), from, true);
  }
  references.length = left;
}

/** places …, sum, components …, how many components, how many entities, head */
export function recordAdded(
  tape: Tape,
  archetype: Archetype,
  stores: readonly Store[],
  head: number,
): number {
  const { count } = archetype;
  tape.reserve(sizeOfPlaces(count) + stores.length + 4);
  putPlaces(tape, archetype);
  const sum = tape.count++;
  putStores(tape, stores);
  putTwo(tape, count, head);
  return sum;
}

export function undoAdded(world: World, tape: Tape): void {
  const { numbers, count: end } = tape;
  const length = numbers[end - 2] as number;
  const stores = storesBefore(world, tape, end - 2);
  const sum = end - 4 - stores.length;
  const start = sum - sizeOfPlaces(length);
  const ids = readPlaces(world, tape, start, length, numbers[sum] as number, 0);
  tape.count = start;
  for (let k = length - 1; k >= 0; k--) {
    const entity = world.table.handleAt(ids[k] as number);
    for (let s = stores.length - 1; s >= 0; s--) {
      removeRaw(world, entity, stores[s] as Store, s === 0 ? rowOf(k, length) : Number.POSITIVE_INFINITY);
    }
  }
}

/**
 * values …, component by component; places …, range of the values (0, 0: entity by entity), sum, components …, how many
 * components, how many entities, head
 */
export function recordRemoved(
  world: World,
  tape: Tape,
  archetype: Archetype,
  stores: readonly Store[],
  head: number,
): number {
  const { ids, count } = archetype;
  const range = rangeToCopy(archetype, stores);
  const values = range.length === 0 ? count * packedOf(stores) : sizeOfColumns(stores, range.length);
  tape.reserve(values + sizeOfPlaces(count) + stores.length + 6);
  if (range.length !== 0) putColumns(tape, stores, range);
  else {
    for (const store of stores) {
      exactOf(world, store).saveMany(ids, count, tape.numbers, tape.count, tape.references);
      tape.count += count * store.packed;
    }
  }
  putPlaces(tape, archetype);
  putTwo(tape, range.first, range.length);
  const sum = tape.count++;
  putStores(tape, stores);
  putTwo(tape, count, head);
  return sum;
}

export function undoRemoved(world: World, tape: Tape, values: TapeValues): void {
  const { numbers, references, count: end } = tape;
  const length = numbers[end - 2] as number;
  const stores = storesBefore(world, tape, end - 2);
  const sum = end - 4 - stores.length;
  const range = { first: numbers[sum - 2] as number, length: numbers[sum - 1] as number };
  const isEach = range.length === 0;
  const places = sum - 2 - sizeOfPlaces(length);
  const ids = readPlaces(world, tape, places, length, numbers[sum] as number, 0);
  let number = places - (isEach ? 0 : sizeOfColumns(stores, range.length));
  let reference = references.length;
  /** Where the values of each component begin. */
  const starts: [number: number, reference: number][] = [];
  for (let s = stores.length - 1; s >= 0; s--) {
    const { packed, fields } = stores[s] as Store;
    number -= isEach ? length * packed : 0;
    reference -= length * (fields.length - packed);
    starts[s] = [number, reference];
  }
  const from = isEach ? values : new ColumnValues(tape, number, stores, range);
  tape.count = number;
  for (let k = length - 1; k >= 0; k--) {
    const entity = world.table.handleAt(ids[k] as number);
    for (let s = stores.length - 1; s >= 0; s--) {
      const store = stores[s] as Store;
      const [fromNumber, fromReference] = starts[s] as [number, number];
      values.from(fromNumber + k * store.packed, fromReference + k * (store.fields.length - store.packed));
      addRaw(world, entity, store, s === 0 ? rowOf(k, length) : Number.POSITIVE_INFINITY, from);
    }
  }
  references.length = reference;
}

/**
 * The places whose values are to be copied as they lie in memory, because that is sooner done than looking for those of each
 * entity; none where it is not.
 */
function rangeToCopy({ ids, count }: Archetype, stores: readonly Store[]): Range {
  if (count < LEAST_COPIED || !stores.every((store) => store.isPlain)) return NO_RANGE;
  let lowest = ids[0] as number;
  let highest = lowest;
  for (let k = 1; k < count; k++) {
    lowest = Math.min(lowest, ids[k] as number);
    highest = Math.max(highest, ids[k] as number);
  }
  const range = rangeOf(lowest, highest);
  return range.length <= count * MOST_BESIDE ? range : NO_RANGE;
}

function packedOf(stores: readonly Store[]): number {
  return stores.reduce((sum, store) => sum + store.packed, 0);
}

/**
 * Where the k-th stood when those before it had gone one by one: in its own row, or, in the second half, in one that it filled
 * as the last of the list. Coming back the same way, last one first, leads to the old order.
 */
function rowOf(k: number, length: number): number {
  return Math.min(k, length - 1 - k);
}

/** How many numbers the places of so many entities take. */
function sizeOfPlaces(length: number): number {
  return (length + 1) >> 1;
}

function putPlaces(tape: Tape, { ids, count }: Archetype): void {
  // A view of a part costs as much as copying 200.
  if (count === ids.length) tape.words.set(ids, tape.count * 2);
  else tape.words.set(ids.subarray(0, count), tape.count * 2);
  tape.count += sizeOfPlaces(count);
}

/**
 * The places of a record, from number `at` on.
 * @param grown How much the generation of each has grown since.
 * @throws DeadEntityError when others are there now.
 */
function readPlaces(
  { table }: World,
  tape: Tape,
  at: number,
  length: number,
  sum: number,
  grown: number,
): Int32Array {
  const ids = tape.words.slice(at * 2, at * 2 + length);
  let now = 0;
  for (const index of ids) now += table.generationAt(index) - grown;
  if (now === sum) return ids;
  throw new DeadEntityError(
    `Cannot take back a change of ${length} entities at once: some of them are gone, or others are in their places.`,
    [],
  );
}

function putStores(tape: Tape, stores: readonly Store[]): void {
  for (const { id } of stores) tape.numbers[tape.count++] = id;
  tape.numbers[tape.count++] = stores.length;
}

/** The components of a record, from the place behind their number. */
function storesBefore(world: World, { numbers }: Tape, end: number): Store[] {
  const length = numbers[end - 1] as number;
  return Array.from({ length }, (_, s) => world.stores[numbers[end - 1 - length + s] as number] as Store);
}

function putTwo(tape: Tape, a: number, b: number): void {
  tape.numbers[tape.count++] = a;
  tape.numbers[tape.count++] = b;
}
