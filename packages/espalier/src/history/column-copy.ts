/**
 * All values of a component as one record, for loops that write most of them.
 *
 * The columns are copied as they lie in memory: 0.1 ns a value, in place of 5 to record each write. That is why the numbers
 * of a tape must only be moved as a whole, never read and written one by one.
 */
import {
  type Archetype,
  type Entity,
  type ExternalMemory,
  INDEX_MASK,
  isPacked,
  type Store,
  type World,
  writeRaw,
} from "../ecs/index.ts";
import {
  type NumberColumn,
  packedNames,
  type Range,
  rangeOf,
  slotsOf,
  valuesOf,
  wordsOf,
} from "./column-words.ts";
import type { Tape } from "./tape.ts";

/** What is copied may be at most so many times as much as is visited. */
const MOST_BESIDE = 4;
/** How many numbers follow the values. */
const TRAILER = 5;

/** Who has a component. Never changed: there is a new one when they are others. */
interface Holders {
  readonly handles: Int32Array | Float64Array;
  /** The row of each, where it is not the entity's index. */
  readonly rows: Int32Array | undefined;
}

/** Makes such records. What is needed to copy memory is kept from one to the next, because loops come again and again. */
export class ColumnCopier {
  private readonly world: World;
  /** By number of the component. */
  private readonly sources: CopySource[] = [];

  constructor(world: World) {
    this.world = world;
  }

  /**
   * Writes a record of all values of a component that are numbers: the values as they lie in memory; range of the places, how
   * many slots where another room keeps the values, how many numbers in all, head. The entities are a reference, because most
   * records have the same; the first one on a tape is as much longer as they take. `false`, and nothing written, where
   * recording the writes of a loop that visits so many entities is cheaper.
   */
  copy(store: Store, visited: number, tape: Tape, head: number): boolean {
    const source = this.sourceOf(store);
    if (source === undefined || !source.find(this.world, visited * MOST_BESIDE)) return false;
    const size = source.size + (source.isCounted(tape) ? 0 : source.holdersSize);
    tape.reserve(size);
    source.copyTo(tape.words, tape.count * 2);
    tape.references.push(source.holders);
    const { numbers } = tape;
    const end = tape.count + size;
    tape.count = end;
    if (size !== source.size) source.counted = { tape, cuts: tape.cuts, end };
    numbers[end - 5] = source.range.first;
    numbers[end - 4] = source.range.length;
    numbers[end - 3] = source.slots;
    numbers[end - 2] = size;
    numbers[end - 1] = head;
    return true;
  }

  /**
   * Takes the record back if it is the last one on the tape and every value is still what it says: a loop that changes nothing
   * is nothing to undo.
   */
  takeBack(store: Store, tape: Tape, head: number): void {
    const { numbers, references, count: end } = tape;
    if (end === 0 || numbers[end - 1] !== head) return;
    const source = this.sourceOf(store) as CopySource;
    const isOfSource =
      references[references.length - 1] === source.holders &&
      numbers[end - 4] === source.range.length &&
      numbers[end - 3] === source.slots;
    if (!isOfSource) return;
    const start = end - (numbers[end - 2] as number);
    if (!source.isStill(tape.words, start * 2)) return;
    tape.count = start;
    references.pop();
  }

  private sourceOf(store: Store): CopySource | undefined {
    const known = this.sources[store.id];
    if (known !== undefined) return known;
    const { external } = store;
    if (store.packed === 0 || (external !== undefined && external.memory === undefined)) return undefined;
    const source = external === undefined ? new ColumnSource(store) : new MemorySource(store);
    this.sources[store.id] = source;
    return source;
  }
}

/** What there is to copy of a component, as words of memory. */
abstract class CopySource {
  /** How many numbers of a tape all of it takes. */
  size = 0;
  holders: Holders = { handles: new Int32Array(0), rows: undefined };
  /** How many numbers of a tape they take. */
  holdersSize = 0;
  /** The record that is longer for them: where it ends. */
  counted: { readonly tape: Tape; readonly cuts: number; readonly end: number } | undefined = undefined;
  /** The rows whose values, or the places whose slots, are copied. */
  range: Range = { first: 0, length: 0 };
  slots = 0;
  protected readonly store: Store;
  protected readonly names: readonly string[];
  protected readonly blocks: Int32Array[] = [];
  private readonly archetypes: Archetype[] = [];
  private asked = 0;
  private revision = -1;
  private isWide = false;
  /** The rows of the entities. */
  protected lowest = 0;
  protected highest = -1;

  constructor(store: Store) {
    this.store = store;
    this.names = packedNames(store);
  }

  /** Looks for everything that is not what it was. `false` where there is more to copy than `most` entities. */
  abstract find(world: World, most: number): boolean;

  /** Whether the values, as they were found last, are what stands there. */
  abstract isStill(words: Int32Array, start: number): boolean;

  protected findHolders({ table, graph }: World): void {
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
    const entities = archetypes.reduce((sum, { count }) => sum + count, 0);
    const handles = table.wide ? new Float64Array(entities) : new Int32Array(entities);
    const rows = store.rows === undefined ? undefined : new Int32Array(entities);
    let at = 0;
    this.lowest = Number.POSITIVE_INFINITY;
    this.highest = -1;
    for (const { ids, count } of archetypes) {
      for (let k = 0; k < count; k++) {
        const row = rows === undefined ? ids[k] : store.rowOf(ids[k]);
        this.lowest = Math.min(this.lowest, row);
        this.highest = Math.max(this.highest, row);
        if (rows !== undefined) rows[at] = row;
        handles[at++] = table.handleAt(ids[k]);
      }
    }
    this.holders = { handles, rows };
    this.holdersSize = slotsOf(handles, entities) + (rows === undefined ? 0 : slotsOf(rows, entities));
    this.counted = undefined;
  }

