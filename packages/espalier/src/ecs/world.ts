// biome-ignore-all lint/complexity/noArguments: a rest parameter costs an array per call (10 ns), Array.from 400 ns
/**
 * The world: entities, their components, and the one door through which they change.
 *
 * Every call checks first and then changes, so that a refused call leaves no trace.
 */
import type { Archetype } from "./archetype.ts";
import { ChangeLog, ChangeReader } from "./changes.ts";
import type { AnyComponent, AnyInit, Component, ComponentInit, Init, Resource } from "./component.ts";
import { type Entity, formatEntity, INDEX_MASK } from "./entity.ts";
import {
  DuplicateComponentError,
  InvalidEntityError,
  InvalidValueError,
  MissingComponentError,
  MissingResourceError,
  QueryError,
  ReservedComponentError,
} from "./errors.ts";
import type { Extension, Recorder, Reversible } from "./extension.ts";
import { type ColumnsOf, describe, type InputOf, type Schema, type ValueOf } from "./fields.ts";
import {
  type EntityObserver,
  type Guard,
  insertEntry,
  makeEntry,
  type Observer,
  ObserverList,
  removeEntry,
} from "./observers.ts";
import { ARCHETYPE, PROMISED } from "./place-record.ts";
import { denseColumns, Query, splitTerms } from "./query.ts";
import type { ExternalStorage, Store } from "./store.ts";
import type { Term } from "./terms.ts";
import type { WorldOptions } from "./world-core.ts";
import { valuesOf, WorldDoor } from "./world-door.ts";

/** Creates an empty world. Worlds share nothing; handles of one mean nothing in another. */
export function createWorld(options: WorldOptions = {}): World {
  return new World(options);
}

export class World extends WorldDoor {
  /** What rooms and tools keep per world, each under a name of its own. Gone with the world. */
  readonly attachments = new Map<string, unknown>();
  private readonly resources = new Map<Resource<unknown>, unknown>();
  private readonly resourceChanges: Reversible = {
    reverse: (_entity, _a, _b, before) =>
      this.putResource(...(before as [resource: Resource<unknown>, present: boolean, value: unknown])),
  };

  // Entities ---------------------------------------------------------------------------------------------------------

  /** How many entities are alive. */
  get count(): number {
    return this.table.alive;
  }

  /** All living entities in the order of their places, as a new array. */
  entities(): Entity[] {
    const found: Entity[] = [];
    for (let index = 1; index <= this.table.used; index++) {
      if (this.table.info[(index << 2) | ARCHETYPE] >= 0) found.push(this.table.handleAt(index));
    }
    return found;
  }

  /** Whether somebody must hear of every single change. */
  private get hasListeners(): boolean {
    return this.listeners !== 0 || this.recorder !== undefined || this.onDestroy.length !== 0;
  }

  /** Makes room for `count` further entities, so that columns do not move until then. */
  reserve(count: number): void {
    this.requireUsable("reserve room");
    if (!Number.isInteger(count) || count < 0) {
      throw new InvalidValueError(
        `Cannot reserve room for ${describe(count)} entities. Give an integer of at least 0.`,
      );
    }
    this.requireUnlocked("reserve room");
    this.table.reserve(count);
  }

  /**
   * Creates an entity with the given components: `spawn(Position({ x: 1 }), Frozen)`.
   * @throws InvalidValueError for values that do not fit or a component given twice; nothing was created.
   */
  spawn(...inits: ComponentInit[]): Entity;
  spawn(only?: ComponentInit): Entity {
    if (arguments.length === 0) return this.spawnOne(undefined, undefined);
    if (arguments.length === 1) {
      return this.spawnOne(this.check(only as ComponentInit, 0), valuesOf(only as ComponentInit));
    }
    const inits: ComponentInit[] = [];
    for (let k = 0; k < arguments.length; k++) inits.push(arguments[k]);
    const stores = this.checkAll(inits, 0);
    this.requireUnlocked("create an entity");
    return this.spawnAt(this.table.take(), stores, inits);
  }

