/**
 * The matches of a query in an order of their own, kept from read to read: a read takes out what changed, sorts that, and merges it in again.
 */
import { refuseArgument, requireFunction, requireList, requireObject } from "../checks/arguments.ts";
import { checkOptions, type OptionKinds } from "../checks/check-options.ts";
import { type AnyComponent, isComponent } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { type Entity, formatEntity, INDEX_MASK } from "../entities/entity.ts";
import { QueryError } from "../errors.ts";
import { grown } from "../grown.ts";
import type { ChangeReader } from "../listeners/changes.ts";
import { closeWhenDropped, keepNoLonger, warnOfMany } from "../listeners/close-when-dropped.ts";
import { readChanges } from "../listeners/read-changes.ts";
import type { WorldState } from "../state.ts";
import { Query } from "./query.ts";
import type { Term } from "./terms.ts";

/** By what a sorted query is sorted: a key of each entity, or a comparison of two. */
export interface SortBy {
  /** What an entity is sorted by: all numbers, or all strings. Read once for each change. Equal ones are in the order of their handles. */
  readonly key?: (entity: Entity) => number | string;
  /** Instead of `key`: negative when `a` comes before `b`. Where it is 0 they are in the order of their handles. */
  readonly compare?: (a: Entity, b: Entity) => number;
  /** The components that the key or the comparison reads: an entity moves only when one of these of it changes. */
  readonly on?: readonly AnyComponent[];
  /** A number that is another when every entity may have moved: `() => tree.version`. */
  readonly version?: () => number;
}

const sortOptions: OptionKinds = {
  key: "anything",
  compare: "anything",
  on: "anything",
  version: "anything",
};

/**
 * The matches of a query, sorted. The list is kept: a read costs the matches once, and sorting only for those that came or changed.
 *
 * @example
 * ```ts
 * const Score = component("Score", { points: f32() });
 * const [low, high] = [world.spawn(Score({ points: 1 })), world.spawn(Score({ points: 9 }))];
 * const ranking = sortedQuery(world.query(Score), { key: (e) => -world.get(e, Score)!.points, on: [Score] });
 * ranking.ids(); // → [high, low]
 * world.set(low, Score, { points: 10 });
 * ranking.limit(1); // → [low]
 * ```
 */
export function sortedQuery(query: Query<readonly Term[]>, by: SortBy): SortedQuery {
  if (!(query instanceof Query))
    refuseArgument(query, "sort a query", "it", "one that world.query() returned");
  requireObject(by, "sort a query", "what to sort it by");
  checkOptions(query.state.checks, "sort a query", by, sortOptions);
  const { key, compare, on = [], version } = by;
  if ((key === undefined) === (compare === undefined)) {
    throw new QueryError(`Cannot sort ${query}: give either key or compare.`, {
      option: key === undefined ? "key" : "compare",
    });
  }
  requireFunction(key ?? compare, "sort a query", key === undefined ? "compare" : "key");
  if (version !== undefined) requireFunction(version, "sort a query", "version");
  requireList(on, "sort a query", "its list of components");
  for (const each of on)
    if (!isComponent(each)) refuseArgument(each, "sort a query", "what it depends on", "a component");
  return new SortedQuery(query, by);
}

/** A query in an order of its own, made by `sortedQuery`. */
export class SortedQuery implements Iterable<Entity> {
  private readonly query: Query<readonly Term[]>;
  private readonly by: SortBy;
  private readonly state: WorldState;
  private readonly readers: readonly ChangeReader[];
  private list: readonly Entity[] = [];
  /** The key of each in the list, where there are keys. */
  private keys: readonly (number | string)[] = [];
  /** By index: the handle of the entity in the list, 0 for none. */
  private held = new Float64Array(64);
  /** By index: the number of the read that saw it as a match, or found it changed. */
  private matched = new Uint32Array(64);
  private moved = new Uint32Array(64);
  private reads = 0;
  private revision = -1;
  private orderVersion: number | undefined;
  private isClosed = false;
  private isBroken = false;

  /** @internal Use `sortedQuery`. */
  constructor(query: Query<readonly Term[]>, by: SortBy) {
    this.query = query;
    this.by = by;
    this.state = query.state;
    this.readers = (by.on ?? []).map((component) => readChanges(query.state, component, () => true));
    this.orderVersion = by.version?.();
    closeWhenDropped(this, this.readers);
    for (const component of by.on ?? []) warnOfMany(query.state, component);
  }

  /**
   * The matches in order, right at once. The same array as before when nothing changed, and never changed afterwards: a user interface can compare it
   * and keep it.
   */
  ids(): readonly Entity[] {
    this.sync();
    return this.list;
  }

  /** The first in order, or `null`. */
  first(): Entity | null {
    return this.ids()[0] ?? null;
  }

  /** The first `count` in order. */
  limit(count: number): readonly Entity[] {
    if (!Number.isInteger(count) || count < 0)
      refuseArgument(count, "limit a query", "the number of matches", "an integer of at least 0");
    return this.ids().slice(0, count);
  }

  /** How many match. */
  count(): number {
    return this.ids().length;
  }

  /** Walks the matches in order; those that died or no longer match when their turn comes are left out. */
  *[Symbol.iterator](): IterableIterator<Entity> {
    const { version } = this.state;
    for (const entity of this.ids())
      if (this.state.version === version || this.query.includes(entity)) yield entity;
  }

