/**
 * Adding and removing components: an entity moves from one archetype's list to another.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { AnyComponent, ComponentInit } from "../components/component.ts";
import type { Store } from "../components/store.ts";
import { checkAll, requireUnreserved, storeOfInit, valuesOf } from "../components/validate.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE, ROW } from "../entities/place-record.ts";
import { tellAdded, tellRemoving } from "../listeners/notify.ts";
import type { WorldState } from "../state.ts";
import { areMade, makeDefaults } from "./start-values.ts";
import { overwrite } from "./write.ts";

/** Adds components, each observed before the next one. One that is there is overwritten. */
export function add(s: WorldState, entity: Entity, inits: readonly ComponentInit[]): void {
  const index = s.table.require(entity, "add a component");
  checkAll(s, inits, index);
  if (s.locked !== 0 && !inits.every((init) => s.hasAt(index, storeOfInit(s, init))))
    s.requireUnlocked("add a component");
  if (!areMade(s, inits)) addChecked(s, entity, inits);
  else {
    const values = makeDefaults(s, inits);
    // A function that makes a default may have destroyed the entity.
    s.table.require(entity, "add a component");
    addChecked(s, entity, values);
  }
}

/** Adds components that were checked, with the defaults that functions make. */
export function addChecked(s: WorldState, entity: Entity, inits: readonly ComponentInit[]): void {
  for (let k = 0; k < inits.length; k++) {
    // An observer of an earlier one may have destroyed the entity.
    if (k > 0 && !s.table.isAlive(entity)) return;
    addOne(s, entity, storeOfInit(s, inits[k]), valuesOf(inits[k]));
  }
}

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
  if (store.observers !== undefined) tellAdded(s, entity, store);
}

/**
 * Gives the entities in rows first..last - 1 a component that their archetype lacks, and gives the archetype in which they are the
 * last ones now. The rows are one, or the last ones of the list.
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
  s.table.require(entity, "remove a component");
  for (let k = 0; k < components.length; k++) requireUnreserved(s.store(components[k]), "remove", entity);
  let removed = false;
  for (let k = 0; k < components.length; k++) {
    if (k > 0 && !s.table.isAlive(entity)) break;
    if (removeOne(s, entity, s.store(components[k]))) removed = true;
  }
  return removed;
}

export function removeOne(s: WorldState, entity: Entity, store: Store): boolean {
  const { table, graph } = s;
  const { info } = table;
  const index = entity & INDEX_MASK;
  const id = info[(index << 2) | ARCHETYPE];
  if (id < 0 || (graph.all[id] as Archetype).has[store.id] !== 1) return false;
  s.requireUnlocked("remove a component");
  if (store.observers !== undefined && store.observers.onRemove.length !== 0) {
    // Removed again by its own observer: it is going already.
    if (store.observers.leaving.has(entity)) return false;
    tellRemoving(s, entity, store);
    // The observer may have destroyed the entity, or removed the component by another way.
    if (!table.isAlive(entity) || !s.hasAt(index, store)) return true;
  }
  if (s.recorder.wanted) s.recorder.removed(entity, store);
  const row = info[(index << 2) | ROW];
  removeRows(s, graph.all[info[(index << 2) | ARCHETYPE]] as Archetype, row, row + 1, store);
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
