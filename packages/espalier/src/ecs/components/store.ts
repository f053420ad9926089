/**
 * The values of one component in one world: a column per field, indexed by entity index (dense), by a row of its
 * own (sparse) or by a row for all entities with the same values (shared).
 *
 * `columns` is one object for the life of the store; growing replaces its arrays. Views reach the arrays through it,
 * so they stay right when the world grows under them, and V8 treats arrays that were never replaced as constants.
 */

import type { ChangeLog } from "../listeners/changes.ts";
import type { Guard, ObserverList, WriteGuard } from "../listeners/observers.ts";
import { type Columns, createAccess, createColumns, type StoreAccess } from "./access.ts";
import type { AnyComponent, AnyInit } from "./component.ts";
import { type Column, createColumn, type Field, type FieldType, growColumn } from "./fields.ts";
import type { SharedRows } from "./shared-rows.ts";
import type { ViewPrototype } from "./view-prototype.ts";

/**
 * Storage that another room keeps for a component, in an order of its own. `columns` is one object for good; its
 * arrays may be replaced. A value is at `columns[field][rowOf(index)]`.
 */
export interface ExternalStorage {
  readonly columns: Columns;
  /** How a field is kept, where that is another kind than the component says. */
  readonly fieldAs?: (field: Field) => Field;
  rowOf(index: number): number;
  /** The entities ids[from..to) got the component, and all values of it are about to be written: puts their rows into `rows`. */
  occupy(ids: Int32Array, from: number, to: number, rows: Int32Array): void;
  /** The entity at `index` loses the component. */
  vacate(index: number): void;
  /** Whether the storage is notified of dying entities by itself, so that `vacate` is not called for them. */
  readonly followsDeath?: boolean;
  /** Values of the entity at `index` were written. */
  written(index: number): void;
  /** Given once: call it when the arrays of `columns` or of `memory()` were replaced. */
  onMoved?: () => void;
  /** Where all of them are, if they can be copied as they lie in memory. */
  memory?(): ExternalMemory;
  /** A loop begins that writes to `memory()` and marks what it wrote, without calling `written`. */
  beginMarking?(): void;
  /** It may have marked the slots of these entities. */
  marked?(ids: Int32Array, count: number): void;
  endMarking?(): void;
}

/** All values in one array: those of the entity at `index` stand from values[slots[index] * width] on. */
export interface ExternalMemory {
  readonly values: Float32Array | Float64Array;
  readonly slots: Int32Array;
  readonly width: number;
  /** Slots from here on are not in use. */
  readonly count: number;
  /** Marks by slot, and the bits to set for each field that is written; see `beginMarking`. */
  readonly marks?: { readonly bySlot: Uint8Array; readonly bits: readonly number[] };
}

/** See `Store.fill`. */
type Fill = (ids: Int32Array, from: number, to: number, values: object | undefined) => void;

/** Whether views must take the slow path: each write has listeners. An object of its own, like the columns. */
export interface SlowWrites {
  on: boolean;
  /** Whether they are so because of listeners, also in a loop that a copy stands for. */
  heard: boolean;
}

export class Store {
  /** Number of the component in its world, in the order the world met them. */
  readonly id: number;
  readonly component: AnyComponent;
  /** What to call instead when only its owner may write it. Here because components are functions, and V8 looks up
   * the properties of many functions slowly. */
  readonly reserved: string | undefined;
  readonly names: readonly string[];
  readonly fields: readonly Field[];
  readonly types: readonly FieldType[];
  /** The names of the fields that live in plain arrays. */
  readonly held: readonly string[];
  /** The numbers of the fields whose default is a function of the user's, called for each entity. */
  readonly made: readonly number[];
  /** How many fields live in typed arrays, and whether all do. */
  readonly packed: number;
  readonly isPacked: boolean;
  /** The numbers of one row before and after a write. */
  readonly compared: Float64Array;
  /** Whether a field refuses NaN and the infinities, in every build. */
  readonly isFinite: boolean;
  /** Whether values must be let go when an entity leaves: references, or a sparse row. */
  readonly releases: boolean;
  private kept: Columns | undefined;
  /** Grows when the arrays of `columns` are replaced. */
  resized = 0;
  private reach: StoreAccess | undefined = undefined;
  /** The number of the first column among all columns of the world. */
  readonly lane: number;
  /** Sparse storage: the row of each entity that has the component. */
  readonly rows: Map<number, number> | undefined;
  /** Shared storage: the row of each entity, which several entities may share. */
  readonly shared: SharedRows | undefined;
  /** Where the values are when another room keeps them. */
  readonly external: ExternalStorage | undefined;
  /** Whether the row of an entity is its index. */
  readonly isDense: boolean;
  private readonly generate: boolean;
  private freeRows: number[] = [];
  private readonly single = new Int32Array(1);
  private seats = new Int32Array(1);
  private rowCapacity = 0;

