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
import type { AnyComponent } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import type { ExternalStorage, Store } from "../components/store.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE } from "../entities/place-record.ts";
import { QueryError } from "../errors.ts";
import type { ChangeReader } from "../listeners/changes.ts";
import { readChanges } from "../listeners/listen.ts";
import type { WorldState } from "../state.ts";
import type { LoopHost, Pass } from "./loop.ts";
import { MutablePass } from "./pass.ts";
import { countOf, QueryLoops } from "./query-loops.ts";
import { requireResolver, splitTerms } from "./split-terms.ts";
import {
  type ColumnListOf,
  type ComputedTerm,
  type FilterTerm,
  isComputed,
  nameOfTerm,
  type RelatedTerm,
  type Term,
  type ViewsOf,
} from "./terms.ts";

/**
 * A query of one world. Making one is cheap and shares its matches with equal ones; keep it and reuse it, because
 * its loops are specialised the more it is used.
 */
export class Query<T extends readonly Term[] = readonly Term[]> implements LoopHost {
  readonly terms: T;
  /** @internal */
  readonly state: WorldState;
  /** @internal */
  readonly match: MatchSet;
  /** What the callback gets a view of, in order. */
  private readonly viewed: readonly (Store | ComputedTerm)[];
  /** Those of `viewed` that are components. */
  private readonly stores: readonly Store[];
  private readonly optionalViews: readonly boolean[];
  /** For each view the way to the entity it stands at; nothing where that is the match itself. */
  private readonly resolvers: readonly (((index: number) => number) | undefined)[];
  private readonly filters: readonly FilterTerm[];
  /** Whether the list of matches is all that `update` needs to know. */
  private readonly plainMatches: boolean;
  /** Whether a copy made before a loop can stand for all it writes: it writes to nothing but the matches. */
  private readonly canCopy: boolean;
  /** Those of the components whose keepers are told of writes when a loop ends. */
  private readonly marking: readonly ExternalStorage[];
  private idle: MutablePass | undefined = new MutablePass();
  private flat = new Int32Array(0);
  private flatRevision = -1;
  private flatCount = 0;
  /** How many passes of this query run inside each other now: each needs views of its own. */
  private depth = 0;
  private readonly loops: QueryLoops;

  /** @internal Use `world.query(...)`. */
  constructor(state: WorldState, terms: T) {
    const parts = splitTerms(state, terms);
    const stores = (components: readonly AnyComponent[]) =>
      components.map((component) => state.store(component));
    this.state = state;
    this.terms = terms;
    this.match = state.graph.match(stores(parts.all), stores(parts.none), parts.some.map(stores));
    this.viewed = parts.viewed.map(({ of }) => (isComputed(of) ? of : state.store(of)));
    this.stores = this.viewed.filter((each) => !isComputed(each)) as Store[];
    this.marking = this.stores.flatMap(({ external }) => (external?.beginMarking ? [external] : []));
    this.optionalViews = parts.viewed.map((view) => view.optional);
    this.resolvers = parts.viewed.map((view) => view.resolve);
    this.filters = parts.filters;
    this.plainMatches = parts.filters.length === 0 && !this.optionalViews.includes(true);
    this.loops = new QueryLoops(state, {
      of: this.viewed,
      optional: this.optionalViews,
      resolvers: this.resolvers,
      filtered: this.isFiltered,
    });
    this.canCopy = this.plainMatches && this.resolvers.every((resolve) => resolve === undefined);
  }

  /** Whether terms must be asked per entity, so that matches are not simply whole archetypes. */
  get isFiltered(): boolean {
    return this.filters.length > 0;
  }

