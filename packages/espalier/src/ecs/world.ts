/**
 * What users hold of a world. Everything is done by the functions of this room over one `WorldState`.
 */

import { requireFunction, requireNumber } from "./checks/arguments.ts";
import { checkOptions } from "./checks/check-options.ts";
import type {
  AnyComponent,
  AnyInit,
  Component,
  ComponentInit,
  Init,
  Resource,
} from "./components/component.ts";
import {
  type ColumnsOf,
  describeValue,
  type InputOf,
  type Schema,
  type ValueOf,
} from "./components/fields.ts";
import { type Entity, type EntityLike, INDEX_MASK } from "./entities/entity.ts";
import { handleIn, handlesIn, STATE } from "./entities/handle-in.ts";
import { ARCHETYPE } from "./entities/index-record.ts";
import { InvalidArgumentError, InvalidValueError, MissingRoomError } from "./errors.ts";
import { settle } from "./listeners/notices.ts";
import { add, remove } from "./mutate/change-components.ts";
import { spawn, spawnMany } from "./mutate/create.ts";
import { destroy, destroyEach } from "./mutate/destroy.ts";
import { set, setEach } from "./mutate/set.ts";
import { denseColumns, Query } from "./queries/query.ts";
import type { Term } from "./queries/terms.ts";
import { readResource, writeResource } from "./resources.ts";
import { claim, type Owner, touched } from "./rooms.ts";
import { isChecking, type WorldOptions, WorldState } from "./state.ts";

const worldOptions = {
  capacity: "anything",
  fixed: "boolean",
  checks: "boolean",
  generate: "boolean",
  onError: "function",
} as const;

/**
 * Creates an empty world. Worlds share nothing; handles of one mean nothing in another.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const world = createWorld();
 * const tank = world.spawn(Health({ hp: 250 }));
 * world.get(tank, Health); // → { hp: 250 }
 * ```
 */
export function createWorld(options: WorldOptions = {}): World {
  return new World(options);
}

/** What a world holds, for the rooms of this package. */
export function stateOf(world: World): WorldState {
  if (isWorld(world)) return world[STATE];
  throw new InvalidArgumentError(
    `Expected a world, got ${describeValue(world)}. Pass what createWorld() returned.`,
    { value: world },
  );
}

/** Whether something is a world, of this or of another copy of the library. */
export function isWorld(value: unknown): value is World {
  return (value as World | undefined | null)?.[STATE] !== undefined;
}

/**
 * Refuses an entity that is not alive in this world.
 *
 * @param doing - Completes "Cannot …" in the message.
 * @throws DeadEntityError, or InvalidEntityError for what is not an entity.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * world.destroy(tank);
 * requireAlive(world, tank, "aim"); // throws DeadEntityError: Cannot aim: #1 was destroyed.
 * ```
 */
export function requireAlive(world: World, entity: EntityLike, doing: string): void {
  stateOf(world).require(entity, doing);
}

/**
 * The handle of an entity that was given by its handle or as an object: for functions of your own that take both. What is neither
 * is returned as it is, and refused by the call that gets it.
 * @throws ForeignEntityError for an object of another world.
 *
 * @example
 * ```ts
 * class Tank {
 *   readonly id = world.spawn();
 * }
 * const tank = new Tank();
 * handleOf(world, tank); // → tank.id
 * handleOf(world, tank.id); // → tank.id
 * world.isAlive(tank); // → true
 * ```
 */
export function handleOf(world: World, entity: EntityLike): Entity;
/** The same where there may be none: `null` stays `null`. */
export function handleOf(world: World, entity: EntityLike | null): Entity | null;
export function handleOf(world: World, entity: EntityLike | null): Entity | null {
  return handleIn(stateOf(world), entity);
}

/**
 * The right to write a reserved component, given to the first caller.
 * @throws ReservedComponentError to everyone else.
 */
export function claimComponent<S extends Schema>(world: World, component: Component<S>): Owner<S> {
  return claim(stateOf(world), component);
}

/** Holds entities and everything about them. Made by `createWorld`. */
export class World {
  /** @internal */
  readonly [STATE]: WorldState;

  /** @internal Use `createWorld()`. */
  constructor(options: WorldOptions) {
    checkOptions(isChecking(options), "create a world", options, worldOptions);
    this[STATE] = new WorldState(options);
  }

  /** Grows with every structural change: entities created or destroyed, components added or removed. */
  get version(): number {
    return this[STATE].version;
  }

  /** Whether values are checked against their fields. */
  get checks(): boolean {
    return this[STATE].checks;
  }

  /** Receives errors of observers that threw and of commands that were refused. */
  get onError(): (error: Error) => void {
    return this[STATE].onError;
  }

  // Entities ---------------------------------------------------------------------------------------------------------

  /** How many entities are alive. */
  get count(): number {
    return this[STATE].table.alive;
  }

  /** Whether the handle belongs to a living entity of this world. `false` for anything that is not one. */
  isAlive(entity: EntityLike | number): boolean {
    return this[STATE].table.isAlive(entity);
  }

  /** The handle of the entity at an index: what `query.run()` and raw columns are indexed by. */
  handleAt(index: number): Entity {
    requireNumber(index, "look for an entity", "the index");
    return this[STATE].table.handleAt(index);
  }

  /** All living entities in the order of their indices, as a new array. */
  entities(): Entity[] {
    const { table } = this[STATE];
    const found: Entity[] = [];
    for (let index = 1; index <= table.used; index++) {
      if (table.info[(index << 2) | ARCHETYPE] >= 0) found.push(table.handleAt(index));
    }
    return found;
  }

  /** Makes room for `count` further entities, so that columns do not move until then. */
  reserve(count: number): void {
    const s = this[STATE];
    s.requireUsable("reserve room");
    if (!Number.isInteger(count) || count < 0) {
      throw new InvalidValueError(
        `Cannot reserve room for ${describeValue(count)} entities. Give an integer of at least 0.`,
        { value: count },
      );
    }
    s.requireUnlocked("reserve room");
    s.table.reserve(count);
  }

  /**
   * Creates an entity with the given components: `spawn(Position({ x: 1 }), Frozen)`.
   * @throws InvalidValueError for values that do not fit or a component given twice; nothing was created.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * const Frozen = tag("Frozen");
   * const tank = world.spawn(Health({ hp: 250 }), Frozen);
   * world.has(tank, Health, Frozen); // → true
   * ```
   */
  spawn(...inits: ComponentInit[]): Entity {
    return spawn(this[STATE], inits);
  }

  /** Creates `count` entities with the same components. Cheaper than `spawn` in a loop. */
  spawnMany(count: number, ...inits: ComponentInit[]): Entity[] {
    return spawnMany(this[STATE], count, inits);
  }

  /**
   * Destroys entities, with everything that must go with them (the subtree, where a hierarchy says so). Those already
   * dead are passed over; `false` when nothing was left to destroy.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * world.destroy(tank); // → true
   * world.isAlive(tank); // → false
   * world.destroy(tank); // → false
   * ```
   */
  destroy(...entities: EntityLike[]): boolean {
    const s = this[STATE];
    if (entities.length === 1) return destroy(s, handleIn(s, entities[0] as EntityLike));
    const handles = handlesIn(s, entities);
    for (const entity of handles) s.requireEntityLike(entity, "destroy");
    return destroyEach(s, handles);
  }

  // Components -------------------------------------------------------------------------------------------------------

  /**
   * Adds components. One that is already there is overwritten: given fields take their values, the others their
   * defaults.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * const tank = world.spawn();
   * world.add(tank, Health);
   * world.get(tank, Health); // → { hp: 100 }
   * ```
   */
  add(entity: EntityLike, ...inits: ComponentInit[]): void {
    add(this[STATE], handleIn(this[STATE], entity), inits);
  }

