/**
 * Listeners to changes: change readers, observers and guards.
 */
import { requireFunction, requireObject } from "../checks/arguments.ts";
import { checkOptions, type OptionKinds } from "../checks/check-options.ts";
import type { AnyComponent } from "../components/component.ts";
import type { Store } from "../components/store.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import type { WorldState } from "../state.ts";
import { ChangeLog, ChangeReader } from "./changes.ts";
import {
  type CaptureObserver,
  type EntityObserver,
  type Entry,
  type Guard,
  inserted,
  nameOf,
  type Observer,
  ObserverList,
  type ObserverOptions,
  type WriteGuard,
} from "./observers.ts";

const componentObserver = {
  add: "function",
  set: "function",
  removing: "function",
  remove: "function",
  name: "string",
  order: "number",
} as const;

const entityObserver = {
  spawn: "function",
  destroying: "function",
  destroy: "function",
  name: "string",
  order: "number",
} as const;

const captureObserver = { before: "function", restored: "function", name: "string" } as const;

export function readChanges(
  s: WorldState,
  component: AnyComponent,
  filter: ((entity: Entity) => boolean) | undefined,
): ChangeReader {
  s.requireUsable("read changes");
  const store = s.store(component);
  if (filter !== undefined) requireFunction(filter, "read changes", "the filter");
  if (store.log === undefined) {
    store.log = new ChangeLog();
    listen(s, store, 1);
  }
  const log = store.log;
  const there = (entity: Entity) =>
    s.isAlive(entity) && s.hasAt(entity & INDEX_MASK, store) && (filter === undefined || filter(entity));
  return new ChangeReader(log, there, () => {
    if (log.readers.size > 0 || store.log !== log) return;
    store.log = undefined;
    listen(s, store, -1);
  });
}

function listen(s: WorldState, store: Store, by: number): void {
  s.listeners += by;
  s.listenerVersion++;
  store.updateGuard();
}

export function observe(s: WorldState, component: AnyComponent, observer: Observer<never>): () => void {
  requireObserver(s, "a component", observer, componentObserver);
  const store = s.store(component);
  store.observers ??= new ObserverList();
  const end = insertAll(store.observers, observer, {
    onAdd: observer.add,
    onSet: observer.set,
    onRemoving: observer.removing,
    onRemove: observer.remove as Entry["fn"] | undefined,
  });
  listen(s, store, 1);
  return () => {
    if (end()) listen(s, store, -1);
  };
}

export function observeEntities(s: WorldState, observer: EntityObserver): () => void {
  requireObserver(s, "entities", observer, entityObserver);
  return insertAll(s, observer, {
    onSpawn: observer.spawn,
    onDestroying: observer.destroying,
    onDestroy: observer.destroy,
  });
}

export function observeCapture(s: WorldState, observer: CaptureObserver): () => void {
  requireObserver(s, "captures", observer, captureObserver);
  s.onCapture = [...s.onCapture, observer];
  return () => {
    s.onCapture = s.onCapture.filter((other) => other !== observer);
  };
}

function requireObserver(s: WorldState, of: string, observer: unknown, kinds: OptionKinds): void {
  s.requireUsable("observe");
  checkOptions(s.checks, `observe ${of}`, observer, kinds);
  requireObject(observer, `observe ${of}`, "the observer");
}

/** Puts the callbacks of an observer into their lists. Gives the function that takes them out, which says whether they were there. */
function insertAll<List extends string>(
  lists: { [name in NoInfer<List>]: readonly Entry[] },
  { name, order = 0 }: ObserverOptions,
  callbacks: { readonly [name in List]: Entry["fn"] | undefined },
): () => boolean {
  let isActive = true;
  const isEnded = () => !isActive;
  const entries = (Object.keys(callbacks) as List[]).flatMap((list) => {
    const fn = callbacks[list];
    if (fn !== undefined) requireFunction(fn, "observe", "a callback of the observer");
    return fn ? [{ list, entry: { fn, name: name ?? nameOf(fn), order, isEnded } }] : [];
  });
  for (const { list, entry } of entries) lists[list] = inserted(lists[list], entry);
  return () => {
    for (const { list, entry } of entries) lists[list] = lists[list].filter((other) => other !== entry);
    const wasActive = isActive;
    isActive = false;
    return wasActive;
  };
}

export function guard(s: WorldState, component: AnyComponent, refuse: Guard): () => void {
  return addGuard(s, component, "guards", refuse);
}

export function guardWrites(s: WorldState, component: AnyComponent, refuse: WriteGuard): () => void {
  return addGuard(s, component, "writeGuards", refuse);
}

function addGuard(
  s: WorldState,
  component: AnyComponent,
  list: "guards" | "writeGuards",
  refuse: unknown,
): () => void {
  s.requireUsable("guard a component");
  requireFunction(refuse, "guard a component", "the guard");
  const store = s.store(component);
  const lists = store as { [name in typeof list]: unknown[] | undefined };
  const replace = (guards: unknown[]) => {
    lists[list] = guards.length === 0 ? undefined : guards;
    store.updateGuard();
  };
  replace([...(lists[list] ?? []), refuse]);
  return () => replace((lists[list] ?? []).filter((other) => other !== refuse));
}