  /** Creates `count` entities with the same components. Cheaper than `spawn` in a loop. */
  spawnMany(count: number, ...inits: ComponentInit[]): Entity[] {
    this.requireUsable("create entities");
    if (!Number.isInteger(count) || count < 0) {
      throw new InvalidValueError(`Cannot spawn ${describe(count)} entities. Give an integer of at least 0.`);
    }
    const stores = this.checkAll(inits, 0);
    this.requireUnlocked("create entities");
    if (!this.hasListeners && this.spawnHooks.length === 0 && this.onSpawn.length === 0) {
      return this.spawnBulk(count, stores, inits);
    }
    this.table.reserve(count);
    const spawned = new Array<Entity>(count);
    for (let k = 0; k < count; k++) spawned[k] = this.spawnAt(this.table.take(), stores, inits);
    return spawned;
  }

  /**
   * Destroys entities, with everything that must go with them (the subtree, where a hierarchy says so). Those already
   * dead are passed over; `false` when nothing was left to destroy.
   */
  destroy(...entities: Entity[]): boolean;
  destroy(only: Entity): boolean {
    if (arguments.length === 1) return this.destroyWithDoomed(only);
    const entities: Entity[] = [];
    for (let k = 0; k < arguments.length; k++) entities.push(arguments[k]);
    for (const entity of entities) this.requireEntityLike(entity, "destroy");
    let destroyed = false;
    for (const entity of entities) if (this.destroyWithDoomed(entity)) destroyed = true;
    return destroyed;
  }

  // Components -------------------------------------------------------------------------------------------------------

  /**
   * Adds components. One that is already there is overwritten: given fields take their values, the others their
   * defaults. Of several, each is added and observed before the next one.
   */
  add(entity: Entity, ...inits: ComponentInit[]): void;
  add(entity: Entity, only: ComponentInit): void {
    const index = this.table.require(entity, "add a component");
    if (arguments.length === 2) {
      this.addChecked(entity, index, this.check(only, index), valuesOf(only));
      return;
    }
    const inits: ComponentInit[] = [];
    for (let k = 1; k < arguments.length; k++) inits.push(arguments[k]);
    const stores = this.checkAll(inits, index);
    if (!stores.every((store) => this.hasAt(index, store))) this.requireUnlocked("add a component");
    this.addSeveral(entity, stores, inits);
  }

  private addSeveral(entity: Entity, stores: readonly Store[], inits: readonly ComponentInit[]): void {
    for (let k = 0; k < stores.length; k++) {
      // An observer of an earlier one may have destroyed the entity.
      if (!this.table.isAlive(entity)) return;
      this.addChecked(entity, entity & INDEX_MASK, stores[k] as Store, valuesOf(inits[k] as ComponentInit));
    }
  }

  /** Removes components; those that are not there are passed over. `false` when none was there. */
  remove(entity: Entity, ...components: AnyComponent[]): boolean;
  remove(entity: Entity, only: AnyComponent): boolean {
    const index = this.table.require(entity, "remove a component");
    if (arguments.length === 2) {
      const store = this.store(only);
      if (store.reserved !== undefined) this.requireUnreserved(store, "remove", entity);
      return this.removeChecked(entity, index, store);
    }
    const stores: Store[] = [];
    for (let k = 1; k < arguments.length; k++) stores.push(this.store(arguments[k]));
    for (const store of stores) this.requireUnreserved(store, "remove", entity);
    let removed = false;
    for (const store of stores) {
      if (this.table.isAlive(entity) && this.removeChecked(entity, index, store)) removed = true;
    }
    return removed;
  }

