/**
 * Queries: which entities match, kept up to date for free (a query is a list of archetypes), and the ways to walk
 * them, from readable to raw.
 *
 * The rule for changes while walking: a pass visits the entities that matched when it began, each once; those that
 * died or no longer match when their turn comes are left out; new matches wait for the next pass. Filter terms
 * (`where`) are asked when the entity's turn comes, and only then.
 */

import type { Archetype } from "../archetypes/archetype.ts";
import type { MatchSet } from "../archetypes/match-set.ts";
import { requireFunction } from "../checks/arguments.ts";
import type { Columns } from "../components/access.ts";
import { describeValue } from "../components/fields.ts";
import type { ExternalStorage, Store } from "../components/store.ts";
import { type Entity, type EntityLike, INDEX_MASK, indexOf } from "../entities/entity.ts";
import { ARCHETYPE } from "../entities/index-record.ts";
import { QueryError } from "../errors.ts";
import type { WorldState } from "../state.ts";
import type { Callback } from "./loop.ts";
import { Pass } from "./pass.ts";
import { countOf, QueryLoops } from "./query-loops.ts";
import { type PassReader, requireOwn, requireResolver, splitTerms, type Viewed } from "./split-terms.ts";
import {
  type ColumnListOf,
  isComputed,
  nameOfTerm,
  type RelatedTerm,
  type Term,
  type ViewsOf,
} from "./terms.ts";

/** Nothing, or the value that a loop hands to its callback. One signature, not two, so that a union of queries can be walked. */
export type QueryArgument = readonly [] | readonly [argument: unknown];

/**
 * A query of one world. Making one is cheap and shares its matches with equal ones; keep it and reuse it, because
 * its loops are specialised the more it is used.
 */
export class Query<T extends readonly Term[] = readonly Term[]> {
  /** What the query asks for, in the order of the callback's arguments. */
  readonly terms: T;
  /** @internal */
  readonly state: WorldState;
  /** @internal */
  readonly match: MatchSet;
  private readonly world: object;
  /** What the callback gets a view of, in order. */
  private readonly viewed: readonly Viewed[];
  /** What must be asked of each entity that has the components. */
  private readonly filters: readonly ((index: number) => boolean)[];
  /** Terms that see each change in one pass only. */
  private readonly readers: readonly PassReader[];
  /** Whether the list of matches is all that `update` needs to know. */
  private readonly plainMatches: boolean;
  /** Whether a copy made before a loop can stand for all it writes: it writes to nothing but the matches. */
  private readonly canCopy: boolean;
  /** Those of the components whose external storages are notified of writes when a loop ends. */
  private readonly marking: readonly ExternalStorage[];
  private idle: Pass | undefined;
  private flat = new Int32Array(0);
  private flatRevision = -1;
  private flatCount = 0;
  /** How many passes of this query run inside each other now: each needs views of its own. */
  private depth = 0;
  /** How many of them hold the columns where they are. */
  private locks = 0;
  private readonly loops: QueryLoops;

  /** @internal Use `world.query(...)`. */
  constructor(state: WorldState, world: object, terms: T) {
    const { match, viewed, filters, readers } = splitTerms(state, world, terms);
    this.state = state;
    this.world = world;
    this.terms = terms;
    this.match = match;
    this.viewed = viewed;
    this.filters = filters;
    this.readers = readers;
    this.loops = new QueryLoops(state, viewed, this.isFiltered);
    this.marking = this.loops.stores.flatMap(({ external }) => (external?.beginMarking ? [external] : []));
    this.plainMatches = !this.isFiltered && viewed.every(({ optional }) => !optional);
    this.canCopy = this.plainMatches && viewed.every(({ resolve }) => resolve === undefined);
  }

  /** Whether terms must be evaluated per entity, so that matches are not simply whole archetypes. */
  get isFiltered(): boolean {
    return this.filters.length > 0;
  }

  /** How many entities match. Adds up list lengths; with filter terms it asks every candidate. */
  count(): number {
    this.state.requireUsable("count a query");
    const { archetypes } = this.match;
    if (!this.isFiltered) return countOf(archetypes);
    return archetypes.reduce((sum, { ids, count }) => sum + this.matchesIn(ids, count).length, 0);
  }

  /** Whether nothing matches. Stops at the first match. */
  isEmpty(): boolean {
    return this.first() === null;
  }