  /** Ends it. Nothing is noted for it any more. */
  close(): void {
    this.isClosed = true;
    keepNoLonger(this);
    for (const reader of this.readers) reader.close();
  }

  /** Brings the list up to date. */
  private sync(): void {
    if (this.isClosed) {
      throw new QueryError(
        `Cannot read the sorted ${this.query}: it was closed. Make another with sortedQuery().`,
        {
          subject: String(this.query),
        },
      );
    }
    // A key, a comparison or a filter that threw: begin anew.
    if (this.isBroken) this.forget();
    this.isBroken = true;
    this.update();
    this.isBroken = false;
  }

  private update(): void {
    const orderVersion = this.by.version?.();
    const isAll = orderVersion !== this.orderVersion;
    this.orderVersion = orderVersion;
    this.reads++;
    const changes = this.noteChanges();
    const isOther = this.query.revision !== this.revision || this.query.isFiltered;
    if (!isAll && !changes && !isOther) return;
    const coming: Entity[] = [];
    if (isOther) this.findNew(coming);
    this.merge(coming, isAll, isOther);
  }

  private forget(): void {
    this.list = [];
    this.keys = [];
    this.held.fill(0);
    this.revision = -1;
  }

  /** Notes which entities may have moved; whether there are any. */
  private noteChanges(): boolean {
    let isAny = false;
    for (const reader of this.readers) {
      if (reader.pending === 0) continue;
      reader.forEach((entity) => {
        const index = entity & INDEX_MASK;
        if (index >= this.moved.length) this.moved = grown(this.moved, index * 2);
        this.moved[index] = this.reads;
        isAny = true;
      });
    }
    return isAny;
  }

  /** Lists the matches that are not in the list. */
  private findNew(coming: Entity[]): void {
    const { query, reads } = this;
    const { table } = this.state;
    const count = query.sync();
    this.revision = query.revision;
    const { indices } = query;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      if (index >= this.matched.length) this.matched = grown(this.matched, index * 2);
      if (index >= this.held.length) this.held = grown(this.held, index * 2);
      this.matched[index] = reads;
      const entity = table.handleAt(index);
      if (this.held[index] !== entity) coming.push(entity);
    }
  }

  /** Takes out what left or may have moved, sorts what comes, and puts both together. */
  private merge(coming: Entity[], isAll: boolean, isOther: boolean): void {
    const { by, list, keys, held, matched, moved, reads } = this;
    const { table } = this.state;
    const stay: Entity[] = [];
    const stayKeys: (number | string)[] = [];
    for (let k = 0; k < list.length; k++) {
      const entity = list[k];
      const index = entity & INDEX_MASK;
      if (isOther && (matched[index] !== reads || table.handleAt(index) !== entity)) {
        if (held[index] === entity) held[index] = 0;
      } else if (isAll || moved[index] === reads) coming.push(entity);
      else {
        stay.push(entity);
        if (by.key !== undefined) stayKeys.push(keys[k]);
      }
    }
    if (coming.length === 0 && stay.length === list.length) return;
    for (const entity of coming) held[entity & INDEX_MASK] = entity;
    if (by.key === undefined) this.mergeCompared(stay, coming);
    else this.mergeKeyed(stay, stayKeys, coming, by.key);
  }

  private mergeKeyed(
    stay: readonly Entity[],
    stayKeys: readonly (number | string)[],
    coming: Entity[],
    keyOf: (entity: Entity) => number | string,
  ): void {
    let other = stayKeys[0];
    const rows = coming.map((entity) => {
      const key = this.requireKey(entity, keyOf(entity), other);
      other ??= key;
      return { entity, key };
    });
    rows.sort((a, b) => (a.key === b.key ? a.entity - b.entity : a.key < b.key ? -1 : 1));
    const size = stay.length + rows.length;
    const list = new Array<Entity>(size);
    const keys = new Array<number | string>(size);
    for (let k = 0, s = 0, c = 0; k < size; k++) {
      const row = rows[c];
      const isStaying =
        row === undefined ||
        (s < stay.length && (stayKeys[s] === row.key ? stay[s] < row.entity : stayKeys[s] < row.key));
      list[k] = isStaying ? stay[s] : row.entity;
      keys[k] = isStaying ? stayKeys[s++] : row.key;
      if (!isStaying) c++;
    }
    this.list = list;
    this.keys = keys;
  }

  private mergeCompared(stay: readonly Entity[], coming: Entity[]): void {
    const { compare } = this.by as Required<SortBy>;
    const order = (a: Entity, b: Entity) => compare(a, b) || a - b;
    coming.sort(order);
    const size = stay.length + coming.length;
    const list = new Array<Entity>(size);
    for (let k = 0, s = 0, c = 0; k < size; k++) {
      const isStaying = c === coming.length || (s < stay.length && order(stay[s], coming[c]) < 0);
      list[k] = isStaying ? stay[s++] : coming[c++];
    }
    this.list = list;
  }

  /** Refuses keys that have no order among each other. */
  private requireKey(
    entity: Entity,
    key: number | string,
    other: number | string | undefined,
  ): number | string {
    const isKey = typeof key === "string" || (typeof key === "number" && !Number.isNaN(key));
    if (isKey && (other === undefined || typeof other === typeof key)) return key;
    throw new QueryError(
      `Cannot sort ${this.query}: the key of ${formatEntity(entity)} is ${describeValue(key)}. Give numbers for all, or strings for all.`,
      { entities: [entity], value: key, subject: String(this.query) },
    );
  }
}
