/**
 * Creating entities: one is a range of one.
 *
 * Everything is checked before anything changes. What can still fail is a function of the user's that makes the default of an
 * object field; then everything is taken back.
 */
import type { Archetype, SpawnPlan } from "../archetypes/archetype.ts";
import type { ComponentInit } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { checkAll, valuesOf } from "../components/validate.ts";
import { type Entity, formatEntity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE, GENERATION, PROMISED, ROW } from "../entities/place-record.ts";
import { InvalidEntityError, InvalidValueError } from "../errors.ts";
import { isCreationHeard, settle, tellCreated } from "../listeners/notify.ts";
import type { WorldState } from "../state.ts";
import { bringBack } from "./bring-back.ts";
import { checkSpawn, makePlan } from "./spawn-plan.ts";

/** Creates an entity with the given components. */
export function spawn(s: WorldState, inits: readonly ComponentInit[]): Entity {
  const plan = checkSpawn(s, inits);
  s.requireUnlocked("create an entity");
  const index = s.table.take();
  return createAt(s, index, inits, plan ?? makePlan(s, inits));
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
  table.reserve(count);
  const plan = known ?? makePlan(s, inits);
  const { archetype } = plan;
  const row = archetype.count;
  archetype.makeRoom(count);
  for (let k = 0; k < count; k++) archetype.push(table.take(), table.info);
  const handles = new Array<Entity>(count);
  for (let k = 0; k < count; k++) handles[k] = table.handleAt(archetype.ids[row + k]);
  try {
    fillRange(s, plan, row, row + count, inits);
  } catch (error) {
    for (let k = count - 1; k >= 0; k--) table.untake(handles[k] & INDEX_MASK);
    throw error;
  }
  finish(s, archetype, handles, false);
  return handles;
}

/** Creates the entity of an index that was taken or promised; `before` is its generation if it lived before. */
function createAt(
  s: WorldState,
  index: number,
  inits: readonly ComponentInit[],
  plan: SpawnPlan,
  before?: number,
): Entity {
  const { table } = s;
  const { info } = table;
  const isPromised = info[(index << 2) | ARCHETYPE] === PROMISED;
  const { archetype } = plan;
  archetype.push(index, info);
  const row = archetype.count - 1;
  try {
    fillRange(s, plan, row, row + 1, inits);
  } catch (error) {
    if (before !== undefined) info[(index << 2) | GENERATION] = before;
    if (isPromised) info[(index << 2) | ARCHETYPE] = PROMISED;
    else table.untake(index);
    throw error;
  }
  const entity = table.handleAt(index);
  table.alive++;
  s.version++;
  if (s.records.wanted) s.records.created(entity, before !== undefined);
  if (isCreationHeard(s, archetype)) tellCreated(s, entity, index, archetype);
  if (s.hooks.length !== 0) settle(s);
  return entity;
}

/** Tells rooms of the entities in rows from..to and writes their values. When it throws, they are out of the archetype again. */
function fillRange(
  s: WorldState,
  { archetype, stores }: SpawnPlan,
  from: number,
  to: number,
  inits: readonly ComponentInit[],
): void {
  const { ids } = archetype;
  const { hooks } = s;
  for (let k = 0; k < hooks.length; k++) hooks[k]?.created?.(ids, from, to);
  let k = 0;
  try {
    for (; k < stores.length; k++)
      fill(stores[k] as Store, ids, from, to, valuesOf(inits[k] as ComponentInit));
  } catch (error) {
    while (--k >= 0) for (let row = to - 1; row >= from; row--) stores[k]?.vacate(ids[row]);
    for (const hook of hooks) hook.leaving?.(ids, from, to);
    for (let row = to - 1; row >= from; row--) archetype.drop(ids[row], s.table.info);
    throw error;
  }
}

/** Gives the entities ids[from..to) the start values of a component. When a default cannot be made, it lets go of them again. */
export function fill(
  store: Store,
  ids: Int32Array,
  from: number,
  to: number,
  values: object | undefined,
): void {
  try {
    if (!store.isDense) store.access.init(store.occupyAll(ids, from, to), 0, to - from, values);
    else if (store.fields.length !== 0) store.access.init(ids, from, to, values);
  } catch (error) {
    for (let k = to - 1; k >= from; k--) store.vacate(ids[k]);
    throw error;
  }
  if (store.external !== undefined) for (let k = from; k < to; k++) store.external.written(ids[k]);
  if (store.followers.length !== 0) for (let k = from; k < to; k++) follow(store, ids[k]);
}

export function follow(store: Store, index: number): void {
  for (let k = 0; k < store.followers.length; k++) store.followers[k]?.(index);
}

function finish(s: WorldState, archetype: Archetype, handles: readonly Entity[], again: boolean): void {
  s.table.alive += handles.length;
  s.version++;
  if (s.records.wanted) for (const entity of handles) s.records.created(entity, again);
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
  checkAll(s, inits, 0, true);
  const before = s.table.generationAt(entity & INDEX_MASK);
  createAt(s, bringBack(s.table, entity), inits, makePlan(s, inits), before);
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
    store.external?.written(index);
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
  const plan = checkSpawn(s, inits);
  s.requireUnlocked("create an entity");
  createAt(s, entity & INDEX_MASK, inits, plan ?? makePlan(s, inits));
}

/** Gives a promised index back. */
export function breakPromise(s: WorldState, entity: Entity): void {
  if (s.table.isPromised(entity)) s.table.release(entity & INDEX_MASK);
}
