/**
 * The one door through which a world changes: every operation on entities and components ends here.
 *
 * The public calls (`world.ts`) check their input with `check` and `plan`, which change nothing, and then use the
 * `…Checked` methods, which no longer refuse. Whoever must hear of a change (extensions, the recorder, change logs,
 * observers) is told here and nowhere else.
 */
import type { Archetype } from "./archetype.ts";
import { ArchetypeGraph } from "./archetype-graph.ts";
import { type AnyComponent, type AnyInit, type ComponentInit, isComponent } from "./component.ts";
import { ARCHETYPE, Entities } from "./entities.ts";
import { type Entity, formatEntity, INDEX_MASK, MAX_ENTITIES } from "./entity.ts";
import {
  DisposedWorldError,
  DuplicateComponentError,
  InvalidValueError,
  ObserverError,
  ReservedComponentError,
  StructureLockedError,
  UnknownComponentError,
} from "./errors.ts";
import type { Extension, Recorder } from "./extension.ts";
import { describe, encodeValue, type Field, misfit } from "./fields.ts";
import { canGenerate } from "./generate.ts";
import type { Entry } from "./observers.ts";
import { type ExternalStorage, Store } from "./store.ts";
import type { ViewHost } from "./view.ts";

export interface WorldOptions {
  /** How many entities to make room for at first. Grows by doubling. 1023 if left out. */
  readonly capacity?: number;
  /** Never grow: columns stay where they are for the world's life, so loops may keep them in constants. */
  readonly fixed?: boolean;
  /** Check values against their fields. On unless NODE_ENV is "production". */
  readonly checks?: boolean;
  /** Make specialised loops from text. On where the environment allows it. */
  readonly generate?: boolean;
  /** Told of observers that threw and commands that were refused. Logs to the console if left out. */
  readonly onError?: (error: Error) => void;
}

/** An observer that causes its own event more often than this is taken for an endless loop. */
const MAX_OBSERVER_DEPTH = 100;

export class WorldCore implements ViewHost {
  /** Changes with every structural change: entities created or destroyed, components added or removed. */
  version = 0;
  /** @internal */
  readonly generates: boolean;
  /** @internal */
  readonly table: Entities;
  /** @internal */
  readonly graph = new ArchetypeGraph();
  /** @internal Every component this world has met, by number. */
  readonly stores: Store[] = [];
  readonly checks: boolean;
  readonly onError: (error: Error) => void;
  protected readonly byComponent = new Map<AnyComponent, Store>();
  protected readonly byName = new Map<string, Store>();
  /** At first something that nobody can ask for, not even by mistake. */
  protected readonly externals = new Map<AnyComponent, ExternalStorage>();
  protected lastComponent: unknown = {};
  protected lastStore: Store | undefined;
  protected locked = 0;
  /** Whether the columns have yet to follow the table to its capacity. */
  private outgrown = false;
  /** How many change readers and component observers there are; 0 lets spawn and destroy skip them all. */
  protected listeners = 0;
  protected onSpawn: readonly Entry[] = [];
  protected onDestroy: readonly Entry[] = [];
  protected readonly extensions: Extension[] = [];
  protected spawnHooks: ((index: number) => void)[] = [];
  protected doomHooks: ((index: number, doomed: number[]) => void)[] = [];
  protected leaveHooks: ((index: number) => void)[] = [];
  /** Places whose destroy observers are running. */
  protected readonly dying = new Set<number>();
  protected observerDepth = 0;
  protected recorder_: Recorder | undefined;

