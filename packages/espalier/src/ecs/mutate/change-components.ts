/**
 * Adding and removing components: an entity moves from one archetype's list to another.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import { complete } from "../bundles/complete.ts";
import type { AnyComponent, ComponentInit } from "../components/component.ts";
import type { Store } from "../components/store.ts";
import { checkAll, requireUnreserved, storeOfInit, valuesOf } from "../components/validate.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE, ROW } from "../entities/index-record.ts";
import { settle } from "../listeners/notices.ts";
import { notifyAdded, notifyRemoved, runRemoving } from "../listeners/notify.ts";
import type { WorldState } from "../state.ts";
import { areMade, makeDefaults } from "./start-values.ts";
import { overwrite } from "./write.ts";

/** Adds components. One that is there is overwritten. */
export function add(s: WorldState, entity: Entity, given: readonly ComponentInit[]): void {
  const index = s.table.require(entity, "add a component");
  s.requireUnasked("add a component");
  const inits = complete(s, given, index);
  checkAll(s, inits, index);
  if (s.locked !== 0 && !inits.every((init) => s.hasAt(index, storeOfInit(s, init))))
    s.requireUnlocked("add a component");
  if (areMade(s, inits)) addWithDefaults(s, entity, inits);
  else addChecked(s, entity, inits);
  if (s.notices.waits) settle(s);
}

function addWithDefaults(s: WorldState, entity: Entity, inits: readonly ComponentInit[]): void {
  const values = makeDefaults(s, inits);
  // A function that makes a default may have destroyed the entity.
  s.table.require(entity, "add a component");
  addChecked(s, entity, values);
}

/** Adds components that were checked, with the defaults that functions make. */
export function addChecked(s: WorldState, entity: Entity, inits: readonly ComponentInit[]): void {
  for (let k = 0; k < inits.length; k++) addOne(s, entity, storeOfInit(s, inits[k]), valuesOf(inits[k]));
}

/** Adds one component, as part of a call. */
export function addOne(s: WorldState, entity: Entity, store: Store, values: object | undefined): void {
  const { table, graph } = s;
  const { info } = table;
  const index = entity & INDEX_MASK;
  const from = graph.all[info[(index << 2) | ARCHETYPE]] as Archetype;
  if (from.has[store.id] === 1) {
    overwrite(s, entity, store, values);
    return;
  }
  s.requireUnlocked("add a component");
  const row = info[(index << 2) | ROW];
  addRows(s, from, row, row + 1, store, values);
  if (s.recorder.wanted) s.recorder.added(entity, store, row);
  if (store.observers !== undefined) notifyAdded(s, entity, store);
}

/**
 * Gives the entities in rows first..last - 1 a component that their archetype lacks, and gives the archetype in which they are the
 * last ones now. Those that were behind them in their old list fill the gap.
 */
export function addRows(
  s: WorldState,
  from: Archetype,
  first: number,
  last: number,
  store: Store,
  values: object | undefined,
): Archetype {
  const to = from.withComponent[store.id] ?? s.graph.with(from, store);
  const start = to.count;
  from.moveRows(to, first, last, s.table.info);
  const end = to.count;
  const { ids } = to;
  store.fill(ids, start, end, values);
  s.version += end - start;
  if (store.log !== undefined) {
    for (let row = start; row < end; row++) store.log.added(s.table.handleAt(ids[row]), ids[row]);
  }
  return to;
}

/** Removes components; `false` when none was there. */
export function remove(s: WorldState, entity: Entity, components: readonly AnyComponent[]): boolean {
  const index = s.table.require(entity, "remove a component");
  s.requireUnasked("remove a component");
  const going: Store[] = [];
  for (let k = 0; k < components.length; k++) {
    const store = s.store(components[k]);
    requireUnreserved(store, "remove", entity);
    if (s.hasAt(index, store) && !going.includes(store)) going.push(store);
  }
  if (going.length === 0) return false;
  s.requireUnlocked("remove a component");
  const removed = going.filter((store) => runRemoving(s, entity, store));
  for (const store of removed) removeOne(s, entity, store);
  if (s.notices.waits) settle(s);
  return removed.length !== 0;
}

/** Removes one component, as part of a call. `false` when the entity is dead or does not have it. */
export function removeOne(s: WorldState, entity: Entity, store: Store): boolean {
  const index = entity & INDEX_MASK;
  if (!s.table.isAlive(entity) || !s.hasAt(index, store)) return false;
  s.requireUnlocked("remove a component");
  if (s.recorder.wanted) s.recorder.removed(entity, store);
  if (store.observers !== undefined) notifyRemoved(s, entity, store);
  const row = s.table.info[(index << 2) | ROW];
  removeRows(s, s.archetypeAt(index) as Archetype, row, row + 1, store);
  return true;
}

/** Takes a component from the entities in rows first..last - 1; the same as `addRows` otherwise. */
export function removeRows(
  s: WorldState,
  from: Archetype,
  first: number,
  last: number,
  store: Store,
): Archetype {
  const to = from.withoutComponent[store.id] ?? s.graph.without(from, store);
  const start = to.count;
  from.moveRows(to, first, last, s.table.info);
  const { ids, count } = to;
  s.version += count - start;
  if (store.releases) for (let row = start; row < count; row++) store.vacate(ids[row]);
  if (store.followers.length !== 0) for (let row = start; row < count; row++) store.follow(ids[row]);
  if (store.log !== undefined) {
    for (let row = start; row < count; row++) store.log.removed(s.table.handleAt(ids[row]), ids[row]);
  }
  return to;
}
