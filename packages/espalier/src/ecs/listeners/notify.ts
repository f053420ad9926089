/**
 * Notifying observers and change readers.
 *
 * Change readers log at once. Observers of what happened (`spawn`, `add`, `set`, `remove`, `destroy`) are queued and run when the whole
 * call has finished; see `notices.ts`. Those of what is about to happen (`removing`, `destroying`) run before the edit has begun, which
 * is checked again after them.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import { type Entity, formatEntity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE } from "../entities/index-record.ts";
import { messageOf, ObserverError } from "../errors.ts";
import type { WorldState } from "../state.ts";
import type { Saved } from "./gone.ts";
import { endlessNotices, type Notice } from "./notices.ts";
import { type Entry, nameOf } from "./observers.ts";

/** Observers before an edit that cause each other more often than this are taken for an endless loop. */
const MAX_OBSERVER_DEPTH = 100;

// After the call ---------------------------------------------------------------------------------------------------------

interface Removed {
  readonly store: Store;
  readonly saved: Saved;
}

class ObserverNotice implements Notice {
  private readonly state: WorldState;
  private readonly entries: readonly Entry[];
  private readonly entity: Entity;
  private readonly what: string;
  /** Of a remove notice: the component that went, and where its values are saved. */
  private readonly removed: Removed | undefined;

  constructor(
    state: WorldState,
    entries: readonly Entry[],
    entity: Entity,
    what: string,
    removed: Removed | undefined,
  ) {
    this.state = state;
    this.entries = entries;
    this.entity = entity;
    this.what = what;
    this.removed = removed;
  }

  deliver(): void {
    const { state: s, entries, entity, what, removed } = this;
    const values = removed === undefined ? undefined : s.gone.valuesAt(s, removed.store, removed.saved);
    for (const { fn, name, isEnded } of entries) {
      if (isEnded()) continue;
      try {
        fn(entity, values);
      } catch (cause) {
        s.notices.report(s, thrownBy(name, `on ${what} of ${formatEntity(entity)}`, [entity], cause));
      }
    }
  }

  stopped(rounds: number): Error {
    return endlessNotices(this.entries[0]?.name ?? "", this.what, rounds);
  }
}

function queue(
  s: WorldState,
  entries: readonly Entry[],
  entity: Entity,
  what: string,
  removed?: Removed,
): void {
  if (entries.length !== 0)
    s.notices.add(new ObserverNotice(s, entries, entity, what, removed), s.isReplaying);
}

/** Whether observers or change readers want to know that an entity of this archetype was created. */
export function isCreationHeard(s: WorldState, archetype: Archetype): boolean {
  if (s.onSpawn.length !== 0) return true;
  return s.listeners !== 0 && (s.isObserved(archetype) || s.loggedOf(archetype).length !== 0);
}

export function notifyCreated(s: WorldState, entity: Entity, index: number, archetype: Archetype): void {
  const logged = s.loggedOf(archetype);
  for (let k = 0; k < logged.length; k++) logged[k]?.log?.added(entity, index);
  queue(s, s.onSpawn, entity, "spawn");
  if (!s.isObserved(archetype)) return;
  for (const store of archetype.stores) notifyAdded(s, entity, store);
}

export function notifyAdded(s: WorldState, entity: Entity, { observers }: Store): void {
  if (observers !== undefined) queue(s, observers.onAdd, entity, "add");
}

export function notifySet(s: WorldState, entity: Entity, index: number, store: Store): void {
  for (let k = 0; k < store.followers.length; k++) store.followers[k]?.(index);
  notifyOthersOfSet(s, entity, index, store);
}

/** The same where what follows the fields of the component is up to date already. */
export function notifyOthersOfSet(s: WorldState, entity: Entity, index: number, store: Store): void {
  store.log?.changed(entity, index);
  if (store.observers !== undefined) queue(s, store.observers.onSet, entity, "set");
}

/** The entity is about to lose a component and live on. */
export function notifyRemoved(s: WorldState, entity: Entity, store: Store): void {
  const { observers } = store;
  if (observers === undefined || observers.onRemove.length === 0) return;
  queue(s, observers.onRemove, entity, "remove", { store, saved: s.gone.saveComponent(entity, store) });
}

/** Whether the notices of these entities, or others that wait, may read them after they left. */
export function areReadLater(s: WorldState, ids: Int32Array, count: number): boolean {
  if (s.onDestroy.length !== 0 || s.notices.waits || haveReadersOfGone(s)) return true;
  return s.listeners !== 0 && someArchetype(s, ids, count, (archetype) => s.isObserved(archetype));
}

function haveReadersOfGone({ hooks }: WorldState): boolean {
  const { notices } = hooks;
  for (let k = 0; k < notices.length; k++) if (notices[k].readsGone()) return true;
  return false;
}

