/**
 * The values of components of many entities, as one part of a record.
 *
 * The list of entities is divided into stretches. Where the places of a stretch lie close together the columns are copied as
 * they lie in memory, with what stands between; that takes a tenth of the time of looking for each value. Elsewhere the values
 * stand component by component, entity by entity.
 *
 * values … of each stretch; of each: how many entities, first place, how many places (0: entity by entity); how many stretches
 */
import { exactOf, type RawValues, type Store, type World } from "../ecs/index.ts";
import { type NumberColumn, slotsOf, valuesOf, wordsOf } from "./column-words.ts";
import type { Tape } from "./tape.ts";

/** The values of fewer entities are looked for: a copy takes as long as some ten of them. */
const LEAST_COPIED = 96;
/** So many neighbours in the list are in one stretch at least, but for those at its end. */
const CHUNK = 64;
/** What is copied may be at most so many times as much. */
const MOST_BESIDE = 6;
/** Numbers per stretch. */
const STRETCH = 3;

/** All of a column as words of memory. */
interface ColumnView {
  readonly column: NumberColumn;
  readonly words: Int32Array;
  /** Words, or a part of one, per value. */
  readonly width: number;
}

/** Writes them. `measure` comes first, and then room is made on the tape. */
export class ListValuesWriter {
  private readonly world: World;
  /** Of the list that was measured: so many numbers of `stretches`. Making an array shorter takes V8 50 ns. */
  private used = 0;
  private readonly stretches: number[] = [];
  /** By number of the component. */
  private readonly views: { resized: number; columns: ColumnView[] }[] = [];

  constructor(world: World) {
    this.world = world;
  }

  /** How many numbers the values of the first `count` of `ids` will take. */
  measure(ids: Int32Array, count: number, stores: readonly Store[]): number {
    const { stretches } = this;
    this.used = 0;
    if (count < LEAST_COPIED || !arePlain(stores)) this.push(count, 0, 0);
    else this.divide(ids, count);
    let size = this.used + 1;
    for (let s = 0; s < this.used; s += STRETCH) {
      const places = stretches[s + 2] as number;
      if (places === 0) size += (stretches[s] as number) * packedOf(stores);
      else {
        for (let t = 0; t < stores.length; t++) {
          for (const { column } of this.viewsOf(stores[t] as Store)) size += slotsOf(column, places);
        }
      }
    }
    return size;
  }

  put(tape: Tape, ids: Int32Array, stores: readonly Store[]): void {
    const { stretches, used } = this;
    let k = 0;
    for (let s = 0; s < used; s += STRETCH) {
      const end = k + (stretches[s] as number);
      const first = stretches[s + 1] as number;
      const places = stretches[s + 2] as number;
      for (let t = 0; t < stores.length; t++) {
        const store = stores[t] as Store;
        if (store.fields.length === 0) continue;
        if (places === 0) {
          exactOf(this.world, store).saveMany(ids, k, end, tape.numbers, tape.count, tape.references);
          tape.count += (end - k) * store.packed;
        } else this.copy(tape, store, first, places);
      }
      k = end;
    }
    const { numbers, count } = tape;
    for (let s = 0; s < used; s++) numbers[count + s] = stretches[s] as number;
    numbers[count + used] = used / STRETCH;
    tape.count = count + used + 1;
  }

  private copy(tape: Tape, store: Store, first: number, places: number): void {
    for (const { column, words, width } of this.viewsOf(store)) {
      const from = first * width;
      tape.words.set(words.subarray(from, from + Math.ceil(places * width)), tape.count * 2);
      tape.count += slotsOf(column, places);
    }
  }

  /** Neighbours in the list are taken together as long as their places lie close together. */
  private divide(ids: Int32Array, count: number): void {
    let start = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = 0;
    for (let from = 0; from < count; from += CHUNK) {
      const end = Math.min(from + CHUNK, count);
      let low = ids[from] as number;
      let high = low;
      let k = from;
      // Four at a time: the checks of an access take longer than the rest.
      for (; k + 3 < end; k += 4) {
        const a = ids[k] as number;
        const b = ids[k + 1] as number;
        const c = ids[k + 2] as number;
        const d = ids[k + 3] as number;
        low = Math.min(low, Math.min(Math.min(a, b), Math.min(c, d)));
        high = Math.max(high, Math.max(Math.max(a, b), Math.max(c, d)));
      }
      for (; k < end; k++) {
        low = Math.min(low, ids[k] as number);
        high = Math.max(high, ids[k] as number);
      }
      const isFar = Math.max(high, highest) - Math.min(low, lowest) >= (end - start) * MOST_BESIDE;
      if (isFar && from !== start) {
        this.close(from - start, lowest, highest);
        start = from;
        lowest = low;
        highest = high;
      } else {
        lowest = Math.min(low, lowest);
        highest = Math.max(high, highest);
      }
    }
    this.close(count - start, lowest, highest);
  }

  /** Ends a stretch. */
  private close(entities: number, lowest: number, highest: number): void {
    const { stretches } = this;
    // A range begins where a word of memory does in every column.
    const first = lowest & ~7;
    const isFar = highest - lowest >= entities * MOST_BESIDE;
    const last = this.used - STRETCH;
    if (!isFar) this.push(entities, first, highest + 1 - first);
    else if (last >= 0 && stretches[last + 2] === 0) stretches[last] = (stretches[last] as number) + entities;
    else this.push(entities, 0, 0);
  }

