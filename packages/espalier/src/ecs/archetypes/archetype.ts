/**
 * An archetype is one combination of components and the dense list of the entities that have exactly it.
 *
 * Adding or removing a component moves an entity between two lists and touches no query: a query is a list of
 * archetypes. A list that an iteration is walking is copied before its first change (`pins`), so every iteration sees
 * the entities that were there when it began.
 */

import type { Store } from "../components/store.ts";
import { ARCHETYPE, ROW } from "../entities/index-record.ts";
import { grown } from "../grown.ts";

export class Archetype {
  readonly id: number;
  /** Its position among all archetypes in the order of queries; see `ArchetypeGraph.ordered`. */
  rank: number;
  /** Sorted by component id. */
  readonly stores: readonly Store[];
  /** Those of `stores` with values that must be cleared or freed when an entity leaves. */
  readonly releasing: readonly Store[];
  /** How many values of an entity live in typed arrays, and how many are strings and objects. */
  readonly packed: number;
  readonly references: number;
  /** Whether functions of the user's make some of the defaults; see `start-values.ts`. */
  readonly areMade: boolean;
  /** `has[componentId] === 1`. Long enough for every component of the world. */
  has: Uint8Array;
  /** Entity indices. Only the first `count` are valid. */
  ids: Int32Array = new Int32Array(8);
  count = 0;
  pins = 0;
  /** Grows with every change of the list. */
  revision = 0;
  /** Those of `stores` that have change readers, and whether one has observers, as of the world's listener version `listenedAt`. */
  logged: readonly Store[] = [];
  observed = false;
  listenedAt = -1;
  /** By component id: the archetype with that component added or removed. */
  readonly withComponent: (Archetype | undefined)[] = [];
  readonly withoutComponent: (Archetype | undefined)[] = [];

  constructor(id: number, stores: readonly Store[], width: number) {
    this.id = id;
    this.rank = id;
    this.stores = stores;
    this.releasing = stores.filter((store) => store.releases && !store.external?.followsDeath);
    this.packed = stores.reduce((sum, store) => sum + store.packed, 0);
    this.references = stores.reduce((sum, store) => sum + store.fields.length, 0) - this.packed;
    this.areMade = stores.some(({ made }) => made.length !== 0);
    this.has = new Uint8Array(width);
    for (const store of stores) this.has[store.id] = 1;
  }

  /** Makes the rows of `ids` safe to change while an iteration still reads the old list. */
  unshare(): void {
    this.ids = this.ids.slice();
    this.pins = 0;
  }

  /** Appends. Needs no copy while pinned: an iteration looks only at the rows that were there when it began. */
  push(index: number, info: Int32Array): void {
    info[(index << 2) | ARCHETYPE] = this.id;
    const at = this.count;
    if (at === this.ids.length) this.makeRoom(1);
    this.ids[at] = index;
    info[(index << 2) | ROW] = at;
    this.count = at + 1;
    this.revision++;
  }

  /** Makes room for `count` further rows. */
  makeRoom(count: number): void {
    const needed = this.count + count;
    if (needed <= this.ids.length) return;
    this.ids = grown(this.ids, Math.max(this.ids.length * 2, needed));
    this.pins = 0;
  }

  /** Gives back room for rows that doubling left over, a 64th excepted. */
  fit(): void {
    const length = Math.max(8, this.count + (this.count >> 6));
    if (this.pins !== 0 || length > this.ids.length - (this.ids.length >> 3)) return;
    this.ids = grown(this.ids, length);
    this.revision++;
  }

  /** Takes an entity out; the last one fills its row. */
  drop(index: number, info: Int32Array): void {
    if (this.pins !== 0) this.unshare();
    const ids = this.ids;
    const at = info[(index << 2) | ROW];
    const end = --this.count;
    const last = ids[end] as number;
    ids[at] = last;
    info[(last << 2) | ROW] = at;
    this.revision++;
  }

  /** Moves rows first..last - 1 to the end of another list, in their order; the last ones that stay fill the gap. */
  moveRows(to: Archetype, first: number, last: number, info: Int32Array): void {
    if (this.pins !== 0) this.unshare();
    to.makeRoom(last - first);
    const { ids, count } = this;
    const { ids: moved, id } = to;
    let end = to.count;
    for (let row = first; row < last; row++) {
      const index = ids[row];
      moved[end] = index;
      info[(index << 2) | ARCHETYPE] = id;
      info[(index << 2) | ROW] = end++;
    }
    to.count = end;
    this.count = count - (last - first);
    for (let row = Math.max(last, this.count), at = first; row < count; row++, at++) {
      ids[at] = ids[row];
      info[(ids[row] << 2) | ROW] = at;
    }
    this.revision++;
    to.revision++;
  }

  /** Puts an entity that was pushed last into row `at`; the one there goes to the end. Undoes `drop`. */
  seat(index: number, at: number, info: Int32Array): void {
    if (at < 0 || at >= this.count) return;
    if (this.pins !== 0) this.unshare();
    const from = info[(index << 2) | ROW];
    const other = this.ids[at] as number;
    this.ids[at] = index;
    this.ids[from] = other;
    info[(index << 2) | ROW] = at;
    info[(other << 2) | ROW] = from;
    this.revision++;
  }

  toString(): string {
    return this.stores.length === 0
      ? "(no components)"
      : this.stores.map((store) => store.component.name).join(" ");
  }
}