  /** @internal Use `createWorld()`. */
  constructor(options: WorldOptions) {
    const capacity = options.capacity ?? 1023;
    if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAX_ENTITIES) {
      throw new InvalidValueError(
        `Cannot create a world with capacity ${describe(capacity)}. Give an integer from 1 to ${MAX_ENTITIES}.`,
      );
    }
    this.table = new Entities(capacity + 1, options.fixed ?? false);
    this.checks = options.checks ?? isDevelopment();
    this.generates = (options.generate ?? true) && canGenerate();
    this.onError = options.onError ?? ((error) => console.error(error));
    this.table.onGrow = () => this.growColumns();
  }

  isAlive(entity: Entity | number): boolean {
    return this.table.isAlive(entity as Entity);
  }

  /** The archetype of the living entity at `index`. */
  archetypeAt(index: number): Archetype | undefined {
    const id = this.table.info[(index << 2) | ARCHETYPE];
    return id >= 0 ? this.graph.all[id] : undefined;
  }

  /** The handle of the entity at `index`. */
  handleAt(index: number): Entity {
    return this.table.handleAt(index);
  }

  /** The place of a living entity; `doing` completes "Cannot …" in the error. */
  require(entity: Entity, doing: string): number {
    return this.table.require(entity, doing);
  }

  requireUsable(doing: string): void {
    if (this.table.disposed) throw new DisposedWorldError(doing);
  }

  requireUnlocked(doing: string): void {
    if (this.locked !== 0) throw new StructureLockedError(doing);
  }

  lockStructure(): void {
    this.locked++;
  }

  unlockStructure(): void {
    if (--this.locked === 0 && this.outgrown) this.growColumns();
  }

  private growColumns(): void {
    // Loops under way hold the columns. An entity that is promised meanwhile needs none before they end.
    this.outgrown = this.locked !== 0;
    if (this.outgrown) return;
    for (const store of this.stores) store.grow(this.table.capacity);
    for (const extension of this.extensions) extension.grow?.(this.table.capacity);
  }

  /** The store of a component; the world meets the component if it has not yet. */
  store(component: AnyComponent): Store {
    if (component === this.lastComponent) return this.lastStore as Store;
    const store = this.byComponent.get(component) ?? this.meet(component);
    this.lastComponent = component;
    this.lastStore = store;
    return store;
  }

  // ViewHost ---------------------------------------------------------------------------------------------------------

  /** @internal */
  writeField(store: Store, field: number, index: number, value: unknown): void {
    const spec = store.fields[field] as Field;
    const name = store.names[field] as string;
    if (misfit(spec, value) !== undefined) this.badValue(store, field, index, value);
    const entity = this.table.handleAt(index);
    this.requireUnreserved(store, "set", entity);
    const column = store.columns[name] as unknown[];
    const row = store.rowOf(index);
    const before = column[row];
    const encoded = encodeValue(spec.kind, value);
    if (!store.watched) {
      column[row] = encoded;
      store.external?.written(index);
      return;
    }
    if (Object.is(before, spec.kind === "f32" ? Math.fround(encoded as number) : encoded)) return;
    this.recorder_?.writing(entity, index, store, field);
    column[row] = encoded;
    store.external?.written(index);
    this.tellSet(entity, index, store);
  }

  /** @internal */
  badValue(store: Store, field: number, index: number, value: unknown): never {
    const entity = this.table.handleAt(index);
    const name = store.names[field] as string;
    throw new InvalidValueError(
      `Cannot set ${store.component.name}.${name} of ${formatEntity(entity)}: ${name} ${misfit(store.fields[field] as Field, value)}.`,
      [entity],
    );
  }

  // The door ---------------------------------------------------------------------------------------------------------

  protected meet(component: AnyComponent): Store {
    if (!isComponent(component)) {
      throw new UnknownComponentError(
        `Expected a component, got ${describe(component)}. Define one with component() or tag().`,
      );
    }
    this.requireUsable("use a component");
    const other = this.byName.get(component.name);
    if (other !== undefined) {
      throw new DuplicateComponentError(
        `Cannot use component ${component.name}: this world knows another component of that name. Define it once and share it, or rename one.`,
      );
    }
    const last = this.stores[this.stores.length - 1];
    const lane = last === undefined ? 0 : last.lane + last.names.length;
    const store = new Store(
      this.stores.length,
      component,
      this.table.capacity,
      lane,
      this.generates,
      this.externals.get(component),
    );
    store.recorded = this.recorder_ !== undefined;
    store.updateWatched();
    this.graph.fit(store.id);
    this.stores.push(store);
    this.byComponent.set(component, store);
    this.byName.set(component.name, store);
    return store;
  }

  /** Checks one component with its values for the entity at `index` (0: still to be created) and gives its store. */
  protected check(init: ComponentInit, index: number, owner = false): Store {
    const store = this.checkInit(init, index, owner);
    if (store.guards !== undefined) {
      const values = typeof init === "function" ? undefined : (init as AnyInit).values;
      for (const guard of store.guards) guard(index, values);
    }
    return store;
  }

  /** @internal The part of `check` that does not depend on the entity, so that it can be asked long before. */
  checkInit(init: ComponentInit, index: number, owner = false): Store {
    const plain = typeof init === "function";
    const store = this.store(
      plain ? (init as AnyComponent) : ((init as AnyInit | undefined)?.component as AnyComponent),
    );
    if (store.component.reserved !== undefined && !owner) {
      this.requireUnreserved(store, "write", index === 0 ? undefined : this.table.handleAt(index));
    }
    const values = plain ? undefined : (init as AnyInit).values;
    if (this.checks && values !== undefined) this.checkValues(store, values, index);
    return store;
  }

  protected checkValues(store: Store, values: object, index: number): void {
    const of = index === 0 ? "" : ` of ${formatEntity(this.table.handleAt(index))}`;
    const name = store.component.name;
    if (typeof values !== "object" || values === null) {
      throw new InvalidValueError(
        `Cannot set ${name}${of}: expected an object with its fields, got ${describe(values)}.`,
      );
    }
    for (const key of Object.keys(values)) {
      const k = store.names.indexOf(key);
      const known =
        store.names.length === 0 ? "it is a tag and has none" : `it has ${store.names.join(", ")}`;
      if (k < 0)
        throw new InvalidValueError(`Cannot set ${name}.${key}${of}: ${name} has no such field; ${known}.`);
      const value = (values as { [field: string]: unknown })[key];
      const wrong = value === undefined ? undefined : misfit(store.fields[k] as Field, value);
      if (wrong === undefined) continue;
      throw new InvalidValueError(
        `Cannot set ${name}.${key}${of}: ${key} ${wrong}.`,
        index === 0 ? [] : [this.table.handleAt(index)],
      );
    }
  }

  /** Checks several components at once; the archetype they make (for new entities). */
  protected plan(inits: readonly ComponentInit[], index: number, owner = false): Archetype {
    let archetype = this.graph.empty;
    for (let k = 0; k < inits.length; k++) {
      const store = this.check(inits[k] as ComponentInit, index, owner);
      if (archetype.has[store.id] === 1) {
        throw new InvalidValueError(
          `Cannot add ${store.component.name} twice in one call. Give each component once, with all its values.`,
        );
      }
      archetype = this.graph.with(archetype, store);
    }
    return archetype;
  }

  protected takePlace(): number {
    if (this.locked !== 0) throw new StructureLockedError("create an entity");
    return this.table.take();
  }

  /** Spawn with no component or one without values: the short way for the most frequent calls. */
  protected spawnPlain(store: Store | undefined): Entity {
    if (this.locked !== 0) throw new StructureLockedError("create an entity");
    const table = this.table;
    const index = table.take();
    const archetype = store === undefined ? this.graph.empty : this.graph.with(this.graph.empty, store);
    archetype.push(index, table.info);
    if (this.spawnHooks.length !== 0) for (const hook of this.spawnHooks) hook(index);
    if (store !== undefined) {
      store.access.reset(store.columns, store.occupy(index));
      store.external?.written(index);
    }
    this.born(index, archetype);
    return table.handleAt(index);
  }

  protected spawnPlanned(index: number, archetype: Archetype, inits: readonly ComponentInit[]): number {
    const table = this.table;
    archetype.push(index, table.info);
    if (this.spawnHooks.length !== 0) for (const hook of this.spawnHooks) hook(index);
    for (let k = 0; k < inits.length; k++) {
      const init = inits[k] as ComponentInit;
      const plain = typeof init === "function";
      const store = this.store(plain ? (init as AnyComponent) : (init as AnyInit).component);
      const row = store.occupy(index);
      store.access.reset(store.columns, row);
      if (!plain && (init as AnyInit).values !== undefined) {
        store.access.assign(store.columns, row, (init as AnyInit).values as object);
      }
      store.external?.written(index);
    }
    this.born(index, archetype);
    return index;
  }

  private born(index: number, archetype: Archetype): void {
    this.table.alive++;
    this.version++;
    if (this.recorder_ !== undefined) this.recorder_.spawned(this.table.handleAt(index), index);
    if (this.onSpawn.length !== 0 || this.listeners !== 0) this.tellSpawned(index, archetype);
  }

  protected tellSpawned(index: number, archetype: Archetype): void {
    const entity = this.table.handleAt(index);
    for (const store of archetype.stores) store.log?.added(entity, index);
    if (this.onSpawn.length !== 0) this.tell(this.onSpawn, entity, "spawn");
    for (const store of archetype.stores) {
      if (store.observers === undefined || store.observers.onAdd.length === 0) continue;
      if (!this.table.isAlive(entity)) return;
      this.tell(store.observers.onAdd, entity, "add");
    }
  }

  protected destroyWithDoomed(entity: Entity): boolean {
    const table = this.table;
    if (!table.isAlive(entity)) {
      this.requireEntityLike(entity, "destroy");
      return false;
    }
    const index = entity & INDEX_MASK;
    if (this.locked !== 0) throw new StructureLockedError("destroy an entity");
    if (this.dying.size !== 0 && this.dying.has(index)) return false;
    if (this.doomHooks.length === 0) this.destroyOne(entity, index, false);
    else this.destroyDoomed(entity);
    return true;
  }

  /** Destroys what the extensions doom, each entity after all that it takes with it. */
  protected destroyDoomed(first: Entity): void {
    const hooks = this.doomHooks;
    // One extension dooms each entity once; several may name the same.
    const seen = hooks.length > 1 ? new Set<number>() : undefined;
    const stack: number[] = [first & INDEX_MASK];
    const order: Entity[] = [];
    while (stack.length > 0) {
      const index = stack.pop() as number;
      // A negative entry marks the way back up: everything it dooms stands in `order` by now.
      if (index < 0) {
        order.push(this.table.handleAt(-index));
        continue;
      }
      if (seen?.has(index)) continue;
      seen?.add(index);
      const top = stack.push(-index);
      for (let k = 0; k < hooks.length; k++) hooks[k](index, stack);
      if (stack.length === top) {
        stack.pop();
        order.push(this.table.handleAt(index));
      }
    }
    for (let k = 0; k < order.length; k++) {
      const entity = order[k];
      const index = entity & INDEX_MASK;
      if (!this.table.isAlive(entity) || (this.dying.size !== 0 && this.dying.has(index))) continue;
      this.destroyOne(entity, index, false);
    }
  }

  protected destroyOne(entity: Entity, index: number, undo: boolean): void {
    const table = this.table;
    if (this.onDestroy.length !== 0 || this.listeners !== 0) this.tellLeaving(entity, index);
    // Extensions let go first: undone in reverse, the entity is back before its place in them is.
    if (this.leaveHooks.length !== 0) for (const hook of this.leaveHooks) hook(index);
    if (this.recorder_ !== undefined && !undo) this.recorder_.destroying(entity, index);
    const archetype = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    if (archetype.releasing.length !== 0) for (const store of archetype.releasing) store.vacate(index);
    archetype.drop(index, table.info);
    if (undo) table.untake(index);
    else table.release(index);
    table.alive--;
    this.version++;
  }

  protected tellLeaving(entity: Entity, index: number): void {
    this.dying.add(index);
    if (this.onDestroy.length !== 0) this.tell(this.onDestroy, entity, "destroy");
    // Observers may add components to the dying entity, so look at what it has now.
    for (const store of (this.archetypeAt(index) as Archetype).stores) {
      if (store.observers !== undefined && store.observers.onRemove.length !== 0) {
        this.tell(store.observers.onRemove, entity, "remove");
      }
      store.log?.removed(entity, index);
    }
    this.dying.delete(index);
  }

  protected addChecked(entity: Entity, index: number, store: Store, values: object | undefined): void {
    const table = this.table;
    const from = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    // A known way to add the component tells that it is not there yet.
    let to = from.withComponent[store.id];
    if (to === undefined) {
      if (from.has[store.id] === 1) {
        this.overwrite(entity, index, store, values);
        return;
      }
      to = this.graph.with(from, store);
    }
    if (this.locked !== 0) throw new StructureLockedError("add a component");
    from.drop(index, table.info);
    to.push(index, table.info);
    this.version++;
    const row = store.occupy(index);
    store.access.reset(store.columns, row);
    if (values !== undefined) store.access.assign(store.columns, row, values);
    store.external?.written(index);
    if (this.recorder_ !== undefined) this.recorder_.added(entity, index, store);
    if (store.log !== undefined) store.log.added(entity, index);
    if (store.observers !== undefined && store.observers.onAdd.length !== 0) {
      this.tell(store.observers.onAdd, entity, "add");
    }
  }

  /** Gives components to all entities of an archetype at once. Only when nobody has to hear of each. */
  protected addToAll(
    from: Archetype,
    stores: readonly Store[],
    values: readonly (object | undefined)[],
  ): void {
    const { ids, count } = from;
    if (count === 0) return;
    let to = from;
    for (const store of stores) if (to.has[store.id] !== 1) to = this.graph.with(to, store);
    if (to !== from) to.takeAll(from, this.table.info);
    stores.forEach((store, s) => {
      this.fillMany(store, ids, 0, count, values[s], from.has[store.id] === 1);
    });
    this.version++;
  }

  /** Writes the start values of one component for the entities ids[from..to). */
  private fillMany(
    store: Store,
    ids: Int32Array,
    from: number,
    to: number,
    values: object | undefined,
    present: boolean,
  ): void {
    if (store.isDense && values === undefined) {
      store.access.resetMany(store.columns, ids, from, to);
      return;
    }
    for (let k = from; k < to; k++) {
      const row = present ? store.rowOf(ids[k]) : store.occupy(ids[k]);
      store.access.reset(store.columns, row);
      if (values !== undefined) store.access.assign(store.columns, row, values);
      store.external?.written(ids[k]);
    }
  }

  /** Creates many entities of one archetype. Only when nobody has to hear of each. */
  protected spawnBulk(count: number, archetype: Archetype, inits: readonly ComponentInit[]): Entity[] {
    const table = this.table;
    const spawned = new Array<Entity>(count);
    const base = archetype.count;
    archetype.makeRoom(count);
    for (let k = 0; k < count; k++) {
      const index = table.take();
      archetype.push(index, table.info);
      spawned[k] = table.handleAt(index);
    }
    for (const init of inits) {
      const plain = typeof init === "function";
      const store = this.store(plain ? (init as AnyComponent) : (init as AnyInit).component);
      this.fillMany(
        store,
        archetype.ids,
        base,
        base + count,
        plain ? undefined : (init as AnyInit).values,
        false,
      );
    }
    table.alive += count;
    this.version++;
    return spawned;
  }

  /** Takes components from all entities of an archetype at once. Only when nobody has to hear of each. */
  protected removeFromAll(from: Archetype, stores: readonly Store[]): void {
    const { ids, count } = from;
    let to = from;
    for (const store of stores) {
      if (from.has[store.id] !== 1) continue;
      to = this.graph.without(to, store);
      if (store.releases) for (let k = 0; k < count; k++) store.vacate(ids[k]);
    }
    if (to === from || count === 0) return;
    to.takeAll(from, this.table.info);
    this.version++;
  }

  /** Destroys all entities of an archetype at once. Only when nobody has to hear of each. */
  protected destroyWhole(archetype: Archetype): void {
    const { ids, count, releasing } = archetype;
    const table = this.table;
    for (let k = count - 1; k >= 0; k--) {
      const index = ids[k];
      for (let s = 0; s < releasing.length; s++) releasing[s].vacate(index);
      table.release(index);
    }
    archetype.clear();
    table.alive -= count;
    if (count > 0) this.version++;
  }

  protected overwrite(entity: Entity, index: number, store: Store, values: object | undefined): void {
    const row = store.rowOf(index);
    if (this.recorder_ !== undefined) {
      for (let k = 0; k < store.fields.length; k++) this.recorder_.writing(entity, index, store, k);
    }
    store.access.reset(store.columns, row);
    if (values !== undefined) store.access.assign(store.columns, row, values);
    store.external?.written(index);
    if (store.watched) this.tellSet(entity, index, store);
  }

  protected removeChecked(entity: Entity, index: number, store: Store): boolean {
    const table = this.table;
    if ((this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype).has[store.id] !== 1) return false;
    if (this.locked !== 0) throw new StructureLockedError("remove a component");
    if (store.observers !== undefined && store.observers.onRemove.length !== 0) {
      this.tell(store.observers.onRemove, entity, "remove");
      // The observer may have removed the component or the entity itself.
      if (!table.isAlive(entity) || (this.archetypeAt(index) as Archetype).has[store.id] !== 1) return true;
    }
    if (this.recorder_ !== undefined) this.recorder_.removing(entity, index, store);
    const from = this.graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    const to = from.withoutComponent[store.id] ?? this.graph.without(from, store);
    from.drop(index, table.info);
    to.push(index, table.info);
    this.version++;
    if (store.releases) store.vacate(index);
    if (store.log !== undefined) store.log.removed(entity, index);
    return true;
  }

  protected setChecked(entity: Entity, index: number, store: Store, values: object): void {
    const row = store.rowOf(index);
    if (!store.watched) {
      store.access.assign(store.columns, row, values);
      store.external?.written(index);
      return;
    }
    let changed = false;
    for (let k = 0; k < store.names.length; k++) {
      const name = store.names[k] as string;
      const value = (values as { [field: string]: unknown })[name];
      if (value === undefined) continue;
      const kind = (store.fields[k] as Field).kind;
      const encoded = encodeValue(kind, value);
      const column = store.columns[name] as unknown[];
      if (Object.is(column[row], kind === "f32" ? Math.fround(encoded as number) : encoded)) continue;
      this.recorder_?.writing(entity, index, store, k);
      column[row] = encoded;
      changed = true;
    }
    if (!changed) return;
    store.external?.written(index);
    this.tellSet(entity, index, store);
  }

  protected tellSet(entity: Entity, index: number, store: Store): void {
    store.log?.changed(entity, index);
    if (store.observers !== undefined && store.observers.onSet.length !== 0)
      this.tell(store.observers.onSet, entity, "set");
  }

  protected tell(entries: readonly Entry[], entity: Entity, what: string): void {
    if (this.observerDepth >= MAX_OBSERVER_DEPTH) {
      const name = entries[0]?.name ?? "";
      this.report(
        name,
        `Stopped observer ${name}: its ${what} caused itself ${MAX_OBSERVER_DEPTH} times over.`,
        entity,
        undefined,
      );
      return;
    }
    this.observerDepth++;
    for (let k = 0; k < entries.length; k++) {
      const entry = entries[k] as Entry;
      try {
        entry.fn(entity);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        this.report(
          entry.name,
          `Observer ${entry.name} threw on ${what} of ${formatEntity(entity)}: ${why}`,
          entity,
          cause,
        );
      }
    }
    this.observerDepth--;
  }

  protected report(observer: string, message: string, entity: Entity, cause: unknown): void {
    this.onError(new ObserverError(observer, message, [entity], cause));
  }

  /** @internal */
  requireUnreserved(store: Store, doing: string, entity: Entity | undefined): void {
    if (store.component.reserved === undefined) return;
    const of = entity === undefined ? "" : ` of ${formatEntity(entity)}`;
    throw new ReservedComponentError(
      `Cannot ${doing} ${store.component.name}${of}: only its owner writes it. Use ${store.component.reserved}.`,
      entity === undefined ? [] : [entity],
    );
  }

  protected requireEntityLike(entity: Entity, doing: string): void {
    const error = this.table.isAlive(entity) ? undefined : this.table.whyNotAlive(entity, doing);
    if (error !== undefined && error.code !== "ecs/dead-entity") throw error;
  }
}

/** Bundlers replace NODE_ENV by its value; where there is no process at all, nobody develops. */
function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== "production";
  } catch {
    return false;
  }
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };
