/**
 * Changes of many entities in one call.
 */
import type { Archetype } from "./archetype.ts";
import type { AnyComponent, ComponentInit } from "./component.ts";
import { type Entity, INDEX_MASK } from "./entity.ts";
import { InvalidValueError, QueryError } from "./errors.ts";
import { describe } from "./fields.ts";
import { releaseMany, takeMany } from "./many-places.ts";
import { ARCHETYPE, ROW } from "./place-record.ts";
import { CoreQuery } from "./query.ts";
import type { Store } from "./store.ts";
import type { Term } from "./terms.ts";
import { valuesOf } from "./world-door.ts";
import { WorldRooms } from "./world-rooms.ts";

export class WorldBulk extends WorldRooms {
  /** Whether somebody must hear of every single change. A recorder need not if it has a method for all at once. */
  private mustHear(all: "spawnedMany" | "destroyingWhole" | "addingToAll" | "removingFromAll"): boolean {
    const { recorder } = this;
    const isDeaf = recorder === undefined || recorder[all] !== undefined;
    return !isDeaf || this.listeners !== 0 || this.onDestroy.length !== 0;
  }

  /** Creates `count` entities with the same components. Cheaper than `spawn` in a loop. */
  spawnMany(count: number, ...inits: ComponentInit[]): Entity[] {
    this.requireUsable("create entities");
    if (!Number.isInteger(count) || count < 0) {
      throw new InvalidValueError(`Cannot spawn ${describe(count)} entities. Give an integer of at least 0.`);
    }
    const stores = this.checkAll(inits, 0);
    this.requireUnlocked("create entities");
    const isBulk = this.spawnHooks.length === 0 && this.onSpawn.length === 0;
    if (isBulk && !this.mustHear("spawnedMany")) return this.spawnBulk(count, stores, inits);
    this.table.reserve(count);
    const spawned = new Array<Entity>(count);
    for (let k = 0; k < count; k++) spawned[k] = this.spawnAt(this.table.take(), stores, inits);
    return spawned;
  }

  /**
   * Adds components to every match of a query at once; far cheaper than one by one while nobody listens. The matches
   * are those at the start: `addAll(query(A), B)` ends also when B makes the query match anew.
   */
  addAll(query: CoreQuery<readonly Term[]>, ...inits: ComponentInit[]): void {
    this.requireBulk(query, "add a component");
    const stores = this.checkAll(inits, 0);
    const guarded = stores.some((store) => store.guards !== undefined);
    // Values that are overwritten are recorded one by one.
    const overwrites = query.match.archetypes.some(
      ({ has, count }) => count !== 0 && stores.some(({ id }) => has[id] === 1),
    );
    const isRecorded = this.recorder !== undefined;
    if (query.isFiltered || guarded || this.mustHear("addingToAll") || (overwrites && isRecorded)) {
      const entities = query.ids();
      if (guarded) for (const entity of entities) this.checkAll(inits, entity & INDEX_MASK);
      for (const entity of entities) this.addSeveral(entity, stores, inits);
      return;
    }
    // What comes to the end of a list meanwhile has the components already.
    const { archetypes } = query.match;
    const counts = archetypes.map((archetype) => archetype.count);
    counts.forEach((count, t) => {
      this.addToAll(archetypes[t] as Archetype, count, stores, inits);
    });
  }

  /** Removes components from every match of a query at once. */
  removeAll(query: CoreQuery<readonly Term[]>, ...components: AnyComponent[]): void {
    this.requireBulk(query, "remove a component");
    const stores = components.map((component) => this.store(component));
    for (const store of stores) this.requireUnreserved(store, "remove", undefined);
    if (query.isFiltered || this.mustHear("removingFromAll")) {
      for (const entity of query.ids()) if (this.isAlive(entity)) this.remove(entity, ...components);
      return;
    }
    for (const archetype of query.match.archetypes.slice()) this.removeFromAll(archetype, stores);
  }

  /** Destroys every match of a query, with everything that must go with them. */
  destroyAll(query: CoreQuery<readonly Term[]>): void {
    this.requireBulk(query, "destroy an entity");
    const isBulk = this.leaveHooks.length === 0 && this.doomHooks.length === 0;
    if (!isBulk || query.isFiltered || this.mustHear("destroyingWhole"))
      for (const entity of query.ids()) this.destroyWithDoomed(entity);
    else for (const archetype of query.match.archetypes) this.destroyWhole(archetype);
  }

  private requireBulk(query: CoreQuery<readonly Term[]>, doing: string): void {
    this.requireUsable(doing);
    this.requireUnlocked(doing);
    if (!(query instanceof CoreQuery)) {
      throw new QueryError(
        `Cannot ${doing}: ${describe(query)} is no query. Make one with query() of this world.`,
      );
    }
    if (this.graph.matchSets.get(query.match.key) === query.match) return;
    throw new QueryError(`Cannot ${doing}: ${query} belongs to another world. Make the query with this one.`);
  }