  log: ChangeLog | undefined = undefined;
  observers: ObserverList | undefined = undefined;
  guards: Guard[] | undefined = undefined;
  /** Refuses values before any guard is asked: a check of the library itself, which changes nothing. 0: still to be created. */
  refuse: ((index: number, values: object) => void) | undefined = undefined;
  /** Asked before values are written. */
  writeGuards: WriteGuard[] | undefined = undefined;
  /** Rooms that compute something from the values: called after the entity at an index got, changed or lost them. */
  followers: ((index: number) => void)[] = [];
  /** Whether change readers, observers of `set`, guards of writes or rooms must be notified of writes. */
  heard = false;
  /** Whether every write is recorded. */
  recorded = false;
  readonly guard: SlowWrites = new (class SlowWrites {
    on = false;
    heard = false;
  })();
  claimed = false;
  /** Whether the component requires others, and once that was asked, all of them. */
  readonly hasRequires: boolean;
  required: readonly AnyInit[] | undefined = undefined;
  /** By the number of the field: what keeps the way back of an indexed reference. */
  relations: (object | undefined)[] | undefined = undefined;
  /**
   * Gives the entities ids[from..to) the component, with all its values: the given ones and defaults for the rest, those that
   * functions make excepted. A function of its own, so that creating an entity costs one call for each component.
   */
  fill: Fill;
  /** The prototypes of its views, by kind; see `createView`. */
  readonly views: (ViewPrototype | undefined)[] = [];

  constructor(
    id: number,
    component: AnyComponent,
    capacity: number,
    lane: number,
    generate: boolean,
    external: ExternalStorage | undefined,
  ) {
    this.id = id;
    this.lane = lane;
    this.component = component;
    this.reserved = component.reserved;
    this.hasRequires = component.requires !== undefined;
    this.names = Object.keys(component.schema);
    this.fields = this.names.map((name) => {
      const field = component.schema[name] as Field;
      return external?.fieldAs?.(field) ?? field;
    });
    this.types = this.fields.map(({ type }) => type);
    this.held = this.names.filter((_, k) => this.types[k].array === undefined);
    this.made = this.fields.flatMap(({ initial }, k) => (typeof initial === "function" ? [k] : []));
    this.packed = this.fields.length - this.held.length;
    this.isPacked = this.held.length === 0;
    this.compared = new Float64Array(this.packed * 2);
    this.isFinite = this.fields.some((field) => field.finite === true);
    this.external = external;
    this.rows = component.storage === "sparse" && external === undefined ? new Map() : undefined;
    this.shared = external === undefined ? component.sharing?.createRows(this, capacity) : undefined;
    const isShared = this.shared !== undefined;
    this.isDense = this.rows === undefined && external === undefined && !isShared;
    this.releases = !this.isDense || this.held.length > 0;
    this.rowCapacity = this.rows === undefined && !isShared ? capacity : 8;
    this.kept = external?.columns;
    if (external !== undefined) external.onMoved = () => this.columnsMoved();
    this.generate = generate;
    this.fill = this.firstFill;
  }

  /** Made when they are first used: most worlds know components that no entity in them has. */
  get columns(): Columns {
    this.kept ??= createColumns(
      this.names,
      this.fields.map((field, k) => createColumn(field, this.rowCapacity, this.lane + k)),
    );
    return this.kept;
  }

  /** Reading and writing the values of one entity as a whole. Made when it is first used: its code is made from text. */
  get access(): StoreAccess {
    this.reach ??= createAccess(this.component.name, this.columns, this.names, this.fields, this.generate);
    return this.reach;
  }

  /** Makes the code of `fill` when it is first called. */
  private readonly firstFill: Fill = (ids, from, to, values) => {
    this.fill = this.makeFill();
    this.fill(ids, from, to, values);
  };

  private makeFill(): Fill {
    const init = this.fields.length === 0 ? () => {} : this.access.init;
    const fill: Fill = this.isDense
      ? init
      : this.shared !== undefined
        ? (ids, from, to, values) => this.fillShared(this.shared as SharedRows, ids, from, to, values)
        : (ids, from, to, values) => init(this.occupyAll(ids, from, to), 0, to - from, values);
    if (this.followers.length === 0) return fill;
    return (ids, from, to, values) => {
      fill(ids, from, to, values);
      for (let k = from; k < to; k++) this.follow(ids[k]);
    };
  }

  /** Writes the values once, whatever the number of entities. */
  private fillShared(
    shared: SharedRows,
    ids: Int32Array,
    from: number,
    to: number,
    values: object | undefined,
  ): void {
    if (from === to) return;
    const held = values && shared.held(values);
    const row = shared.takeRow();
    this.seats[0] = row;
    this.access.init(this.seats, 0, 1, held);
    shared.assign(ids, from, to, row);
  }

  /** Notifies rooms that the entity at `index` got or lost the component. */
  follow(index: number): void {
    for (let k = 0; k < this.followers.length; k++) this.followers[k]?.(index);
  }

  /** Whether writes have listeners. */
  get watched(): boolean {
    return this.guard.on;
  }

  setRecorded(recorded: boolean): void {
    this.recorded = recorded;
    this.updateGuard();
  }

  /** Call after a change of listeners. */
  updateGuard(): void {
    this.heard =
      this.log !== undefined ||
      (this.observers?.onSet.length ?? 0) > 0 ||
      this.followers.length > 0 ||
      this.writeGuards !== undefined;
    this.fill = this.firstFill;
    const on = this.recorded || this.heard;
    // V8 takes a property that was never written again for a constant, and views read one of these at every write.
    if (on !== this.guard.on) this.guard.on = on;
    if (this.heard !== this.guard.heard) this.guard.heard = this.heard;
  }

  /** The arrays of `columns` were replaced: views that hold them as constants need new accessors. */
  columnsMoved(): void {
    this.resized++;
    this.reach?.moved();
  }

  /** Where the values of the entity at `index` are; the entity must have the component. */
  rowOf(index: number): number {
    if (this.isDense) return index;
    if (this.rows !== undefined) return this.rows.get(index) as number;
    if (this.external !== undefined) return this.external.rowOf(index);
    return (this.shared as SharedRows).rows[index] as number;
  }

  /** The row of the entity at `index`, to be written: `share` follows, and no code of the user's runs in between. */
  rowToWrite(index: number): number {
    return this.shared === undefined ? this.rowOf(index) : this.shared.own(index);
  }

  /** The row of the entity at `index` was written. */
  share(index: number): void {
    this.shared?.share(index);
  }

  /** Gives the entity at `index` a row. Its values are whatever was there before: write them, and call `share`. */
  occupy(index: number): number {
    if (this.isDense) return index;
    if (this.shared !== undefined) return this.shared.occupy(index);
    this.single[0] = index;
    return this.occupyAll(this.single, 0, 1)[0];
  }

  /** Gives the entities ids[from..to) rows, and gives a list of these that begins at 0. Not for values that are by index. */
  occupyAll(ids: Int32Array, from: number, to: number): Int32Array {
    // The list is used again: no code of the user's runs meanwhile.
    if (this.seats.length < to - from) this.seats = new Int32Array(to - from);
    const { seats } = this;
    if (this.external !== undefined) this.external.occupy(ids, from, to, seats);
    else for (let k = from; k < to; k++) seats[k - from] = this.sparseRow(ids[k]);
    return seats;
  }

  private sparseRow(index: number): number {
    const rows = this.rows as Map<number, number>;
    let row = this.freeRows.pop();
    if (row === undefined) {
      row = rows.size;
      this.makeRows(row + 1);
    }
    rows.set(index, row);
    return row;
  }

  /** Lets go of what the entity at `index` holds: references, so that they can be collected, and its sparse row. */
  vacate(index: number): void {
    if (this.external !== undefined) {
      this.external.vacate(index);
      return;
    }
    if (this.shared !== undefined) {
      this.shared.vacate(index);
      return;
    }
    const row = this.rowOf(index);
    const { held } = this;
    for (let k = 0; k < held.length; k++) (this.columns[held[k]] as unknown[])[row] = undefined;
    if (this.rows !== undefined) {
      this.rows.delete(index);
      this.freeRows.push(row);
    }
  }

  /** Whether it holds nothing but numbers by entity index, if anything. */
  get isPlain(): boolean {
    return this.fields.length === 0 || (this.isDense && this.isPacked);
  }

  /** Follows the world to another capacity. */
  grow(capacity: number): void {
    if (this.isDense) this.resize(capacity);
    else this.shared?.grow(capacity);
  }

  /** For rows that are not by index. */
  makeRows(count: number): void {
    if (count > this.rowCapacity) this.resize(Math.max(count, this.rowCapacity * 2));
  }

  private resize(capacity: number): void {
    this.rowCapacity = capacity;
    const { kept } = this;
    if (kept === undefined) return;
    this.names.forEach((name, k) => {
      kept[name] = growColumn(kept[name] as Column, this.fields[k] as Field, capacity, this.lane + k);
    });
    this.columnsMoved();
  }
}
