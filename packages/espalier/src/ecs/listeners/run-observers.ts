/**
 * Running observers.
 *
 * Those of what happened (`spawn`, `add`, `set`, `remove`, `destroy`) are queued and run when the whole call has finished; see
 * `notices.ts`. Those of what is about to happen (`removing`, `destroying`) run before the edit has begun, which is checked again after
 * them.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import { type Entity, formatEntity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE } from "../entities/index-record.ts";
import type { WorldState } from "../state.ts";
import { runBefore } from "./before-destroying.ts";
import { runBeforeEdit } from "./before-edit.ts";
import type { Saved } from "./gone.ts";
import { endlessNotices, type Notice } from "./notices.ts";
import { type Entry, thrownBy } from "./observers.ts";
import type { Observing } from "./observing.ts";

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

function created(s: WorldState, entity: Entity, archetype: Archetype): void {
  queue(s, s.onSpawn, entity, "spawn");
  if (!s.isObserved(archetype)) return;
  for (const store of archetype.stores) added(s, entity, store);
}

function added(s: WorldState, entity: Entity, { observers }: Store): void {
  if (observers !== undefined) queue(s, observers.onAdd, entity, "add");
}

function set(s: WorldState, entity: Entity, { observers }: Store): void {
  if (observers !== undefined) queue(s, observers.onSet, entity, "set");
}

function removed(s: WorldState, entity: Entity, store: Store): void {
  const { observers } = store;
  if (observers === undefined || observers.onRemove.length === 0) return;
  queue(s, observers.onRemove, entity, "remove", { store, saved: s.gone.saveComponent(entity, store) });
}

function areReadLater(s: WorldState, ids: Int32Array, count: number): boolean {
  if (s.onDestroy.length !== 0) return true;
  return s.listeners !== 0 && someArchetype(s, ids, count, (archetype) => s.isObserved(archetype));
}

function leaving(s: WorldState, entity: Entity, archetype: Archetype): void {
  queue(s, s.onDestroy, entity, "destroy");
  if (!s.isObserved(archetype)) return;
  for (const store of archetype.stores) {
    if (store.observers === undefined || store.observers.onRemove.length === 0) continue;
    const saved = s.gone.savedOf(entity, store) as Saved;
    queue(s, store.observers.onRemove, entity, "remove", { store, saved });
  }
}

// Before an edit ---------------------------------------------------------------------------------------------------------

function hasLeaving(s: WorldState, ids: Int32Array, count: number): boolean {
  if (s.onDestroying.length !== 0) return true;
  return s.listeners !== 0 && someArchetype(s, ids, count, hasRemovingObservers);
}

function hasRemovingObservers({ stores }: Archetype): boolean {
  return stores.some(({ observers }) => observers !== undefined && observers.onRemoving.length !== 0);
}

function runDestroying(s: WorldState, entity: Entity): void {
  run(s, s.onDestroying, entity, "destroying", () => s.isAlive(entity));
  const archetype = s.archetypeAt(entity & INDEX_MASK);
  if (archetype === undefined || !hasRemovingObservers(archetype)) return;
  for (const store of archetype.stores) runRemoving(s, entity, store);
}

function runRemoving(s: WorldState, entity: Entity, store: Store): boolean {
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

/** Gives it to the world; see `Observing`. */
export const observing: Observing<WorldState> = {
  created,
  added,
  set,
  removed,
  leaving,
  areReadLater,
  hasLeaving,
  runBefore,
  runDestroying,
  runRemoving,
};

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
