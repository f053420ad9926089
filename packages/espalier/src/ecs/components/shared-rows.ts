/**
 * Shared storage: entities with equal values have one row together, which counts them. A row is found by its values, so it does not
 * matter how they came to be: from a prefab, a file, a bundle, an undo. A write gives the entity a row of its own, and afterwards the
 * row of those that have the same values already, if there is one.
 */
import type { Column, FieldType } from "./fields.ts";
import { dataKey, heldData, valueKey } from "./plain-data.ts";

/** What the rows need of their store. */
export interface SharedHost {
  readonly names: readonly string[];
  readonly types: readonly FieldType[];
  /** The names of the fields that live in plain arrays. */
  readonly held: readonly string[];
  readonly columns: { [field: string]: Column };
  /** Makes the columns long enough for this many rows. */
  makeRows(count: number): void;
}

/** By the value of one field: the same for the next field, and after the last one the row. */
type Level = Map<unknown, Level | number>;

/** The row of an index without the component. */
const NONE = -1;

export class SharedRows {
  /** The row of each entity by index. Replaced when the world grows. */
  rows: Int32Array;
  /** How many entities have each row; 0 for those that are free. */
  private counts: number[] = [];
  private readonly free: number[] = [];
  private readonly root: Level = new Map();
  private readonly host: SharedHost;
  /** By field: what stands for a value in the levels. */
  private readonly keyOf: readonly ((held: unknown) => unknown)[];

  constructor(host: SharedHost, capacity: number) {
    this.host = host;
    this.keyOf = host.types.map(({ valueKind }) => (valueKind === "object" ? dataKey : valueKey));
    this.rows = new Int32Array(capacity).fill(NONE);
  }

  grow(capacity: number): void {
    const grown = new Int32Array(capacity).fill(NONE);
    grown.set(this.rows.subarray(0, capacity));
    this.rows = grown;
  }

  /**
   * The given values as rows hold them, each read once. Ask before a row is taken: a getter, or a proxy inside an object, may write to the
   * world itself, and nothing may come between taking a row and `share`.
   */
  held(values: object): { readonly [field: string]: unknown } {
    const given = values as { readonly [field: string]: unknown };
    const held: { [field: string]: unknown } = {};
    for (const name of this.host.names) held[name] = this.hold(given[name]);
    return held;
  }

  /** The same for one value. */
  hold(value: unknown): unknown {
    return heldData(value);
  }

  /** A row that no entity has, for values that `assign` gives to some. */
  takeRow(): number {
    const row = this.free.pop();
    if (row !== undefined) return row;
    const next = this.counts.length;
    this.host.makeRows(next + 1);
    this.counts.push(0);
    return next;
  }

  /** Gives the entities ids[from..to) the values of a row that was taken and written. */
  assign(ids: Int32Array, from: number, to: number, own: number): void {
    const row = this.settle(own);
    for (let k = from; k < to; k++) this.rows[ids[k] as number] = row;
    this.counts[row] = (this.counts[row] as number) + to - from;
  }

  /** Gives the entity at `index` a row of its own, whose values are left over from earlier. `share` follows. */
  occupy(index: number): number {
    const row = this.takeRow();
    this.counts[row] = 1;
    this.rows[index] = row;
    return row;
  }

  /** A row with the values of the entity at `index` that no other entity has, to be written. `share` follows. */
  own(index: number): number {
    const row = this.rows[index] as number;
    if (this.counts[row] === 1) {
      this.forget(row);
      return row;
    }
    const own = this.takeRow();
    const { columns, names } = this.host;
    for (const name of names) {
      const column = columns[name] as unknown[];
      column[own] = column[row];
    }
    this.counts[row] = (this.counts[row] as number) - 1;
    this.counts[own] = 1;
    this.rows[index] = own;
    return own;
  }

  /** The values of the entity at `index` are written: from now on other entities may share them. */
  share(index: number): void {
    const own = this.rows[index] as number;
    const row = this.settle(own);
    if (row === own) return;
    this.counts[row] = (this.counts[row] as number) + 1;
    this.rows[index] = row;
  }

  /** The entity at `index` loses the component. */
  vacate(index: number): void {
    const row = this.rows[index] as number;
    this.rows[index] = NONE;
    const left = (this.counts[row] as number) - 1;
    this.counts[row] = left;
    if (left !== 0) return;
    this.forget(row);
    this.release(row);
  }