  private push(entities: number, first: number, places: number): void {
    const { stretches, used } = this;
    stretches[used] = entities;
    stretches[used + 1] = first;
    stretches[used + 2] = places;
    this.used = used + STRETCH;
  }

  private viewsOf(store: Store): readonly ColumnView[] {
    const known = this.views[store.id];
    if (known !== undefined && known.resized === store.resized) return known.columns;
    const columns = columnsOf(store).map((column) => ({
      column,
      words: wordsOf(column, { first: 0, length: column.length }),
      width: column.BYTES_PER_ELEMENT / 4,
    }));
    this.views[store.id] = { resized: store.resized, columns };
    return columns;
  }
}

/** Gives the values that end before number `end` of a tape back. */
export class ListValues implements RawValues {
  /** Where they begin. */
  readonly start: number;
  readonly referencesStart: number;
  private readonly world: World;
  private readonly tape: Tape;
  /** Last one first. */
  private readonly parts: Part[] = [];
  private turn = 0;
  private k = 0;

  constructor(world: World, tape: Tape, end: number, stores: readonly Store[]) {
    this.world = world;
    this.tape = tape;
    const { numbers } = tape;
    const table = end - 1 - (numbers[end - 1] as number) * STRETCH;
    let from = 0;
    for (let at = table; at < end - 1; at += STRETCH) from += numbers[at] as number;
    this.start = table;
    this.referencesStart = tape.references.length;
    for (let at = end - 1 - STRETCH; at >= table; at -= STRETCH) {
      const [entities, first, places] = numbers.subarray(at, at + STRETCH) as unknown as [
        number,
        number,
        number,
      ];
      from -= entities;
      this.start -= places === 0 ? entities * packedOf(stores) : sizeOfColumns(stores, places);
      for (const store of stores) this.referencesStart -= entities * referencesOf(store);
      this.parts.push(
        places === 0
          ? { from, values: this.placesOf(stores, entities) }
          : { from, first, copies: this.copiesOf(stores, places) },
      );
    }
  }

  /** Where the values of each component begin in the stretch that begins at `start`. */
  private placesOf(stores: readonly Store[], entities: number): EachPart["values"] {
    const values = new Map<Store, { number: number; reference: number }>();
    let number = this.start;
    let reference = this.referencesStart;
    for (const store of stores) {
      values.set(store, { number, reference });
      number += entities * store.packed;
      reference += entities * referencesOf(store);
    }
    return values;
  }

  /** The columns of each component in the stretch that begins at `start`. */
  private copiesOf(stores: readonly Store[], places: number): CopiedPart["copies"] {
    let at = this.start;
    const take = (column: NumberColumn) => {
      const from = at;
      at += slotsOf(column, places);
      return valuesOf(column, this.tape.numbers, from, places);
    };
    return new Map(stores.map((store) => [store, columnsOf(store).map(take)]));
  }

  /** Turns to an entity of the list; from the last to the first. */
  turnTo(k: number): void {
    if (k < (this.parts[this.turn] as Part).from) this.turn++;
    this.k = k;
  }

  load(store: Store, row: number): void {
    const part = this.parts[this.turn] as Part;
    if ("values" in part) this.loadOne(store, row, part);
    else {
      const copies = part.copies.get(store) as NumberColumn[];
      for (let c = 0; c < copies.length; c++) {
        const column = store.columns[store.names[c] as string] as NumberColumn;
        column[row] = copies[c]?.[row - part.first] as number;
      }
    }
  }

  private loadOne(store: Store, row: number, { from, values }: EachPart): void {
    const { number, reference } = values.get(store) as { number: number; reference: number };
    const { numbers, references } = this.tape;
    const exact = exactOf(this.world, store);
    const k = this.k - from;
    exact.load(row, numbers, number + k * store.packed);
    exact.loadReferences(row, references, reference + k * referencesOf(store));
  }
}

/** A stretch that is read, from entity `from` of the list on. */
type Part = EachPart | CopiedPart;

interface EachPart {
  readonly from: number;
  /** Where the values of a component begin. */
  readonly values: ReadonlyMap<Store, { readonly number: number; readonly reference: number }>;
}

interface CopiedPart {
  readonly from: number;
  readonly first: number;
  /** Columns as they lay in memory from place `first` on. */
  readonly copies: ReadonlyMap<Store, NumberColumn[]>;
}

function arePlain(stores: readonly Store[]): boolean {
  for (let t = 0; t < stores.length; t++) if (!(stores[t] as Store).isPlain) return false;
  return true;
}

function packedOf(stores: readonly Store[]): number {
  let packed = 0;
  for (let t = 0; t < stores.length; t++) packed += (stores[t] as Store).packed;
  return packed;
}

function referencesOf({ fields, packed }: Store): number {
  return fields.length - packed;
}

/** How many numbers of a tape a range of all columns takes. */
function sizeOfColumns(stores: readonly Store[], places: number): number {
  return stores.flatMap(columnsOf).reduce((size, column) => size + slotsOf(column, places), 0);
}

function columnsOf(store: Store): NumberColumn[] {
  return store.names.map((name) => store.columns[name] as NumberColumn);
}
