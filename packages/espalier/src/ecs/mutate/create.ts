/**
 * Creating entities: one is a range of one. Everything is checked, and made, before anything changes.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import { complete } from "../bundles/complete.ts";
import type { AnyInit, ComponentInit } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { checkAll, checkForEntity, checkInit, storeOfInit, valuesOf } from "../components/validate.ts";
import { type Entity, formatEntity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE, RESERVED, ROW } from "../entities/index-record.ts";
import { InvalidEntityError, InvalidValueError } from "../errors.ts";
import { settle } from "../listeners/notices.ts";
import { isCreationHeard, notifyCreated } from "../listeners/notify.ts";
import type { WorldState } from "../state.ts";
import { bringBack } from "./bring-back.ts";
import { makeDefaults } from "./start-values.ts";

/** Creates an entity with the given components. */
export function spawn(s: WorldState, given: readonly ComponentInit[]): Entity {
  const known = knownArchetype(s, given);
  if (known !== undefined) s.requireUnlocked("create an entity");
  const inits = known === undefined ? complete(s, given, 0) : given;
  const archetype = known ?? archetypeOfNew(s, inits);
  const values = archetype.areMade ? makeDefaults(s, inits) : inits;
  return createAt(s, s.table.take(), archetype, values, false);
}

/** The archetype of an entity that is to be created. Throws for what is refused, guards included. */
export function archetypeOfNew(s: WorldState, inits: readonly ComponentInit[]): Archetype {
  const known = checkNew(s, inits);
  s.requireUnlocked("create an entity");
  return known ?? findArchetype(s, inits);
}

/** Creates an entity with components that were checked, and with all defaults that functions make. */
export function spawnChecked(s: WorldState, archetype: Archetype, inits: readonly ComponentInit[]): Entity {
  return createAt(s, s.table.take(), archetype, inits, false);
}

/** Creates `count` entities with the same components. */
export function spawnMany(s: WorldState, count: number, given: readonly ComponentInit[]): Entity[] {
  s.requireUsable("create entities");
  const inits = complete(s, given, 0);
  if (!Number.isInteger(count) || count < 0) {
    throw new InvalidValueError(
      `Cannot spawn ${describeValue(count)} entities. Give an integer of at least 0.`,
      { value: count },
    );
  }
  const known = checkNew(s, inits);
  s.requireUnlocked("create entities");
  // Do not create the archetype for an empty spawn: creation order is query order.
  if (count === 0) return [];
  const { table } = s;
  const archetype = known ?? findArchetype(s, inits);
  const { areMade } = archetype;
  // First, because it refuses what is too much.
  table.reserve(count);
  const each = areMade ? Array.from({ length: count }, () => makeDefaults(s, inits)) : undefined;
  // A function that makes a default may have created entities.
  if (areMade) table.reserve(count);
  const row = archetype.count;
  archetype.makeRoom(count);
  for (let k = 0; k < count; k++) archetype.push(table.take(), table.info);
  const handles = new Array<Entity>(count);
  for (let k = 0; k < count; k++) handles[k] = table.handleAt(archetype.ids[row + k]);
  if (each === undefined) fillRange(s, archetype, row, row + count, inits);
  else fillEach(s, archetype, row, each);
  finish(s, archetype, handles, false);
  return handles;
}

/**
 * The archetype of components that are complete as they are given, which most are: checked in one pass. `undefined` where more is to be
 * done: bundles, required components, guards, a new combination.
 */
function knownArchetype(s: WorldState, inits: readonly ComponentInit[]): Archetype | undefined {
  let archetype: Archetype | undefined = s.graph.empty;
  for (let k = 0; k < inits.length && archetype !== undefined; k++) {
    const init = inits[k] as ComponentInit | undefined;
    if (((init as AnyInit | undefined)?.key ?? 0) < 0) return undefined;
    const store = checkInit(s, init as ComponentInit, 0);
    if (store.hasRequires || store.guards !== undefined || store.refuse !== undefined) return undefined;
    archetype = archetype.withComponent[store.id];
  }
  return archetype;
}

/**
 * Checks the components of a new entity with their values; throws for what is refused, guards included. Gives the archetype, if
 * there is one yet.
 */
function checkNew(s: WorldState, inits: readonly ComponentInit[]): Archetype | undefined {
  let archetype = s.graph.empty;
  for (let k = 0; k < inits.length; k++) {
    const store = checkForEntity(s, inits[k], 0, false, inits);
    const next = archetype.withComponent[store.id];
    // A new combination, or a component that was given twice.
    if (next === undefined) {
      checkAll(s, inits, 0, false, k + 1);
      return undefined;
    }
    archetype = next;
  }
  return archetype;
}

/** The archetype of components that were checked. */
function findArchetype(s: WorldState, inits: readonly ComponentInit[]): Archetype {
  let archetype = s.graph.empty;
  for (const init of inits) archetype = s.graph.with(archetype, storeOfInit(s, init));
  return archetype;
}