  /** The first match in the query's order, or `null`. */
  first(): Entity | null {
    this.state.requireUsable("read a query");
    for (const archetype of this.match.archetypes) {
      for (let k = 0; k < archetype.count; k++) {
        const index = archetype.ids[k] as number;
        if (this.passes(index)) return this.state.table.handleAt(index);
      }
    }
    return null;
  }

  /**
   * The only match.
   * @throws QueryError when none or several match.
   */
  single(): Entity {
    const found = this.ids();
    if (found.length === 1) return found[0] as Entity;
    throw new QueryError(
      `Cannot take the single match of ${this}: ${found.length} entities match. Use first(), or narrow the query.`,
      { entities: found.slice(0, 10), subject: String(this) },
    );
  }

  /** Whether `entity` matches now; false for a dead one. */
  includes(entity: EntityLike): boolean {
    return this.state.table.isAlive(entity) && this.holds(indexOf(entity));
  }

  /**
   * The entity that a term such as `parentHas` or `ancestorHas` finds for `entity`; `null` where there is none.
   *
   * @throws DeadEntityError, InvalidEntityError.
   */
  sourceOf(entity: EntityLike, term: RelatedTerm): Entity | null {
    const index = this.state.require(entity, "ask which entity answered");
    if (term?.term !== "related") {
      throw new QueryError(
        `Cannot say which entity answered: ${describeValue(term)} is not a term like parentHas().`,
        { value: term },
      );
    }
    const own = requireOwn(this.world, term);
    requireResolver(own);
    const found = own.resolve(index);
    return found === 0 ? null : this.state.handleAt(found);
  }

  /** All matches now, as a new array. */
  ids(): Entity[] {
    const found = this.candidates();
    if (!this.isFiltered) return found;
    this.beginReaders();
    try {
      return found.filter((entity) => this.passes(entity & INDEX_MASK));
    } finally {
      this.endReaders();
    }
  }

  /** Walks the matches; the world may be changed meanwhile (see the rule above). */
  *[Symbol.iterator](): IterableIterator<Entity> {
    const version = this.state.version;
    // A loop may end anywhere, so what changed is found out before it.
    const isRead = this.readers.length > 0;
    for (const entity of isRead ? this.ids() : this.candidates()) {
      if (isRead) {
        if (this.state.table.isAlive(entity) && this.isCandidate(entity & INDEX_MASK)) yield entity;
        continue;
      }
      const holds = this.state.version === version ? this.passes(entity & INDEX_MASK) : this.includes(entity);
      if (holds) yield entity;
    }
  }

  /**
   * Calls `fn(entity, ...views)` for every match. Views read and write the columns: `pos.x += vel.x`. They are reused
   * from entity to entity, so do not keep them. The world may be changed meanwhile (see the rule above).
   *
   * @param argument - A value that `fn` gets behind the views, as in `update`.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * world.spawn(Health({ hp: 0 }));
   * world.query(Health).each((entity, health) => {
   *   if (health.hp <= 0) world.destroy(entity);
   * });
   * world.count; // → 0
   * ```
   */
  each<A extends QueryArgument>(
    fn: (...given: [entity: Entity, ...views: ViewsOf<T>, ...argument: A]) => void,
    ...argument: A
  ): void;
  each(fn: unknown, argument?: unknown): void {
    this.prepare(fn);
    this.walk(fn as Callback, true, argument);
  }

  /**
   * Calls `fn(...views)` for every match: `each` without the entity, at about half the cost. Creating or destroying
   * entities, adding or removing components inside throws `StructureLockedError`.
   *
   * @param argument - A value that `fn` gets behind the views: faster than a variable of the function around it, and `fn` can be a
   * function that is made once.
   *
   * @example
   * ```ts
   * const Position = component("Position", { x: f32() });
   * const Velocity = component("Velocity", { x: f32(2) });
   * const ball = world.spawn(Position, Velocity);
   * world.query(Position, Velocity).update((position, velocity) => {
   *   position.x += velocity.x;
   * });
   * world.query(Position, Velocity).update((position, velocity, dt) => {
   *   position.x += velocity.x * dt;
   * }, 0.5);
   * world.get(ball, Position); // → { x: 3 }
   * ```
   */
  update<A extends QueryArgument>(
    fn: (...given: [...views: ViewsOf<T>, ...argument: A]) => void,
    ...argument: A
  ): void;
  update(fn: unknown, argument?: unknown): void {
    this.prepare(fn);
    if (this.plainMatches) this.updateMatches(fn as Callback, argument);
    else this.walk(fn as Callback, false, argument);
  }