/** An entity is about to leave: change readers and observers. */
export function notifyLeaving(s: WorldState, entity: Entity, index: number, archetype: Archetype): void {
  queue(s, s.onDestroy, entity, "destroy");
  if (s.listeners === 0) return;
  const logged = s.loggedOf(archetype);
  for (let k = 0; k < logged.length; k++) logged[k]?.log?.removed(entity, index);
  if (!s.isObserved(archetype)) return;
  for (const store of archetype.stores) {
    if (store.observers === undefined || store.observers.onRemove.length === 0) continue;
    const saved = s.gone.savedOf(entity, store) as Saved;
    queue(s, store.observers.onRemove, entity, "remove", { store, saved });
  }
}

// Before an edit ---------------------------------------------------------------------------------------------------------

/** Whether observers must run before entities of these archetypes leave. */
export function hasLeavingObservers(s: WorldState, ids: Int32Array, count: number): boolean {
  if (s.onDestroying.length !== 0) return true;
  return s.listeners !== 0 && someArchetype(s, ids, count, hasRemovingObservers);
}

function hasRemovingObservers({ stores }: Archetype): boolean {
  return stores.some(({ observers }) => observers !== undefined && observers.onRemoving.length !== 0);
}

/** Runs the observers of an entity that is about to be destroyed. */
export function runDestroying(s: WorldState, entity: Entity): void {
  run(s, s.onDestroying, entity, "destroying", () => s.isAlive(entity));
  const archetype = s.archetypeAt(entity & INDEX_MASK);
  if (archetype === undefined || !hasRemovingObservers(archetype)) return;
  for (const store of archetype.stores) runRemoving(s, entity, store);
}

/** Runs the observers of a component that is about to go. `false` when it is not there, or when they are running already. */
export function runRemoving(s: WorldState, entity: Entity, store: Store): boolean {
  const { observers } = store;
  const isThere = () => s.isAlive(entity) && s.hasAt(entity & INDEX_MASK, store);
  if (!isThere()) return false;
  if (observers === undefined || observers.onRemoving.length === 0) return true;
  if (observers.leaving.has(entity)) return false;
  observers.leaving.add(entity);
  try {
    run(s, observers.onRemoving, entity, "removing", isThere);
  } finally {
    observers.leaving.delete(entity);
  }
  return true;
}

/** @param isThere Whether what is about to go is still there: those before may have made it go. */
function run(
  s: WorldState,
  entries: readonly Entry[],
  entity: Entity,
  what: string,
  isThere: () => boolean,
): void {
  const errorOf = (name: string) => (cause: unknown) =>
    thrownBy(name, `on ${what} of ${formatEntity(entity)}`, [entity], cause);
  for (const { fn, name, isEnded } of entries) {
    if (!isEnded() && isThere()) runBeforeEdit(s, name, what, () => fn(entity), errorOf(name));
  }
}

/** Calls one of those that run before an edit. `errorOf` gives the error that reports what it throws. */
export function runBeforeEdit(
  s: WorldState,
  name: string,
  what: string,
  call: () => void,
  errorOf: (cause: unknown) => Error,
): void {
  if (s.observerDepth === 0) s.runaway = false;
  if (s.runaway) return;
  if (s.observerDepth >= MAX_OBSERVER_DEPTH) {
    // Two observers that cause each other would otherwise meet this limit 2^100 times.
    s.runaway = true;
    s.onError(endlessNotices(name, what, MAX_OBSERVER_DEPTH));
    return;
  }
  s.observerDepth++;
  try {
    call();
    s.observerDepth--;
  } catch (cause) {
    // Before the report, which may throw in turn.
    s.observerDepth--;
    s.onError(errorOf(cause));
  }
}

// Captures ---------------------------------------------------------------------------------------------------------------

/** Reports that the values of the world are about to be read or replaced as a whole. */
export function notifyCapture(s: WorldState): void {
  for (const { before, name } of s.onCapture) runCapture(s, before, name, "before a capture");
}

/** Reports that a snapshot was restored. */
export function notifyRestored(s: WorldState): void {
  for (const { restored, name } of s.onCapture) runCapture(s, restored, name, "after a restore");
}

function runCapture(
  s: WorldState,
  fn: (() => void) | undefined,
  name: string | undefined,
  when: string,
): void {
  try {
    fn?.();
  } catch (cause) {
    s.onError(thrownBy(name ?? nameOf(fn as () => void), when, [], cause));
  }
}

function thrownBy(name: string, when: string, entities: Entity[], cause: unknown): ObserverError {
  return new ObserverError(`Observer ${name} threw ${when}: ${messageOf(cause)}`, {
    entities,
    observer: name,
    cause,
  });
}

/** Whether one of the archetypes of these entities is such. */
function someArchetype(
  { table: { info }, graph }: WorldState,
  ids: Int32Array,
  count: number,
  isSuch: (archetype: Archetype) => boolean,
): boolean {
  let asked = -1;
  for (let k = 0; k < count; k++) {
    const id = info[(ids[k] << 2) | ARCHETYPE];
    if (id === asked) continue;
    asked = id;
    if (isSuch(graph.all[id] as Archetype)) return true;
  }
  return false;
}
