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
  DeadEntityError,
  type Entity,
  GENERATION_STEP,
  removeRaw,
  reviveRaw,
  type Store,
  type World,
} from "../ecs/index.ts";
import { ListValues, type ListValuesWriter } from "./list-values.ts";
import type { Tape } from "./tape.ts";

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

/** values, see `list-values.ts`; places …, sum, how many, head with the archetype */
export function recordDestroyed(
  tape: Tape,
  writer: ListValuesWriter,
  archetype: Archetype,
  head: number,
): number {
  const { ids, count, stores } = archetype;
  tape.reserve(writer.measure(ids, count, stores) + sizeOfPlaces(count) + 3);
  writer.put(tape, ids, stores);
  putPlaces(tape, archetype);
  const sum = tape.count++;
  putTwo(tape, count, head);
  return sum;
}

export function undoDestroyed(world: World, tape: Tape, archetype: Archetype): void {
  const { numbers, references, count: end } = tape;
  const length = numbers[end - 2] as number;
  const places = end - 3 - sizeOfPlaces(length);
  const ids = readPlaces(world, tape, places, length, numbers[end - 3] as number, 1);
  const values = new ListValues(world, tape, places, archetype.stores);
  tape.count = values.start;
  for (let k = length - 1; k >= 0; k--) {
    values.turnTo(k);
    const index = ids[k] as number;
    const entity = (world.table.generationAt(index) - 1) * GENERATION_STEP + index;
    reviveRaw(world, entity as Entity, archetype, rowOf(k, length), values, true);
  }
  references.length = values.referencesStart;
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

/** values, see `list-values.ts`; places …, sum, components …, how many components, how many entities, head */
export function recordRemoved(
  tape: Tape,
  writer: ListValuesWriter,
  archetype: Archetype,
  stores: readonly Store[],
  head: number,
): number {
  const { ids, count } = archetype;
  tape.reserve(writer.measure(ids, count, stores) + sizeOfPlaces(count) + stores.length + 4);
  writer.put(tape, ids, stores);
  putPlaces(tape, archetype);
  const sum = tape.count++;
  putStores(tape, stores);
  putTwo(tape, count, head);
  return sum;
}

export function undoRemoved(world: World, tape: Tape): void {
  const { numbers, references, count: end } = tape;
  const length = numbers[end - 2] as number;
  const stores = storesBefore(world, tape, end - 2);
  const sum = end - 4 - stores.length;
  const places = sum - sizeOfPlaces(length);
  const ids = readPlaces(world, tape, places, length, numbers[sum] as number, 0);
  const values = new ListValues(world, tape, places, stores);
  tape.count = values.start;
  for (let k = length - 1; k >= 0; k--) {
    values.turnTo(k);
    const entity = world.table.handleAt(ids[k] as number);
    for (let s = stores.length - 1; s >= 0; s--) {
      addRaw(
        world,
        entity,
        stores[s] as Store,
        s === 0 ? rowOf(k, length) : Number.POSITIVE_INFINITY,
        values,
      );
    }
  }
  references.length = values.referencesStart;
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
  const { words } = tape;
  const at = tape.count * 2;
  // A view of a part and a call take as long as copying that many.
  if (count > 64) words.set(ids.subarray(0, count), at);
  else for (let k = 0; k < count; k++) words[at + k] = ids[k] as number;
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
