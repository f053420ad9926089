// biome-ignore-all lint/complexity/noArguments: a rest parameter costs an array per call (10 ns), Array.from 400 ns
/**
 * The small world: entities, components and queries, and nobody who hears of changes. The full one stands on it.
 *
 * Every call checks first and then changes, so that a refused call leaves no trace.
 */
import type { Archetype } from "./archetype.ts";
import type { AnyComponent, AnyInit, Component, ComponentInit, Init } from "./component.ts";
import { type Entity, formatEntity, INDEX_MASK } from "./entity.ts";
import { InvalidValueError, MissingComponentError } from "./errors.ts";
import { type ColumnsOf, describe, type InputOf, type Schema, type ValueOf } from "./fields.ts";
import { ARCHETYPE } from "./place-record.ts";
import { CoreQuery, denseColumns } from "./query.ts";
import type { Store } from "./store.ts";
import type { Term } from "./terms.ts";
import type { CoreWorldOptions } from "./world-core.ts";
import { valuesOf, WorldDoor } from "./world-door.ts";

/**
 * Creates a small world: entities, components and queries in less than 12 kB. `createWorld` makes the full one, which
 * has change readers, observers, bulk calls and resources as well, and on which trees and all other rooms stand.
 */
export function createCoreWorld(options: CoreWorldOptions = {}): CoreWorld {
  return new CoreWorld(options);
}

export class CoreWorld extends WorldDoor {
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

  protected addSeveral(entity: Entity, stores: readonly Store[], inits: readonly ComponentInit[]): void {
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

  protected requireHas(entity: Entity, index: number, store: Store): void {
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

  // Queries ----------------------------------------------------------------------------------------------------------

  /** A query: `world.query(Position, not(Frozen), optional(Velocity))`. Equal queries share their matches. */
  query<const T extends readonly Term[]>(...terms: T): CoreQuery<T> {
    this.requireUsable("make a query");
    return new CoreQuery(this, terms);
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
    for (const archetype of this.graph.all) archetype.count = 0;
    this.table.dispose();
    this.version++;
  }
}