  /**
   * Removes components; those that are not there are passed over. `false` when none was there.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * const tank = world.spawn(Health);
   * world.remove(tank, Health); // → true
   * world.remove(tank, Health); // → false
   * ```
   */
  remove(entity: EntityLike, ...components: AnyComponent[]): boolean {
    return remove(this[STATE], handleIn(this[STATE], entity), components);
  }

  /**
   * Writes some fields of a component the entity has; the others stay. Writing the value that is there already is no
   * change.
   * @throws MissingComponentError when the entity lacks it; use `add` then.
   *
   * @example
   * ```ts
   * const Position = component("Position", { x: f32(), y: f32() });
   * const tank = world.spawn(Position);
   * world.set(tank, Position, { x: 5 });
   * world.get(tank, Position); // → { x: 5, y: 0 }
   * ```
   */
  set<S extends Schema>(entity: EntityLike, component: Component<S>, values: InputOf<S>): void;
  /** Writes some fields of several components, all of them or none: `world.set(tank, Health({ hp: 5 }), Position({ x: 1 }))`. */
  set(entity: EntityLike, ...inits: Init<Schema>[]): void;
  set(entity: EntityLike, first: AnyComponent | AnyInit, ...rest: unknown[]): void {
    if (typeof first === "function") set(this[STATE], entity, first, rest[0] as object | undefined);
    else setEach(this[STATE], entity, [first as AnyInit, ...(rest as AnyInit[])]);
  }

  /**
   * A copy of the component's values, or `undefined` when the entity does not have it. Inside observers also the last values of an
   * entity that the call destroyed.
   * @throws DeadEntityError for any other dead entity: `undefined` would look like one that lacks the component. Ask `isAlive` before.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * const [tank, rock] = [world.spawn(Health), world.spawn()];
   * world.get(tank, Health); // → { hp: 100 }
   * world.get(rock, Health); // → undefined
   * ```
   */
  get<S extends Schema>(entity: EntityLike, component: Component<S>): ValueOf<S> | undefined {
    const s = this[STATE];
    entity = handleIn(s, entity);
    const isAlive = s.table.isAlive(entity);
    if (!isAlive && !s.gone.knows(entity)) s.table.require(entity, "get a component");
    const store = s.store(component);
    if (!isAlive) return s.gone.read(s, entity, store) as ValueOf<S> | undefined;
    const index = entity & INDEX_MASK;
    return s.hasAt(index, store) ? (store.access.read(store.rowOf(index), s) as ValueOf<S>) : undefined;
  }

  /** Whether the entity has all of these. @throws DeadEntityError for a dead entity, as `get` does. */
  has(entity: EntityLike, ...components: AnyComponent[]): boolean {
    const s = this[STATE];
    entity = handleIn(s, entity);
    if (s.isReadableAfterEnd(entity)) {
      for (const component of components) if (!s.gone.has(entity, s.store(component))) return false;
      return true;
    }
    const index = s.table.require(entity, "ask for a component");
    for (const component of components) if (!s.hasAt(index, s.store(component))) return false;
    return true;
  }

  /** The component of that name, if the world has met it; for tools that know names only. */
  componentNamed(name: string): AnyComponent | undefined {
    return this[STATE].byName.get(name)?.component;
  }

  /**
   * The raw columns of a component, indexed by `indexOf(entity)`. They are replaced when the world grows or gives room back (never in a
   * `fixed` world), so fetch them at the start of a loop.
   * @throws QueryError for a component whose values are not kept by entity index: a sparse or shared one.
   */
  columns<S extends Schema>(component: Component<S>): ColumnsOf<S> {
    const s = this[STATE];
    s.requireUsable("read columns");
    return denseColumns(s.store(component)) as unknown as ColumnsOf<S>;
  }