/** Creates the entity of an index that was taken or reserved; `again`: it lived before. */
function createAt(
  s: WorldState,
  index: number,
  archetype: Archetype,
  inits: readonly ComponentInit[],
  again: boolean,
): Entity {
  const { table } = s;
  const row = archetype.count;
  archetype.push(index, table.info);
  fillRange(s, archetype, row, row + 1, inits);
  const entity = table.handleAt(index);
  table.alive++;
  s.version++;
  if (s.recorder.wanted) s.recorder.created(entity, again);
  if (isCreationHeard(s, archetype)) notifyCreated(s, entity, index, archetype);
  if (s.notices.waits) settle(s);
  return entity;
}

/** Notifies rooms of the entities in rows from..to - 1 and gives all of them the same values. */
function fillRange(
  s: WorldState,
  { ids }: Archetype,
  from: number,
  to: number,
  inits: readonly ComponentInit[],
): void {
  notifyRooms(s, ids, from, to);
  for (let k = 0; k < inits.length; k++) storeOfInit(s, inits[k]).fill(ids, from, to, valuesOf(inits[k]));
}

/** The same with values for each row. */
function fillEach(
  s: WorldState,
  { ids }: Archetype,
  from: number,
  each: readonly (readonly ComponentInit[])[],
): void {
  notifyRooms(s, ids, from, from + each.length);
  each.forEach((inits, k) => {
    for (const init of inits) storeOfInit(s, init).fill(ids, from + k, from + k + 1, valuesOf(init));
  });
}

function notifyRooms(s: WorldState, ids: Int32Array, from: number, to: number): void {
  const { life } = s.hooks;
  for (let k = 0; k < life.length; k++) life[k].created(ids, from, to);
}

function finish(s: WorldState, archetype: Archetype, handles: readonly Entity[], again: boolean): void {
  s.table.alive += handles.length;
  s.version++;
  if (s.recorder.wanted) for (const entity of handles) s.recorder.created(entity, again);
  if (isCreationHeard(s, archetype)) {
    for (const entity of handles) notifyCreated(s, entity, entity & INDEX_MASK, archetype);
  }
  if (s.notices.waits) settle(s);
}

// What rooms stand on ----------------------------------------------------------------------------------------------------

/**
 * Creates an entity with exactly this handle, where it lived before. Used to load.
 *
 * @param isLater - Whether later handles of its index stay valid; see `bringBack`.
 */
export function revive(
  s: WorldState,
  entity: Entity,
  inits: readonly ComponentInit[],
  isLater = false,
): void {
  s.requireUnlocked("bring back an entity");
  checkAll(s, inits, 0, true);
  const values = makeDefaults(s, inits);
  createAt(s, bringBack(s.table, entity, isLater), findArchetype(s, inits), values, true);
}

/** Where the raw values of components come from. */
export interface RawValues {
  /** Writes every field of one entity's component. */
  load(store: Store, row: number): void;
}

/** `revive` with raw values, in row `row` of its archetype; `again`: it had been destroyed, not taken back. */
export function reviveRaw(
  s: WorldState,
  entity: Entity,
  archetype: Archetype,
  row: number,
  values: RawValues,
  again: boolean,
): void {
  s.requireUnlocked("bring back an entity");
  const { table } = s;
  const index = bringBack(table, entity);
  archetype.push(index, table.info);
  archetype.seat(index, row, table.info);
  const at = table.info[(index << 2) | ROW];
  notifyRooms(s, archetype.ids, at, at + 1);
  for (const store of archetype.stores) {
    values.load(store, store.occupy(index));
    store.share(index);
    store.follow(index);
  }
  finish(s, archetype, [entity], again);
}

/** Reserves an index for an entity that a command buffer will create. Allowed where structure is locked. */
export function reserveHandle(s: WorldState): Entity {
  const index = s.table.take();
  s.table.info[(index << 2) | ARCHETYPE] = RESERVED;
  return s.table.handleAt(index);
}

/** Creates the entity of a reserved handle. */
export function createReserved(s: WorldState, entity: Entity, given: readonly ComponentInit[]): void {
  if (!s.table.isReserved(entity)) {
    throw new InvalidEntityError(
      `Cannot create ${formatEntity(entity)}: no reserveHandle() gave this handle.`,
      {
        value: entity,
      },
    );
  }
  const inits = complete(s, given, 0);
  const archetype = archetypeOfNew(s, inits);
  const values = archetype.areMade ? makeDefaults(s, inits) : inits;
  createAt(s, entity & INDEX_MASK, archetype, values, false);
}

/** Gives a reserved index back. */
export function releaseReserved(s: WorldState, entity: Entity): void {
  if (s.table.isReserved(entity)) s.table.release(entity & INDEX_MASK);
}