  private prepare(fn: unknown): void {
    requireFunction(fn, "walk a query", "the callback");
    // Inside another pass of this query the world may have grown, unless that one holds the columns where they are.
    if (this.locks === 0) this.loops.prepare(this.match.archetypes);
  }

  /** `update` over the flat list of matches. */
  private updateMatches(fn: Callback, argument: unknown): void {
    const isCopied = this.copyColumns();
    // Before the loops are looked up: a list that was replaced needs new ones.
    const count = this.sync();
    this.lock();
    try {
      this.loops.ofList(this.depth++, isCopied, argument !== undefined, this.flat)(fn, count, argument);
    } finally {
      this.depth--;
      this.endMarking([this.flat], [count]);
      if (isCopied) this.state.recorder.endLoop();
      this.unlock();
    }
  }

  /** `each`; or without `entities`, `update` where terms must be evaluated per entity, or views may be missing. */
  private walk(fn: Callback, entities: boolean, argument: unknown): void {
    const isCopied = this.copyColumns();
    const pass = this.begin();
    if (!entities) this.lock();
    try {
      this.loops.ofPass(this.depth++, entities, isCopied, argument !== undefined)(fn, pass, this, argument);
    } finally {
      this.depth--;
      if (!entities) this.endMarking(pass.lists, pass.counts);
      this.end(pass);
      if (isCopied) this.state.recorder.endLoop();
      if (!entities) this.unlock();
    }
  }

  /** Keeps columns where they are, and lets views mark what they write. */
  private lock(): void {
    this.locks++;
    this.state.lockStructure();
    for (let k = 0; k < this.marking.length; k++) this.marking[k]?.beginMarking?.();
  }

  /** Views may have marked the entities of these lists. */
  private endMarking(lists: readonly Int32Array[], counts: readonly number[]): void {
    for (const storage of this.marking) {
      for (let t = 0; t < lists.length; t++) storage.marked?.(lists[t], counts[t]);
      storage.endMarking?.();
    }
  }

  /** Ends `lock`, as the last thing that a pass does: observers of what it wrote run now. */
  private unlock(): void {
    this.locks--;
    this.state.unlockStructure();
  }

  /** Records all that a pass may write as one copy. `false` where each write is recorded, or none is. */
  private copyColumns(): boolean {
    const { recorder } = this.state;
    if (!recorder.wanted || !this.canCopy) return false;
    const count = this.sync();
    return recorder.beginLoop(this.loops.stores, { ids: this.flat, count, revision: this.flatRevision });
  }

  /**
   * The raw loop: calls `fn(ids, count, ...columns)` once per dense list. `ids[k]` is an index into the columns, valid
   * for `k < count`. Writes are not seen by change detection: call `world.touch` where it matters. Structure is locked
   * as in `update`.
   *
   * @example
   * ```ts
   * const Position = component("Position", { x: f32(1) });
   * const ball = world.spawn(Position);
   * world.query(Position).run((ids, count, position) => {
   *   for (let k = 0; k < count; k++) position.x[ids[k]!]! *= 2;
   * });
   * world.get(ball, Position); // → { x: 2 }
   * ```
   */
  run(fn: (ids: Int32Array, count: number, ...columns: ColumnListOf<T>) => void): void {
    requireFunction(fn, "walk a query", "the callback");
    const pass = this.begin();
    this.state.lockStructure();
    try {
      const columns = this.columnSets();
      for (let t = 0; t < pass.lists.length; t++) {
        const ids = this.isFiltered ? this.matchesIn(pass.lists[t], pass.counts[t]) : pass.lists[t];
        const count = this.isFiltered ? ids.length : pass.counts[t];
        if (count > 0) (fn as (...args: unknown[]) => void)(ids, count, ...columns);
      }
    } finally {
      this.end(pass);
      this.state.unlockStructure();
    }
  }