  // Queries ----------------------------------------------------------------------------------------------------------

  /**
   * A query: `world.query(Position, not(Frozen), optional(Velocity))`. Equal queries share their matches.
   *
   * @example
   * ```ts
   * const Position = component("Position", { x: f32() });
   * const Frozen = tag("Frozen");
   * const ball = world.spawn(Position);
   * world.spawn(Position, Frozen);
   * world.query(Position, not(Frozen)).ids(); // → [ball]
   * ```
   */
  query<const T extends readonly Term[]>(...terms: T): Query<T> {
    this[STATE].requireUsable("make a query");
    return new Query(this[STATE], this, terms);
  }

  /**
   * The first entity that matches, or `null`: short for `world.query(…).first()`. To ask again and again, keep the query.
   *
   * @example
   * ```ts
   * const Player = tag("Player");
   * const knight = world.spawn(Player);
   * world.find(Player); // → knight
   * ```
   */
  find(...terms: readonly Term[]): Entity | null {
    return this.query(...terms).first();
  }

  /**
   * Says that a component's value changed in a way the world could not see: raw columns, inside of an object. Components
   * that the entity does not have are passed over.
   */
  touch(entity: EntityLike, ...components: AnyComponent[]): void {
    const s = this[STATE];
    entity = handleIn(s, entity);
    const index = s.table.require(entity, "touch a component");
    s.requireUnasked("touch a component");
    for (const component of components) {
      const store = s.store(component);
      if (s.hasAt(index, store)) touched(s, entity, store);
    }
    if (s.notices.waits) settle(s);
  }

  // Resources --------------------------------------------------------------------------------------------------------

  /**
   * The world's value of a resource.
   * @throws MissingResourceError when it was never set and has no initial value.
   */
  resource<Value>(resource: Resource<Value>): Value {
    return readResource(this[STATE], resource as Resource<unknown>) as Value;
  }

  /** Gives a resource a value. Its readers see it at once. */
  setResource<Value>(resource: Resource<Value>, value: Value): void {
    writeResource(this[STATE], resource as Resource<unknown>, value);
  }

  /**
   * Whether the resource has a value in this world. One that makes its first value itself has none before it is
   * read.
   */
  hasResource(resource: Resource<never> | Resource<unknown>): boolean {
    return this[STATE].resources.has(resource as Resource<unknown>);
  }

  // Life -------------------------------------------------------------------------------------------------------------

  /**
   * All or nothing: runs `work`, and when it throws, takes everything back that it changed. Available after
   * `createHistory(world)` or `enableTransactions(world)` of `espalier/history`.
   * @throws MissingRoomError before that.
   */
  transaction<Result>(work: () => Result): Result {
    const s = this[STATE];
    s.requireUsable("start a transaction");
    requireFunction(work, "start a transaction", "the work");
    if (s.transactor !== undefined) return s.transactor(work);
    throw new MissingRoomError(
      "Cannot start a transaction: nothing can take back what is changed in this world. Call enableTransactions(world) or createHistory(world) of espalier/history once, or transaction(world, work).",
    );
  }

  /** Whether `dispose()` was called. */
  get isDisposed(): boolean {
    return this[STATE].isDisposed;
  }

  /**
   * Ends the world. Entities are not destroyed one by one: no observer runs. Every later call throws
   * `DisposedWorldError`, but these answer: `isDisposed`, `isAlive` and `includes` (false), `count` (0), `entities`
   * (empty), `hasResource` (false); and readers and observers can still be closed.
   */
  dispose(): void {
    const s = this[STATE];
    if (s.isDisposed) return;
    s.requireUnlocked("dispose the world");
    for (const hook of s.hooks.columns) hook.dispose();
    for (const archetype of s.graph.all) archetype.count = 0;
    s.table.dispose();
    s.version++;
    s.resources.clear();
    s.attachments.clear();
  }
}