  /**
   * Adds components to every match of a query at once; far cheaper than one by one while nobody listens. The matches
   * are those at the start: `addAll(query(A), B)` ends also when B makes the query match anew.
   */
  addAll(query: Query<readonly Term[]>, ...inits: ComponentInit[]): void {
    this.requireBulk(query, "add a component");
    const stores = this.checkAll(inits, 0);
    const guarded = stores.some((store) => store.guards !== undefined);
    if (query.isFiltered || this.hasListeners || guarded) {
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
  removeAll(query: Query<readonly Term[]>, ...components: AnyComponent[]): void {
    this.requireBulk(query, "remove a component");
    const stores = components.map((component) => this.store(component));
    for (const store of stores) this.requireUnreserved(store, "remove", undefined);
    if (query.isFiltered || this.hasListeners) {
      for (const entity of query.ids()) if (this.isAlive(entity)) this.remove(entity, ...components);
      return;
    }
    for (const archetype of query.match.archetypes.slice()) this.removeFromAll(archetype, stores);
  }

  /** Destroys every match of a query, with everything that must go with them. */
  destroyAll(query: Query<readonly Term[]>): void {
    this.requireBulk(query, "destroy an entity");
    const isBulk = !this.hasListeners && this.leaveHooks.length === 0 && this.doomHooks.length === 0;
    if (!isBulk || query.isFiltered) for (const entity of query.ids()) this.destroyWithDoomed(entity);
    else for (const archetype of query.match.archetypes) this.destroyWhole(archetype);
  }

  private requireBulk(query: Query<readonly Term[]>, doing: string): void {
    this.requireUsable(doing);
    this.requireUnlocked(doing);
    if (!(query instanceof Query)) {
      throw new QueryError(
        `Cannot ${doing}: ${describe(query)} is no query. Make one with query() of this world.`,
      );
    }
    if (this.graph.matchSets.get(query.match.key) === query.match) return;
    throw new QueryError(`Cannot ${doing}: ${query} belongs to another world. Make the query with this one.`);
  }

  /**
   * Writes some fields of a component the entity has; the others stay. Writing the value that is there already is no
   * change.
   * @throws MissingComponentError when the entity lacks it; use `add` then.
   */
  set<S extends Schema>(entity: Entity, component: Component<S>, values: InputOf<S>): void;
  set(entity: Entity, ...inits: Init<Schema>[]): void;
  set(entity: Entity, first: AnyComponent | AnyInit, ...rest: unknown[]): void {
    const index = this.table.require(entity, "set a component");
    if (typeof first === "function") {
      const values = rest[0] as object | undefined;
      const store = this.checkFor(this.store(first), values, index, false);
      this.requireHas(entity, index, store);
      if (values !== undefined) this.setChecked(entity, index, store, values);
      return;
    }
    const inits = [first as AnyInit, ...(rest as AnyInit[])];
    for (const init of inits) this.requireHas(entity, index, this.checkInit(init, index));
    for (const { component, values } of inits) {
      if (values !== undefined) this.setChecked(entity, index, this.store(component), values);
    }
  }

  private requireHas(entity: Entity, index: number, store: Store): void {
    if (this.hasAt(index, store)) return;
    const { name } = store.component;
    throw new MissingComponentError(
      `Cannot set ${name} of ${formatEntity(entity)}: the entity has no ${name}. Use add() to give it one.`,
      [entity],
    );
  }

  /** A copy of the component's values, or `undefined` when the entity does not have it. */
  get<S extends Schema>(entity: Entity, component: Component<S>): ValueOf<S> | undefined {
    const index = this.table.require(entity, "get a component");
    const store = this.store(component);
    if (!this.hasAt(index, store)) return undefined;
    return store.access.read(store.columns, store.rowOf(index), this) as ValueOf<S>;
  }

  /** Whether the entity has all of these. */
  has(entity: Entity, ...components: AnyComponent[]): boolean {
    const archetype = this.archetypeAt(this.table.require(entity, "ask for a component")) as Archetype;
    for (const component of components) if (archetype.has[this.store(component).id] !== 1) return false;
    return true;
  }

  /**
   * The raw columns of a component, indexed by `indexOf(entity)`. They are replaced when the world grows (never in a
   * `fixed` world), so fetch them at the start of a loop.
   * @throws QueryError for a component whose values are not kept by entity index: a sparse one.
   */
  columns<S extends Schema>(component: Component<S>): ColumnsOf<S> {
    this.requireUsable("read columns");
    return denseColumns(this.store(component)) as unknown as ColumnsOf<S>;
  }

  /**
   * Says that a component's value changed in a way the world could not see: raw columns, inside of an object. Components
   * that the entity does not have are passed over.
   */
  touch(entity: Entity, ...components: AnyComponent[]): void {
    const index = this.table.require(entity, "touch a component");
    for (const component of components) {
      const store = this.store(component);
      if (!store.watched || !this.hasAt(index, store)) continue;
      this.recorder_?.touched?.(entity, index, store);
      this.tellSet(entity, index, store);
    }
  }

  // Queries and listeners --------------------------------------------------------------------------------------------

  /** A query: `world.query(Position, not(Frozen), optional(Velocity))`. Equal queries share their matches. */
  query<const T extends readonly Term[]>(...terms: T): Query<T> {
    this.requireUsable("make a query");
    const parts = splitTerms(terms);
    const stores = (components: readonly AnyComponent[]) =>
      components.map((component) => this.store(component));
    const match = this.graph.match(stores(parts.all), stores(parts.none), parts.some.map(stores));
    return new Query(
      this,
      this.table,
      terms,
      match,
      stores(parts.viewed.map((view) => view.component)),
      parts,
    );
  }

  /** A new reader of what is added, changed and removed from now on. `filter` narrows what `read()` lists. */
  changes(component: AnyComponent, filter?: (entity: Entity) => boolean): ChangeReader {
    this.requireUsable("read changes");
    const store = this.store(component);
    if (store.log === undefined) {
      store.log = new ChangeLog();
      this.listeners++;
      this.listenerVersion++;
      store.updateWatched();
    }
    const log = store.log;
    const there = (entity: Entity) =>
      this.isAlive(entity) && this.has(entity, component) && (filter?.(entity) ?? true);
    return new ChangeReader(log, there, () => {
      if (log.readers.size > 0 || store.log !== log) return;
      store.log = undefined;
      this.listeners--;
      this.listenerVersion++;
      store.updateWatched();
    });
  }

  /** Calls the observer at once whenever the component is added, set or removed. Returns a function that ends it. */
  observe(component: AnyComponent, observer: Observer): () => void {
    this.requireUsable("observe");
    const store = this.store(component);
    const lists = store.observers ?? new ObserverList();
    store.observers = lists;
    const add = observer.add && makeEntry(observer.add, observer);
    const set = observer.set && makeEntry(observer.set, observer);
    const remove = observer.remove && makeEntry(observer.remove, observer);
    if (add) lists.onAdd = insertEntry(lists.onAdd, add);
    if (set) lists.onSet = insertEntry(lists.onSet, set);
    if (remove) lists.onRemove = insertEntry(lists.onRemove, remove);
    this.listeners++;
    this.listenerVersion++;
    store.updateWatched();
    let active = true;
    return () => {
      if (!active) return;
      active = false;
      if (add) lists.onAdd = removeEntry(lists.onAdd, add);
      if (set) lists.onSet = removeEntry(lists.onSet, set);
      if (remove) lists.onRemove = removeEntry(lists.onRemove, remove);
      this.listeners--;
      this.listenerVersion++;
      store.updateWatched();
    };
  }

  /** Calls the observer at once whenever an entity is created or destroyed. Returns a function that ends it. */
  observeEntities(observer: EntityObserver): () => void {
    this.requireUsable("observe");
    const spawn = observer.spawn && makeEntry(observer.spawn, observer);
    const destroy = observer.destroy && makeEntry(observer.destroy, observer);
    if (spawn) this.onSpawn = insertEntry(this.onSpawn, spawn);
    if (destroy) this.onDestroy = insertEntry(this.onDestroy, destroy);
    return () => {
      if (spawn) this.onSpawn = removeEntry(this.onSpawn, spawn);
      if (destroy) this.onDestroy = removeEntry(this.onDestroy, destroy);
    };
  }

  /** Lets `guard` refuse, by throwing, that an entity gets the component. Returns a function that ends it. */
  guard(component: AnyComponent, guard: Guard): () => void {
    this.requireUsable("guard a component");
    const store = this.store(component);
    store.guards = [...(store.guards ?? []), guard];
    return () => {
      const left = store.guards?.filter((other) => other !== guard) ?? [];
      store.guards = left.length === 0 ? undefined : left;
    };
  }

  // Resources --------------------------------------------------------------------------------------------------------

  /**
   * The world's value of a resource.
   * @throws MissingResourceError when it was never set and has no initial value.
   */
  resource<Value>(resource: Resource<Value>): Value {
    this.requireUsable("read a resource");
    if (!this.resources.has(resource)) {
      if (resource?.isResource !== true) {
        throw new MissingResourceError(
          `Cannot read ${describe(resource)}: it is no resource. Define one with resource().`,
        );
      }
      if (resource.initial === undefined) {
        throw new MissingResourceError(
          `Cannot read resource ${resource.name}: it was never set. Call world.setResource() first, or define it with an initial value.`,
        );
      }
      this.resources.set(resource, resource.initial());
    }
    return this.resources.get(resource) as Value;
  }

  setResource<Value>(resource: Resource<Value>, value: Value): void {
    this.requireUsable("set a resource");
    this.putResource(resource, true, value);
  }

  hasResource(resource: Resource<never> | Resource<unknown>): boolean {
    return this.resources.has(resource as Resource<unknown>);
  }

  private putResource(resource: Resource<unknown>, present: boolean, value: unknown): void {
    if (this.recorder_ !== undefined) {
      const before = [resource, this.resources.has(resource), this.resources.get(resource)];
      this.recorder_.changed(this.resourceChanges, null, 0, 0, before);
    }
    if (present) this.resources.set(resource, value);
    else this.resources.delete(resource);
  }

  // Life -------------------------------------------------------------------------------------------------------------

  get isDisposed(): boolean {
    return this.table.disposed;
  }

  /**
   * Ends the world. Entities are not destroyed one by one: no observer runs. Every later call throws
   * `DisposedWorldError`, but these answer: `isDisposed`, `isAlive` and `includes` (false), `count` (0), `entities`
   * (empty), `hasResource` (false); and readers and observers can still be closed.
   */
  dispose(): void {
    if (this.isDisposed) return;
    this.requireUnlocked("dispose the world");
    for (const extension of this.extensions) extension.dispose?.();
    for (const archetype of this.graph.all) archetype.count = 0;
    this.table.dispose();
    this.resources.clear();
    this.attachments.clear();
    this.version++;
  }

  // For rooms that stand on this one ---------------------------------------------------------------------------------

  /** Hooks an extension in. There is no way back: rooms live as long as their world. */
  extend(extension: Extension): void {
    this.requireUsable("extend the world");
    this.extensions.push(extension);
    if (extension.spawned) this.spawnHooks = [...this.spawnHooks, extension.spawned];
    if (extension.doom) this.doomHooks = [...this.doomHooks, extension.doom];
    if (extension.leaving) this.leaveHooks = [...this.leaveHooks, extension.leaving];
    if (extension.recording) this.recordHooks = [...this.recordHooks, extension.recording];
    // The order in which several extensions doom is known to none of them.
    const isOnly = this.doomHooks.length === 1 && this.leaveHooks.length === 1;
    this.quickLeaver = isOnly && extension.doomAll && extension.leavingAll ? extension : undefined;
  }

  /** The recorder that hears of every change, if one is attached. */
  get recorder(): Recorder | undefined {
    return this.recorder_;
  }

  set recorder(recorder: Recorder | undefined) {
    this.recorder_ = recorder;
    for (const store of this.stores) {
      store.recorded = recorder !== undefined;
      store.updateWatched();
    }
  }

  /**
   * Makes another room keep the values of a component.
   * @throws DuplicateComponentError when the world has met the component already.
   */
  useStorage(component: AnyComponent, storage: ExternalStorage): void {
    this.requireUsable("use a storage");
    if (this.byComponent.has(component)) {
      throw new DuplicateComponentError(
        `Cannot keep ${component.name} elsewhere: this world uses it already. Create what keeps it before the first entity that has it.`,
      );
    }
    this.externals.set(component, storage);
    this.store(component);
  }

  /** Tells the listeners of a component, as a write through the world would; for rooms that write their own storage. */
  announce(entity: Entity, component: AnyComponent): void {
    const store = this.store(component);
    if (!store.watched) return;
    this.recorder_?.touched?.(entity, entity & INDEX_MASK, store);
    this.tellSet(entity, entity & INDEX_MASK, store);
  }

  /** Whether the entity is being destroyed right now: its observers are running. */
  isDying(entity: Entity): boolean {
    return this.isDyingAt(entity & INDEX_MASK) && this.isAlive(entity);
  }

  /**
   * For extensions that run code of users while they let go of an entity: until `work` ends, destroying the entity
   * again does nothing.
   */
  whileDying(entity: Entity, work: () => void): void {
    const index = entity & INDEX_MASK;
    this.dying.push(index);
    try {
      work();
    } finally {
      this.dying.splice(this.dying.lastIndexOf(index), 1);
    }
  }

  /** The component of that name, if the world has met it. */
  componentNamed(name: string): AnyComponent | undefined {
    return this.byName.get(name)?.component;
  }

  /**
   * The right to write a reserved component, given to the first who asks.
   * @throws ReservedComponentError to everybody else.
   */
  claim<S extends Schema>(component: Component<S>): Owner<S> {
    this.requireUsable("claim a component");
    const store = this.store(component);
    if (store.claimed)
      throw new ReservedComponentError(`Cannot claim ${component.name}: it has an owner already.`);
    store.claimed = true;
    return {
      add: (entity, values) =>
        this.addChecked(entity, this.table.require(entity, "add a component"), store, values),
      set: (entity, values) => {
        const index = this.table.require(entity, "set a component");
        this.requireHas(entity, index, store);
        this.setChecked(entity, index, store, values);
      },
      remove: (entity) => this.removeChecked(entity, this.table.require(entity, "remove a component"), store),
    };
  }

  /** Holds a place for an entity that a command buffer will create. Allowed where structure is locked. */
  promise(): Entity {
    const index = this.table.take();
    this.table.info[(index << 2) | ARCHETYPE] = PROMISED;
    return this.table.handleAt(index);
  }

  /** Creates the entity of a promised handle. */
  keepPromise(entity: Entity, inits: readonly ComponentInit[]): void {
    if (!this.table.isPromised(entity)) {
      throw new InvalidEntityError(`Cannot create ${formatEntity(entity)}: no promise() gave this handle.`);
    }
    const stores = this.checkAll(inits, 0);
    this.requireUnlocked("create an entity");
    this.spawnAt(entity & INDEX_MASK, stores, inits);
  }

  /** Gives a promised place back. */
  breakPromise(entity: Entity): void {
    if (this.table.isPromised(entity)) this.table.release(entity & INDEX_MASK);
  }
}

/** Writes a reserved component. */
export interface Owner<S extends Schema> {
  add(entity: Entity, values?: InputOf<S>): void;
  set(entity: Entity, values: InputOf<S>): void;
  remove(entity: Entity): boolean;
}
