/**
 * Telling observers and change readers.
 *
 * Observers run at once, inside the operation, and may change the world; see `observers.ts`.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import { type Entity, formatEntity } from "../entities/entity.ts";
import { messageOf, ObserverError } from "../errors.ts";
import type { WorldState } from "../state.ts";
import { type Entry, nameOf } from "./observers.ts";

/** An observer that causes its own event more often than this is taken for an endless loop. */
const MAX_OBSERVER_DEPTH = 100;

/** Whether observers or readers must hear that an entity of this archetype was created. */
export function isCreationHeard(s: WorldState, archetype: Archetype): boolean {
  if (s.onSpawn.length !== 0) return true;
  return s.listeners !== 0 && (s.isObserved(archetype) || s.loggedOf(archetype).length !== 0);
}

export function tellCreated(s: WorldState, entity: Entity, index: number, archetype: Archetype): void {
  const logged = s.loggedOf(archetype);
  for (let k = 0; k < logged.length; k++) logged[k]?.log?.added(entity, index);
  tell(s, s.onSpawn, entity, "spawn");
  if (!s.isObserved(archetype)) return;
  for (const store of archetype.stores) {
    // An observer before may have destroyed the entity or removed the component.
    if (!s.table.isAlive(entity)) return;
    if (s.hasAt(index, store)) tellAdded(s, entity, store);
  }
}

export function tellAdded(s: WorldState, entity: Entity, { observers }: Store): void {
  if (observers !== undefined) tell(s, observers.onAdd, entity, "add");
}

export function tellSet(s: WorldState, entity: Entity, index: number, store: Store): void {
  for (let k = 0; k < store.followers.length; k++) store.followers[k]?.(index);
  store.log?.changed(entity, index);
  if (store.observers !== undefined) tell(s, store.observers.onSet, entity, "set");
}

/** Whether observers must hear that an entity of this archetype goes. */
export function hasLeaveObservers(s: WorldState, archetype: Archetype): boolean {
  return s.onDestroy.length !== 0 || (s.listeners !== 0 && s.isObserved(archetype));
}

/** Tells change readers that an entity leaves. */
export function logLeaving(s: WorldState, entity: Entity, index: number, archetype: Archetype): void {
  const logged = s.loggedOf(archetype);
  for (let k = 0; k < logged.length; k++) logged[k]?.log?.removed(entity, index);
}

/** Tells observers that an entity is about to go; they may do anything. */
export function tellLeaving(s: WorldState, entity: Entity, index: number): void {
  s.dying.push(index);
  try {
    tell(s, s.onDestroy, entity, "destroy");
    // Observers may add components to the dying entity: then look again at what it has.
    let told: Archetype | undefined;
    let archetype = s.archetypeAt(index);
    for (let round = 0; archetype !== undefined && archetype !== told && round < 100; round++) {
      for (const store of archetype.stores) {
        if (told?.has[store.id] === 1 || !s.hasAt(index, store)) continue;
        tellRemoving(s, entity, store);
      }
      told = archetype;
      archetype = s.archetypeAt(index);
    }
  } finally {
    // Also when an onError throws: the entity lives on then and can be destroyed later.
    s.dying.splice(s.dying.lastIndexOf(index), 1);
  }
}

/** Tells the observers, unless they are being told already. */
export function tellRemoving(s: WorldState, entity: Entity, store: Store): void {
  if (store.observers === undefined || store.observers.onRemove.length === 0) return;
  const { leaving, onRemove } = store.observers;
  if (leaving.has(entity)) return;
  leaving.add(entity);
  try {
    tell(s, onRemove, entity, "remove");
  } finally {
    leaving.delete(entity);
  }
}

function tell(s: WorldState, entries: readonly Entry[], entity: Entity, what: string): void {
  if (entries.length === 0) return;
  if (s.observerDepth === 0) s.runaway = false;
  if (s.runaway) return;
  if (s.observerDepth >= MAX_OBSERVER_DEPTH) {
    // Two observers that cause each other would otherwise meet this limit 2^100 times.
    s.runaway = true;
    const name = entries[0]?.name ?? "";
    const message = `Stopped observer ${name}: its ${what} caused itself ${MAX_OBSERVER_DEPTH} times over. No further observer hears of this change.`;
    s.onError(new ObserverError(name, message, [entity], undefined));
    return;
  }
  for (let k = 0; k < entries.length; k++) {
    const { fn, name } = entries[k] as Entry;
    s.observerDepth++;
    try {
      fn(entity);
      s.observerDepth--;
    } catch (cause) {
      // Before the report, which may throw in turn.
      s.observerDepth--;
      report(s, name, `on ${what} of ${formatEntity(entity)}`, [entity], cause);
    }
  }
}

/** Tells that the values of the world are about to be read or replaced as a whole. */
export function tellCapture(s: WorldState): void {
  for (const { before, name } of s.onCapture) run(s, before, name, "before a capture");
}

/** Tells that a snapshot was restored. */
export function tellRestored(s: WorldState): void {
  for (const { restored, name } of s.onCapture) run(s, restored, name, "after a restore");
}

function run(s: WorldState, fn: (() => void) | undefined, name: string | undefined, when: string): void {
  try {
    fn?.();
  } catch (cause) {
    report(s, name ?? nameOf(fn as () => void), when, [], cause);
  }
}

function report(s: WorldState, name: string, when: string, entities: Entity[], cause: unknown): void {
  s.onError(new ObserverError(name, `Observer ${name} threw ${when}: ${messageOf(cause)}`, entities, cause));
}

/** Tells rooms that a call has ended, unless it was made inside an observer: then the call around it has not. */
export function settle(s: WorldState): void {
  if (s.observerDepth !== 0) return;
  for (let k = 0; k < s.hooks.length; k++) s.hooks[k]?.settled?.();
}