  /** Gives components to the first `count` entities of an archetype: all that it had when the call began. */
  private addToAll(
    from: Archetype,
    count: number,
    stores: readonly Store[],
    inits: readonly ComponentInit[],
  ): void {
    if (count === 0) return;
    let to = from;
    for (const store of stores) if (to.has[store.id] !== 1) to = this.graph.with(to, store);
    this.fillMany(stores, inits, from.ids, 0, count, from);
    if (to !== from) {
      const at = this.recorder?.addingToAll?.(from, [...new Set(stores)]);
      this.putSum(takeAll(to, from, this.table.info), at);
    }
    this.version++;
  }

  /** Writes the start values of components for the entities ids[from..to), which have those of `owned` already. */
  private fillMany(
    stores: readonly Store[],
    inits: readonly ComponentInit[],
    ids: Int32Array,
    from: number,
    to: number,
    owned: Archetype,
  ): void {
    const isNew = (store: Store) => owned.has[store.id] !== 1;
    let s = 0;
    let k = from;
    try {
      for (; s < stores.length; s++) {
        const store = stores[s] as Store;
        const values = valuesOf(inits[s] as ComponentInit);
        k = store.isDense && values === undefined ? to : from;
        if (k === to) store.access.resetMany(store.columns, ids, from, to);
        else if (isNew(store)) for (; k < to; k++) this.fill(store, ids[k], values);
        else for (; k < to; k++) this.reset(store, ids[k], values);
      }
    } catch (error) {
      for (; s >= 0; s--) {
        if (isNew(stores[s] as Store)) while (--k >= from) (stores[s] as Store).vacate(ids[k]);
        k = to;
      }
      throw error;
    }
  }

  /** Creates many entities of one archetype. Only when nobody has to hear of each. */
  private spawnBulk(count: number, stores: readonly Store[], inits: readonly ComponentInit[]): Entity[] {
    // Nothing is made for nobody: an archetype that exists earlier comes earlier in queries.
    if (count === 0) return [];
    const { table, graph } = this;
    const archetype = this.archetypeWith(stores);
    const base = archetype.count;
    archetype.makeRoom(count);
    const { ids } = archetype;
    const spawned = takeMany(table, count, archetype.id, ids, base);
    try {
      this.fillMany(stores, inits, ids, base, base + count, graph.empty);
    } catch (error) {
      for (let k = base + count - 1; k >= base; k--) table.untake(ids[k]);
      throw error;
    }
    archetype.count += count;
    archetype.revision++;
    table.alive += count;
    this.version++;
    this.recorder?.spawnedMany?.(spawned);
    return spawned;
  }

  /** Takes components from all entities of an archetype at once. Only when nobody has to hear of each. */
  private removeFromAll(from: Archetype, stores: readonly Store[]): void {
    const { ids, count } = from;
    const owned = [...new Set(stores)].filter(({ id }) => from.has[id] === 1);
    if (count === 0 || owned.length === 0) return;
    const at = this.recorder?.removingFromAll?.(from, owned);
    let to = from;
    for (const store of owned) {
      to = this.graph.without(to, store);
      if (store.releases) for (let k = 0; k < count; k++) store.vacate(ids[k]);
    }
    this.putSum(takeAll(to, from, this.table.info), at);
    this.version++;
  }

  /** Destroys all entities of an archetype at once. Only when nobody has to hear of each. */
  private destroyWhole(archetype: Archetype): void {
    const { ids, count, releasing } = archetype;
    if (count === 0) return;
    const at = this.recorder?.destroyingWhole?.(archetype);
    for (const store of releasing) for (let k = 0; k < count; k++) store.vacate(ids[k]);
    this.putSum(releaseMany(this.table, ids, count), at);
    archetype.clear();
    this.table.alive -= count;
    this.version++;
  }

  /** Completes a record, if there is one, with the sum of the generations of all entities. */
  private putSum(sum: number, at: number | undefined): void {
    const { tape } = this.recorder ?? {};
    if (at !== undefined && tape !== undefined) tape.numbers[at] = sum;
  }
}

/** Moves all entities of one archetype to another. Gives the sum of their generations. */
function takeAll(to: Archetype, from: Archetype, info: Int32Array): number {
  const base = to.count;
  const { count, ids: list } = from;
  to.makeRoom(count);
  const { ids, id } = to;
  let sum = 0;
  for (let k = 0; k < count; k++) {
    const index = list[k];
    ids[base + k] = index;
    sum += info[index << 2];
    info[(index << 2) | ROW] = base + k;
    info[(index << 2) | ARCHETYPE] = id;
  }
  to.count = base + count;
  to.revision++;
  from.clear();
  return sum;
}