  /** Whether a record on this tape is longer for the holders. */
  isCounted(tape: Tape): boolean {
    const { counted } = this;
    return counted?.tape === tape && counted.cuts === tape.cuts && counted.end <= tape.count;
  }

  protected measure(): void {
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
}

/** Columns by entity index, or by a row of their own. */
class ColumnSource extends CopySource {
  private resized = -1;

  find(world: World, most: number): boolean {
    const { store, names } = this;
    this.findHolders(world);
    const { lowest, highest } = this;
    if (highest - lowest >= most) return false;
    const { first, length } = this.range;
    // The range begins up to seven places before the lowest.
    const isSame = first === (lowest & ~7) && first + length === highest + 1;
    if (!isSame || store.resized !== this.resized) {
      this.resized = store.resized;
      this.range = rangeOf(lowest, highest);
      names.forEach((name, k) => {
        this.blocks[k] = wordsOf(store.columns[name] as NumberColumn, this.range);
      });
      this.measure();
    }
    return true;
  }

  isStill(words: Int32Array, start: number): boolean {
    let at = start;
    for (let b = 0; b < this.names.length; b++) {
      const block = this.blocks[b] as Int32Array;
      for (let k = 0; k < block.length; k++) if (block[k] !== words[at + k]) return false;
      at += (block.length + 1) & ~1;
    }
    return this.store.resized === this.resized;
  }
}

/** One array of another room, and which slot of it each entity has. */
class MemorySource extends CopySource {
  private offsets: readonly number[] = [];
  private values: Float32Array = new Float32Array(0);
  private slotOf: Int32Array = new Int32Array(0);
  private width = 1;

  find(world: World, most: number): boolean {
    const { values, slots, width, count } = memoryOf(this.store);
    const { used } = world.table;
    if (count > most) return false;
    // Places that are promised inside a loop may have no slot yet.
    const places = Math.min(used + 1, slots.length);
    const isSame = values === this.values && slots === this.slotOf && count === this.slots;
    if (!isSame || places !== this.range.length) {
      this.values = values;
      this.slotOf = slots;
      this.slots = count;
      this.range = { first: 0, length: places };
      this.width = width;
      this.offsets = offsetsOf(this.store, values);
      this.blocks[0] = wordsOf(values, { first: 0, length: count * width });
      this.blocks[1] = wordsOf(slots, this.range);
      this.measure();
    }
    this.findHolders(world);
    return true;
  }

  isStill(words: Int32Array, start: number): boolean {
    const { width } = this;
    // The room may have moved its memory meanwhile.
    const block = wordsOf(memoryOf(this.store).values, { first: 0, length: this.slots * width });
    // Only what the component says: the rest of a slot may be computed from it at any time.
    for (const offset of this.offsets) {
      for (let at = offset; at < block.length; at += width) if (block[at] !== words[start + at]) return false;
    }
    return true;
  }
}

function memoryOf({ external }: Store): ExternalMemory {
  return external?.memory?.() as ExternalMemory;
}

/** Where the fields of a component that hold numbers stand in a slot. */
function offsetsOf(store: Store, values: Float32Array): number[] {
  return packedNames(store).map(
    (name) =>
      ((store.columns[name] as NumberColumn).byteOffset - values.byteOffset) / values.BYTES_PER_ELEMENT,
  );
}

/** Writes the values of the record that ends at `end`, where they differ. */
export function restoreColumns(world: World, store: Store, { numbers, references }: Tape, end: number): void {
  const range = { first: numbers[end - 5] as number, length: numbers[end - 4] as number };
  const slots = numbers[end - 3] as number;
  const { handles, rows } = references.pop() as Holders;
  const fields = store.fields.flatMap((field, k) => (isPacked(field.kind) ? k : []));
  let at = end - (numbers[end - 2] as number);
  const take = <T extends NumberColumn>(like: T, length: number): T => {
    const from = at;
    at += slotsOf(like, length);
    return valuesOf(like, numbers, from, length);
  };
  const isMemory = store.external !== undefined;
  const valueAt = isMemory ? memoryReader(store, take, slots, range) : columnReader(store, take, range);
  for (let k = handles.length - 1; k >= 0; k--) {
    const entity = handles[k] as Entity;
    const row = rows === undefined ? entity & INDEX_MASK : (rows[k] as number);
    for (let f = 0; f < fields.length; f++) {
      writeRaw(world, entity, store, fields[f] as number, valueAt(f, row));
    }
  }
}

type Take = <T extends NumberColumn>(like: T, length: number) => T;
/** Gives the value of the field of that number among those that hold numbers; in a row, or of the entity at an index. */
type Reader = (field: number, row: number) => number | undefined;

function columnReader(store: Store, take: Take, { first, length }: Range): Reader {
  const copies = packedNames(store).map((name) => take(store.columns[name] as NumberColumn, length));
  return (field, row) => copies[field]?.[row - first];
}

function memoryReader(store: Store, take: Take, slots: number, { length }: Range): Reader {
  const memory = memoryOf(store);
  const offsets = offsetsOf(store, memory.values);
  const values = take(memory.values, slots * memory.width);
  const slotOf = take(memory.slots, length);
  return (field, index) => values[slotOf[index] * memory.width + (offsets[field] as number)];
}
