/**
 * Creating entities: one is a range of one. Everything is checked, and made, before anything changes.
 */
import type { Archetype, SpawnPlan } from "../archetypes/archetype.ts";
import type { ComponentInit } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { checkAll, valuesOf } from "../components/validate.ts";
import { type Entity, formatEntity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE, PROMISED, ROW } from "../entities/place-record.ts";
import { InvalidEntityError, InvalidValueError } from "../errors.ts";
import { isCreationHeard, settle, tellCreated } from "../listeners/notify.ts";
import type { WorldState } from "../state.ts";
import { bringBack } from "./bring-back.ts";
import { checkSpawn, makePlan } from "./spawn-plan.ts";
import { makeDefaults } from "./start-values.ts";

/** Creates an entity with the given components. */
export function spawn(s: WorldState, inits: readonly ComponentInit[]): Entity {
  const known = checkSpawn(s, inits);
  s.requireUnlocked("create an entity");
  const plan = known ?? makePlan(s, inits);
  const values = plan.areMade ? makeDefaults(plan.stores, inits) : inits;
  return createAt(s, s.table.take(), values, plan);
}

/** Creates `count` entities with the same components. */
export function spawnMany(s: WorldState, count: number, inits: readonly ComponentInit[]): Entity[] {
  s.requireUsable("create entities");
  if (!Number.isInteger(count) || count < 0) {
    throw new InvalidValueError(
      `Cannot spawn ${describeValue(count)} entities. Give an integer of at least 0.`,
    );
  }
  const known = checkSpawn(s, inits);
  s.requireUnlocked("create entities");
  // Nothing is made for nobody: an archetype that exists earlier comes earlier in queries.
  if (count === 0) return [];
  const { table } = s;
  const plan = known ?? makePlan(s, inits);
  const { archetype, stores, areMade } = plan;
  // First, because it refuses what is too much.
  table.reserve(count);
  const each = areMade ? Array.from({ length: count }, () => makeDefaults(stores, inits)) : undefined;
  // What makes defaults may have created entities.
  if (areMade) table.reserve(count);
  const row = archetype.count;
  archetype.makeRoom(count);
  for (let k = 0; k < count; k++) archetype.push(table.take(), table.info);
  const handles = new Array<Entity>(count);
  for (let k = 0; k < count; k++) handles[k] = table.handleAt(archetype.ids[row + k]);
  fillRange(s, plan, row, row + count, inits, each);
  finish(s, archetype, handles, false);
  return handles;
}

/** Creates the entity of an index that was taken or promised; `again`: it lived before. */
function createAt(
  s: WorldState,
  index: number,
  inits: readonly ComponentInit[],
  plan: SpawnPlan,
  again = false,
): Entity {
  const { table } = s;
  const { archetype } = plan;
  archetype.push(index, table.info);
  const row = archetype.count - 1;
  fillRange(s, plan, row, row + 1, inits);
  const entity = table.handleAt(index);
  table.alive++;
  s.version++;
  if (s.recorder.wanted) s.recorder.created(entity, again);
  if (isCreationHeard(s, archetype)) tellCreated(s, entity, index, archetype);
  if (s.hooks.length !== 0) settle(s);
  return entity;
}

/** Tells rooms of the entities in rows from..to and writes their values: those of `each`, or the same for all. */
function fillRange(
  s: WorldState,
  { archetype, stores }: SpawnPlan,
  from: number,
  to: number,
  inits: readonly ComponentInit[],
  each?: readonly (readonly ComponentInit[])[],
): void {
  const { ids } = archetype;
  const { hooks } = s;
  for (let k = 0; k < hooks.length; k++) hooks[k]?.created?.(ids, from, to);
  for (let k = 0; k < stores.length; k++) {
    const store = stores[k] as Store;
    if (each === undefined || store.made.length === 0) fill(store, ids, from, to, valuesOf(inits[k]));
    else for (let row = from; row < to; row++) fill(store, ids, row, row + 1, valuesOf(each[row - from][k]));
  }
}

/** Gives the entities ids[from..to) the start values of a component; defaults that functions make are among them. */
export function fill(
  store: Store,
  ids: Int32Array,
  from: number,
  to: number,
  values: object | undefined,
): void {
  if (!store.isDense) store.access.init(store.occupyAll(ids, from, to), 0, to - from, values);
  else if (store.fields.length !== 0) store.access.init(ids, from, to, values);
  if (store.followers.length !== 0) for (let k = from; k < to; k++) follow(store, ids[k]);
}

export function follow(store: Store, index: number): void {
  for (let k = 0; k < store.followers.length; k++) store.followers[k]?.(index);
}

function finish(s: WorldState, archetype: Archetype, handles: readonly Entity[], again: boolean): void {
  s.table.alive += handles.length;
  s.version++;
  if (s.recorder.wanted) for (const entity of handles) s.recorder.created(entity, again);
  if (isCreationHeard(s, archetype)) {
    for (const entity of handles) {
      // An observer of an earlier one may have destroyed it.
      if (s.table.isAlive(entity)) tellCreated(s, entity, entity & INDEX_MASK, archetype);
    }
  }
  if (s.hooks.length !== 0) settle(s);
}

// What rooms stand on ----------------------------------------------------------------------------------------------------

/** Creates an entity with exactly this handle, where it lived before. Used to load. */
export function revive(s: WorldState, entity: Entity, inits: readonly ComponentInit[]): void {
  s.requireUnlocked("bring back an entity");
  const values = makeDefaults(checkAll(s, inits, 0, true), inits);
  createAt(s, bringBack(s.table, entity), values, makePlan(s, inits), true);
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
  for (const hook of s.hooks) hook.created?.(archetype.ids, at, at + 1);
  for (const store of archetype.stores) {
    values.load(store, store.occupy(index));
    if (store.followers.length !== 0) follow(store, index);
  }
  finish(s, archetype, [entity], again);
}

/** Reserves an index for an entity that a command buffer will create. Allowed where structure is locked. */
export function promise(s: WorldState): Entity {
  const index = s.table.take();
  s.table.info[(index << 2) | ARCHETYPE] = PROMISED;
  return s.table.handleAt(index);
}

/** Creates the entity of a promised handle. */
export function keepPromise(s: WorldState, entity: Entity, inits: readonly ComponentInit[]): void {
  if (!s.table.isPromised(entity)) {
    throw new InvalidEntityError(`Cannot create ${formatEntity(entity)}: no promise() gave this handle.`);
  }
  const known = checkSpawn(s, inits);
  s.requireUnlocked("create an entity");
  const plan = known ?? makePlan(s, inits);
  createAt(s, entity & INDEX_MASK, plan.areMade ? makeDefaults(plan.stores, inits) : inits, plan);
}

/** Gives a promised index back. */
export function breakPromise(s: WorldState, entity: Entity): void {
  if (s.table.isPromised(entity)) s.table.release(entity & INDEX_MASK);
}