  /** The row with the values that `row` has: a row that other entities share, after which `row` is free, or `row` itself. */
  private settle(row: number): number {
    const { columns, held } = this.host;
    for (const name of held) {
      const column = columns[name] as unknown[];
      column[row] = heldData(column[row]);
    }
    const { level, key } = this.levelOf(row);
    const found = level.get(key) as number | undefined;
    if (found === undefined) {
      level.set(key, row);
      return row;
    }
    if (found !== row) this.release(row);
    return found;
  }

  /** The last level on the way of a row's values, and the value of the last field. */
  private levelOf(row: number): { readonly level: Level; readonly key: unknown } {
    const { names } = this.host;
    let level = this.root;
    const last = names.length - 1;
    for (let k = 0; k < last; k++) {
      const key = this.keyAt(row, k);
      let next = level.get(key) as Level | undefined;
      if (next === undefined) level.set(key, (next = new Map()));
      level = next;
    }
    return { level, key: this.keyAt(row, last) };
  }

  /** No entity finds the row by its values any more. */
  private forget(row: number): void {
    const { names } = this.host;
    const path: [Level, unknown][] = [];
    let level: Level | undefined = this.root;
    for (let k = 0; k < names.length && level !== undefined; k++) {
      const key = this.keyAt(row, k);
      path.push([level, key]);
      if (k < names.length - 1) level = level.get(key) as Level | undefined;
    }
    const [last, key] = path[path.length - 1] as [Level, unknown];
    // It may have a row of its own that is being written.
    if (level === undefined || last.get(key) !== row) return;
    for (let k = path.length - 1; k >= 0; k--) {
      const [at, step] = path[k] as [Level, unknown];
      at.delete(step);
      if (at.size > 0) break;
    }
  }

  private keyAt(row: number, field: number): unknown {
    const { columns, names } = this.host;
    return (this.keyOf[field] as (held: unknown) => unknown)(
      (columns[names[field] as string] as unknown[])[row],
    );
  }

  private release(row: number): void {
    const { columns, held } = this.host;
    for (const name of held) (columns[name] as unknown[])[row] = undefined;
    this.counts[row] = 0;
    this.free.push(row);
  }

  // Self-test and tools ----------------------------------------------------------------------------------------------------

  /** How many different values there are. */
  get size(): number {
    return this.counts.length - this.free.length;
  }

  /** How many entities have the values of the entity at `index`, itself included. */
  sharing(index: number): number {
    return this.counts[this.rows[index] as number] as number;
  }

  /** What is wrong: asks each row for its way back, and counts its entities anew. */
  *wrong(owners: ReadonlySet<number>): IterableIterator<string> {
    const counted = new Map<number, number>();
    for (let index = 0; index < this.rows.length; index++) {
      const row = this.rows[index] as number;
      if (owners.has(index) !== (row !== NONE)) {
        yield owners.has(index)
          ? `index ${index} has the component but no row`
          : `index ${index} has row ${row} but not the component`;
      }
      if (row !== NONE) counted.set(row, (counted.get(row) ?? 0) + 1);
    }
    const free = new Set(this.free);
    if (free.size !== this.free.length) yield "a row is free twice";
    for (const [row, count] of this.counts.entries()) {
      const now = counted.get(row) ?? 0;
      if (count !== now) yield `row ${row} counts ${count} entities, but ${now} have it`;
      if (free.has(row) !== (now === 0)) {
        yield now === 0 ? `row ${row} is neither used nor free` : `row ${row} is used and free`;
      }
      if (now !== 0 && this.found(row) !== row) yield `row ${row} is not found by its values`;
    }
    for (const row of counted.keys()) if (row >= this.counts.length) yield `row ${row} does not exist`;
    const rows = leaves(this.root, this.host.names.length);
    if (rows !== counted.size) yield `${rows} rows are found by values, but ${counted.size} are used`;
  }

  private found(row: number): number | undefined {
    let at: Level | number | undefined = this.root;
    for (let k = 0; k < this.keyOf.length; k++) at = (at as Level | undefined)?.get(this.keyAt(row, k));
    return at as number | undefined;
  }
}

function leaves(root: Level, depth: number): number {
  let level: Level[] = [root];
  for (let k = 1; k < depth; k++) level = level.flatMap((map) => [...map.values()] as Level[]);
  return level.reduce((sum, { size }) => sum + size, 0);
}
