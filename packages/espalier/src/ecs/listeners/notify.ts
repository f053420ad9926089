/**
 * What edits call to notify listeners.
 *
 * Change readers log at once. What observers need is code of its own (`run-observers.ts`), which the first observer brings in: programs
 * without observers do not carry it.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import type { WorldState } from "../state.ts";

/** Whether observers or change readers want to know that an entity of this archetype was created. */
export function isCreationHeard(s: WorldState, archetype: Archetype): boolean {
  if (s.onSpawn.length !== 0) return true;
  return s.listeners !== 0 && (s.isObserved(archetype) || s.loggedOf(archetype).length !== 0);
}

export function notifyCreated(s: WorldState, entity: Entity, index: number, archetype: Archetype): void {
  const logged = s.loggedOf(archetype);
  for (let k = 0; k < logged.length; k++) logged[k]?.log?.added(entity, index);
  s.observing?.created(s, entity, archetype);
}

export function notifyAdded(s: WorldState, entity: Entity, store: Store): void {
  if (store.observers !== undefined) s.observing?.added(s, entity, store);
}

export function notifySet(s: WorldState, entity: Entity, index: number, store: Store): void {
  for (let k = 0; k < store.followers.length; k++) store.followers[k]?.(index);
  notifyOthersOfSet(s, entity, index, store);
}

/** The same where what follows the fields of the component is up to date already. */
export function notifyOthersOfSet(s: WorldState, entity: Entity, index: number, store: Store): void {
  store.log?.changed(entity, index);
  if (store.observers !== undefined) s.observing?.set(s, entity, store);
}

/** The entity is about to lose a component and live on. */
export function notifyRemoved(s: WorldState, entity: Entity, store: Store): void {
  if (store.observers !== undefined) s.observing?.removed(s, entity, store);
}

/** Whether the notices of these entities, or notices that wait, may read them after they left. */
export function areReadLater(s: WorldState, ids: Int32Array, count: number): boolean {
  if (s.notices.waits || haveReadersOfGone(s)) return true;
  return s.observing?.areReadLater(s, ids, count) === true;
}

function haveReadersOfGone({ hooks }: WorldState): boolean {
  const { notices } = hooks;
  for (let k = 0; k < notices.length; k++) if (notices[k].readsGone()) return true;
  return false;
}

/** An entity is about to leave: change readers and observers. */
export function notifyLeaving(s: WorldState, entity: Entity, index: number, archetype: Archetype): void {
  if (s.listeners !== 0) {
    const logged = s.loggedOf(archetype);
    for (let k = 0; k < logged.length; k++) logged[k]?.log?.removed(entity, index);
  }
  s.observing?.leaving(s, entity, archetype);
}

/** Whether observers must run before entities of these archetypes leave. */
export function hasLeavingObservers(s: WorldState, ids: Int32Array, count: number): boolean {
  return s.observing?.hasLeaving(s, ids, count) === true;
}

/** Runs the observers of an entity that is about to be destroyed. */
export function runDestroying(s: WorldState, entity: Entity): void {
  s.observing?.runDestroying(s, entity);
}

/** Runs the observers of a component that is about to go. `false` when it is not there, or when they are running already. */
export function runRemoving(s: WorldState, entity: Entity, store: Store): boolean {
  if (s.observing !== undefined) return s.observing.runRemoving(s, entity, store);
  return s.isAlive(entity) && s.hasAt(entity & INDEX_MASK, store);
}