  /** How many entities match. Adds up list lengths; with filter terms it asks every candidate. */
  count(): number {
    this.state.requireUsable("count a query");
    let count = 0;
    for (const archetype of this.match.archetypes) {
      if (this.filters.length === 0) count += archetype.count;
      else for (let k = 0; k < archetype.count; k++) if (this.passes(archetype.ids[k] as number)) count++;
    }
    return count;
  }

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
      found.slice(0, 10),
    );
  }

  /** Whether `entity` matches now; false for a dead one. */
  includes(entity: Entity): boolean {
    return this.state.table.isAlive(entity) && this.holds(entity & INDEX_MASK);
  }

  /**
   * The entity that a term such as `parentHas` or `ancestorHas` finds for `entity`; `null` where there is none.
   *
   * @throws DeadEntityError, InvalidEntityError.
   */
  sourceOf(entity: Entity, term: RelatedTerm): Entity | null {
    const index = this.state.require(entity, "ask which entity answered");
    if (term?.term !== "related") {
      throw new QueryError(
        `Cannot say which entity answered: ${describeValue(term)} is not a term like parentHas().`,
      );
    }
    requireResolver(term);
    const found = term.resolve(index);
    return found === 0 ? null : this.state.handleAt(found);
  }

  /** All matches now, as a new array. */
  ids(): Entity[] {
    const found = this.candidates();
    return this.filters.length === 0 ? found : found.filter((entity) => this.passes(entity & INDEX_MASK));
  }

  /** Walks the matches; the world may be changed meanwhile (see the rule above). */
  *[Symbol.iterator](): IterableIterator<Entity> {
    const version = this.state.version;
    for (const entity of this.candidates()) {
      const holds = this.state.version === version ? this.passes(entity & INDEX_MASK) : this.includes(entity);
      if (holds) yield entity;
    }
  }

  /**
   * Calls `fn(entity, ...views)` for every match. Views read and write the columns: `pos.x += vel.x`. They are reused
   * from entity to entity, so do not keep them. The world may be changed meanwhile (see the rule above).
   */
  each(fn: (entity: Entity, ...views: ViewsOf<T>) => void): void {
    requireFunction(fn, "walk a query", "the callback");
    this.prepare();
    const isCopied = this.state.recorder.wanted && this.copyColumns();
    const pass = this.begin();
    try {
      const loop = this.loops.ofEntities(this.depth++, isCopied);
      loop(fn as unknown as (...args: never[]) => void, pass, this);
    } finally {
      this.depth--;
      this.end(pass);
      if (isCopied) this.state.recorder.endLoop();
    }
  }

  /**
   * Calls `fn(...views)` for every match: `each` without the entity, at about half the cost. Creating or destroying
   * entities, adding or removing components inside throws `StructureLockedError`.
   */
  update(fn: (...views: ViewsOf<T>) => void): void {
    requireFunction(fn, "walk a query", "the callback");
    this.prepare();
    if (this.plainMatches) this.updateMatches(fn);
    else this.updateCandidates(fn);
  }

  /** `update` over the flat list of matches. */
  private updateMatches(fn: (...views: ViewsOf<T>) => void): void {
    const { state } = this;
    const isCopied = state.recorder.wanted && this.copyColumns();
    // Before the loops are looked up: a list that was replaced needs new ones.
    const count = this.sync();
    const loop = this.loops.ofList(this.depth, isCopied, this.flat);
    this.depth++;
    this.lock();
    try {
      loop(fn as (...args: never[]) => void, count);
    } finally {
      this.depth--;
      for (let k = 0; k < this.marking.length; k++) this.marking[k]?.marked?.(this.flat, count);
      this.unlock();
      if (isCopied) state.recorder.endLoop();
    }
  }

  /** `update` where terms must be asked per entity, or views may be missing. */
  private updateCandidates(fn: (...views: ViewsOf<T>) => void): void {
    const pass = this.begin();
    this.lock();
    try {
      const loop = this.loops.ofValues(this.depth++);
      loop(fn as (...args: never[]) => void, pass, this);
    } finally {
      this.depth--;
      for (let t = 0; t < pass.lists.length; t++) {
        const count = pass.counts[t] as number;
        for (let k = 0; k < this.marking.length; k++) this.marking[k]?.marked?.(pass.lists[t], count);
      }
      this.unlock();
      this.end(pass);
    }
  }

  /** Keeps columns where they are, and lets views mark what they write. */
  private lock(): void {
    this.state.lockStructure();
    for (let k = 0; k < this.marking.length; k++) this.marking[k]?.beginMarking?.();
  }

  private unlock(): void {
    for (let k = 0; k < this.marking.length; k++) this.marking[k]?.endMarking?.();
    this.state.unlockStructure();
  }

  /** Records all that a pass may write as one copy. `false` where each write is recorded. */
  private copyColumns(): boolean {
    if (!this.canCopy) return false;
    const count = this.sync();
    return this.state.recorder.beginLoop(this.stores, {
      ids: this.flat,
      count,
      revision: this.flatRevision,
    });
  }

  /**
   * The raw loop: calls `fn(ids, count, ...columns)` once per dense list. `ids[k]` is an index into the columns, valid
   * for `k < count`. Writes are not seen by change detection: call `world.touch` where it matters. Structure is locked
   * as in `update`.
   */
  run(fn: (ids: Int32Array, count: number, ...columns: ColumnListOf<T>) => void): void {
    requireFunction(fn, "walk a query", "the callback");
    const pass = this.begin();
    this.state.lockStructure();
    try {
      const columns = this.columnSets();
      for (let t = 0; t < pass.lists.length; t++) {
        let ids = pass.lists[t] as Int32Array;
        let count = pass.counts[t] as number;
        if (this.filters.length > 0) {
          ids = ids.slice(0, count).filter((index) => this.passes(index));
          count = ids.length;
        }
        if (count > 0) (fn as (...args: unknown[]) => void)(ids, count, ...columns);
      }
    } finally {
      this.state.unlockStructure();
      this.end(pass);
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
    if (revision === this.flatRevision && this.filters.length === 0) return this.flatCount;
    this.flatRevision = revision;
    if (count > this.flat.length) {
      this.flat = new Int32Array(Math.max(this.state.table.fixed ? this.state.table.capacity : 0, count * 2));
      this.loops.listReplaced();
    }
    let at = 0;
    for (const archetype of archetypes) {
      if (this.filters.length === 0) {
        this.flat.set(archetype.ids.subarray(0, archetype.count), at);
        at += archetype.count;
      } else {
        for (let k = 0; k < archetype.count; k++) {
          const index = archetype.ids[k] as number;
          if (this.passes(index)) this.flat[at++] = index;
        }
      }
    }
    this.flatCount = at;
    return at;
  }

  /**
   * The indices of all matches in one list, as of the last `sync()`; for loops that hold their columns and this list
   * in constants. In a `fixed` world it is the same array for good; otherwise fetch it after `sync()`.
   */
  get indices(): Int32Array {
    if (this.state.table.fixed && this.flat.length === 0) {
      this.flat = new Int32Array(this.state.table.capacity);
      this.loops.listReplaced();
    }
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
    return this.filters.length === 0 ? this.match.archetypes : undefined;
  }

  /** @internal What `run` gives: the components with fields that every match has. */
  viewedStores(): Store[] {
    return this.viewed.filter(
      (each, k): each is Store =>
        !isComputed(each) && !this.optionalViews[k] && this.resolvers[k] === undefined,
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
    for (let k = 0; k < this.filters.length; k++)
      if (!(this.filters[k] as FilterTerm).test(index)) return false;
    return true;
  }

  /** @internal */
  holds(index: number): boolean {
    const archetype = this.state.table.info[(index << 2) | ARCHETYPE];
    return archetype >= 0 && this.match.matched[archetype] === 1 && this.passes(index);
  }

  /** @internal The pass of a raw walk over this query, for rooms that order it differently. */
  begin(): Pass {
    this.state.requireUsable("iterate a query");
    const pass = this.idle ?? new MutablePass();
    this.idle = undefined;
    pass.fill(this.match.archetypes, this.viewed);
    this.state.table.iterating++;
    return pass;
  }

  /** @internal */
  end(pass: Pass): void {
    (pass as MutablePass).unpin();
    this.idle = pass as MutablePass;
    this.state.table.endIteration();
  }

  toString(): string {
    return `query(${this.terms.map(nameOfTerm).join(", ")})`;
  }

  private prepare(): void {
    if (this.depth === 0) this.loops.prepare(this.match.archetypes);
  }

  /** A reader of the changes of `component` that lists only entities which match this query. */
  changes(component: AnyComponent): ChangeReader {
    return readChanges(this.state, component, (entity) => this.includes(entity));
  }
}

/** The columns of a component that a loop may index by entity index. */
export function denseColumns(store: Store): Columns {
  if (store.isDense) return store.columns;
  throw new QueryError(
    `Cannot loop over the columns of ${store.component.name}: its values are not kept by entity index. Use each() or update(), or get() and set().`,
  );
}