  /**
   * Brings `indices` up to date and gives their number. Nothing is done when no match changed since the last call
   * (with filter terms it always asks).
   */
  sync(): number {
    this.state.requireUsable("read a query");
    let revision = 0;
    let count = 0;
    const archetypes = this.match.archetypes;
    for (let t = 0; t < archetypes.length; t++) {
      const archetype = archetypes[t] as Archetype;
      revision += archetype.revision;
      count += archetype.count;
    }
    if (revision === this.flatRevision && !this.isFiltered) return this.flatCount;
    this.flatRevision = revision;
    const { fixed, capacity } = this.state.table;
    if (count > this.flat.length) this.replaceList(Math.max(fixed ? capacity : 0, count * 2));
    let at = 0;
    this.beginReaders();
    try {
      for (const archetype of archetypes) {
        const ids = this.matchesIn(archetype.ids, archetype.count);
        this.flat.set(ids, at);
        at += ids.length;
      }
    } finally {
      this.endReaders();
    }
    this.flatCount = at;
    return at;
  }

  /** A number that is another when entities came or left, but for what filter terms say. */
  get revision(): number {
    let revision = 0;
    for (const archetype of this.match.archetypes) revision += archetype.revision;
    return revision;
  }

  private replaceList(length: number): void {
    this.flat = new Int32Array(length);
    this.loops.listReplaced();
  }

  /**
   * The indices of all matches in one list, as of the last `sync()`; for loops that hold their columns and this list
   * in constants. In a `fixed` world it is the same array for good; otherwise fetch it after `sync()`.
   */
  get indices(): Int32Array {
    const { fixed, capacity } = this.state.table;
    if (fixed && this.flat.length === 0) this.replaceList(capacity);
    return this.flat;
  }

  /**
   * The dense lists themselves, for loops that hold their columns in constants. Nothing protects such a loop: change
   * no structure inside it. Filter terms are not applied.
   */
  get tables(): readonly { readonly ids: Int32Array; readonly count: number }[] {
    return this.match.archetypes;
  }

  /** @internal The archetypes of which all entities match; nothing where filter terms must be asked. */
  get archetypes(): readonly Archetype[] | undefined {
    return this.isFiltered ? undefined : this.match.archetypes;
  }

  /** @internal What `run` gives: the components with fields that every match has. */
  viewedStores(): Store[] {
    return this.viewed.flatMap(({ of, optional, resolve }) =>
      isComputed(of) || optional || resolve ? [] : [of],
    );
  }

  /** @internal */
  columnSets(): Columns[] {
    return this.viewedStores().map(denseColumns);
  }

  /** What has the components; filter terms are yet to be asked. */
  private candidates(): Entity[] {
    this.state.requireUsable("read a query");
    const { archetypes } = this.match;
    const found = new Array<Entity>(countOf(archetypes));
    let at = 0;
    for (const { ids, count } of archetypes) {
      for (let k = 0; k < count; k++) found[at++] = this.state.table.handleAt(ids[k]);
    }
    return found;
  }

  /** @internal */
  passes(index: number): boolean {
    for (let k = 0; k < this.filters.length; k++) if (!this.filters[k](index)) return false;
    return true;
  }

  /** Those of the first `count` indices for which the filter terms hold. */
  private matchesIn(ids: Int32Array, count: number): Int32Array {
    const own = ids.subarray(0, count);
    return this.isFiltered ? own.filter((index) => this.passes(index)) : own;
  }

  /** @internal */
  holds(index: number): boolean {
    return this.isCandidate(index) && this.passes(index);
  }

  private isCandidate(index: number): boolean {
    const archetype = this.state.table.info[(index << 2) | ARCHETYPE];
    return archetype >= 0 && this.match.matched[archetype] === 1;
  }

  private beginReaders(): void {
    for (let k = 0; k < this.readers.length; k++) this.readers[k].begin();
  }

  private endReaders(): void {
    for (let k = 0; k < this.readers.length; k++) this.readers[k].end();
  }

  private begin(): Pass {
    this.state.requireUsable("iterate a query");
    const pass = this.idle ?? new Pass();
    this.idle = undefined;
    pass.pin(this.match.archetypes, this.viewed);
    this.beginReaders();
    this.state.table.iterating++;
    return pass;
  }

  private end(pass: Pass): void {
    pass.unpin();
    this.endReaders();
    this.idle = pass;
    this.state.table.endIteration();
  }

  /** Its terms, for messages. */
  toString(): string {
    return `query(${this.terms.map(nameOfTerm).join(", ")})`;
  }
}

/** The columns of a component that a loop may index by entity index. */
export function denseColumns(store: Store): Columns {
  if (store.isDense) return store.columns;
  throw new QueryError(
    `Cannot loop over the columns of ${store.component.name}: its values are not kept by entity index. Use each() or update(), or get() and set().`,
    { component: store.component.name },
  );
}
