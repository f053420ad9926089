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
const TRAILER = 5;

type NumberColumn = Exclude<Column, unknown[]>;

/** Makes such records. What is needed to copy memory is kept from one to the next, because loops come again and again. */
export class ColumnCopier {
  private readonly world: World;
  /** By number of the component. */
  private readonly sources: CopySource[] = [];
  private numbers = new Float64Array(0);
  /** `numbers`, the numbers of the tape, as words. */
  private words = new Int32Array(0);

  constructor(world: World) {
    this.world = world;
  }

  /**
   * Writes a record of all values of a component that are numbers: the columns up to the last place in use; the entities;
   * how many bytes a handle takes, how many places, how many entities, how many numbers in all, head. `false`, and nothing
   * written, where recording the writes of a loop that visits so many entities is cheaper.
   */
  copy(store: Store, visited: number, tape: Tape, head: number): boolean {
    if (store.packed === 0) return false;
    const { table } = this.world;
    this.sources[store.id] ??= new CopySource(store);
    const source = this.sources[store.id] as CopySource;
    const places = source.lengthWithin(table.used + 1);
    if (places > visited * MOST_BESIDE) return false;
    source.findColumns(places);
    source.findHandles(this.world);
    const { size } = source;
    tape.reserve(size);
    source.copyTo(this.wordsOf(tape), tape.count * 2);
    const { numbers } = tape;
    const end = tape.count + size;
    tape.count = end;
    numbers[end - 5] = source.isWide ? 8 : 4;
    numbers[end - 4] = places;
    numbers[end - 3] = source.entities;
    numbers[end - 2] = size;
    numbers[end - 1] = head;
    return true;
  }

  /**
   * Takes the record back if it is the last one on the tape and every value is still what it says: a loop that changes nothing
   * is nothing to undo.
   */
  takeBack(store: Store, tape: Tape, head: number): void {
    const { numbers, count: end } = tape;
    if (end === 0 || numbers[end - 1] !== head) return;
    const source = this.sources[store.id] as CopySource;
    const start = end - (numbers[end - 2] as number);
    source.findColumns(source.lengthWithin(numbers[end - 4] as number));
    if (source.isEqualTo(this.wordsOf(tape), start * 2)) tape.count = start;
  }

  private wordsOf({ numbers }: Tape): Int32Array {
    // Not by its buffer: asking for that takes as long as copying it.
    if (this.numbers !== numbers) {
      this.numbers = numbers;
      this.words = new Int32Array(numbers.buffer);
    }
    return this.words;
  }
}

/** What there is to copy of a component, as words of memory. */
class CopySource {
  /** How many numbers of a tape all of it takes. */
  size = 0;
  /** How many entities have the component. */
  entities = 0;
  /** Whether their handles take eight bytes. */
  isWide = false;
  private readonly store: Store;
  private readonly names: readonly string[];
  /** The first values of each column, and behind them the handles. */
  private readonly blocks: Int32Array[] = [];
  private places = -1;
  private length = 0;
  private resized = -1;
  private readonly archetypes: Archetype[] = [];
  private asked = 0;
  private revision = -1;

  constructor(store: Store) {
    this.store = store;
    this.names = packedNames(store);
  }

  /** How many of so many places have values: those that are promised inside a loop may have none yet. */
  lengthWithin(places: number): number {
    const { store, names } = this;
    if (store.resized !== this.resized) {
      this.resized = store.resized;
      this.places = -1;
      this.length = (store.columns[names[0] as string] as NumberColumn).length;
    }
    return Math.min(places, this.length);
  }

  findColumns(places: number): void {
    if (places === this.places) return;
    this.places = places;
    this.names.forEach((name, k) => {
      this.blocks[k] = wordsOf(this.store.columns[name] as NumberColumn, places);
    });
    this.measure();
  }

  findHandles({ table, graph }: World): void {
    const { archetypes, store } = this;
    for (; this.asked < graph.all.length; this.asked++) {
      const archetype = graph.all[this.asked] as Archetype;
      if (archetype.has[store.id] === 1) archetypes.push(archetype);
    }
    let revision = 0;
    for (let a = 0; a < archetypes.length; a++) revision += (archetypes[a] as Archetype).revision;
    if (revision === this.revision && table.wide === this.isWide) return;
    this.revision = revision;
    this.isWide = table.wide;
    this.entities = archetypes.reduce((sum, { count }) => sum + count, 0);
    const handles = table.wide ? new Float64Array(this.entities) : new Int32Array(this.entities);
    let at = 0;
    for (const { ids, count } of archetypes) {
      for (let k = 0; k < count; k++) handles[at++] = table.handleAt(ids[k]);
    }
    this.blocks[this.names.length] = wordsOf(handles, this.entities);
    this.measure();
  }

  private measure(): void {
    this.size = this.blocks.reduce((sum, { length }) => sum + ((length + 1) >> 1), TRAILER);
  }

  copyTo(words: Int32Array, start: number): void {
    let at = start;
    for (let b = 0; b < this.blocks.length; b++) {
      const block = this.blocks[b] as Int32Array;
      words.set(block, at);
      at += (block.length + 1) & ~1;
    }
  }

  /** Whether the columns are what stands there. */
  isEqualTo(words: Int32Array, start: number): boolean {
    let at = start;
    for (let b = 0; b < this.names.length; b++) {
      const block = this.blocks[b] as Int32Array;
      for (let k = 0; k < block.length; k++) if (block[k] !== words[at + k]) return false;
      at += (block.length + 1) & ~1;
    }
    return true;
  }
}

/** Writes the values of the record that ends at `end`, where they differ. */
export function restoreColumns(world: World, store: Store, { numbers }: Tape, end: number): void {
  const entities = numbers[end - 3] as number;
  const places = numbers[end - 4] as number;
  const columns = packedNames(store).map((name) => store.columns[name] as NumberColumn);
  const fields = store.fields.flatMap((field, k) => (isPacked(field.kind) ? k : []));
  let at = end - (numbers[end - 2] as number);
  const copies = columns.map((column) => {
    const from = at;
    at += Math.ceil((column.BYTES_PER_ELEMENT * places) / 8);
    return valuesOf(column, numbers, from, places);
  });
  const Handles = numbers[end - 5] === 4 ? Int32Array : Float64Array;
  const handles = new Handles(numbers.buffer, numbers.byteOffset + at * 8, entities);
  for (let k = entities - 1; k >= 0; k--) {
    const entity = handles[k] as Entity;
    for (let f = 0; f < copies.length; f++) {
      writeRaw(world, entity, store, fields[f] as number, copies[f]?.[entity & INDEX_MASK]);
    }
  }
}

/** The fields of a component that hold numbers. */
function packedNames(store: Store): string[] {
  return store.names.filter((_, k) => isPacked((store.fields[k] as Field).kind));
}

/** The first values of a column as words. */
function wordsOf(column: NumberColumn, values: number): Int32Array {
  // The memory of a column ends with a whole word.
  const words = Math.ceil((column.BYTES_PER_ELEMENT * values) / 4);
  return new Int32Array(column.buffer, column.byteOffset, words);
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
