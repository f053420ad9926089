/**
 * Who hears of changes: change readers, observers and guards.
 */
import { requireFunction, requireObject } from "../checks/arguments.ts";
import { checkOptions } from "../checks/check-options.ts";
import type { AnyComponent } from "../components/component.ts";
import type { Store } from "../components/store.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import type { WorldState } from "../state.ts";
import { ChangeLog, ChangeReader } from "./changes.ts";
import {
  type CaptureObserver,
  type EntityObserver,
  type Guard,
  insertEntry,
  makeEntry,
  type Observer,
  ObserverList,
  removeEntry,
  type WriteGuard,
} from "./observers.ts";

const componentObserver = {
  add: "function",
  set: "function",
  remove: "function",
  name: "string",
  order: "number",
} as const;

const entityObserver = { spawn: "function", destroy: "function", name: "string", order: "number" } as const;

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

export function observe(s: WorldState, component: AnyComponent, observer: Observer): () => void {
  s.requireUsable("observe");
  checkOptions(s.checks, "observe a component", observer, componentObserver);
  const store = s.store(component);
  requireObject(observer, "observe a component", "the observer");
  const lists = store.observers ?? new ObserverList();
  store.observers = lists;
  const add = observer.add && makeEntry(observer.add, observer);
  const set = observer.set && makeEntry(observer.set, observer);
  const remove = observer.remove && makeEntry(observer.remove, observer);
  if (add) lists.onAdd = insertEntry(lists.onAdd, add);
  if (set) lists.onSet = insertEntry(lists.onSet, set);
  if (remove) lists.onRemove = insertEntry(lists.onRemove, remove);
  listen(s, store, 1);
  let active = true;
  return () => {
    if (!active) return;
    active = false;
    if (add) lists.onAdd = removeEntry(lists.onAdd, add);
    if (set) lists.onSet = removeEntry(lists.onSet, set);
    if (remove) lists.onRemove = removeEntry(lists.onRemove, remove);
    listen(s, store, -1);
  };
}

export function observeEntities(s: WorldState, observer: EntityObserver): () => void {
  s.requireUsable("observe");
  checkOptions(s.checks, "observe entities", observer, entityObserver);
  requireObject(observer, "observe entities", "the observer");
  const spawn = observer.spawn && makeEntry(observer.spawn, observer);
  const destroy = observer.destroy && makeEntry(observer.destroy, observer);
  if (spawn) s.onSpawn = insertEntry(s.onSpawn, spawn);
  if (destroy) s.onDestroy = insertEntry(s.onDestroy, destroy);
  let active = true;
  return () => {
    if (!active) return;
    active = false;
    if (spawn) s.onSpawn = removeEntry(s.onSpawn, spawn);
    if (destroy) s.onDestroy = removeEntry(s.onDestroy, destroy);
  };
}

export function guard(s: WorldState, component: AnyComponent, refuse: Guard): () => void {
  s.requireUsable("guard a component");
  const store = s.store(component);
  requireFunction(refuse, "guard a component", "the guard");
  store.guards = [...(store.guards ?? []), refuse];
  return () => {
    const left = store.guards?.filter((other) => other !== refuse) ?? [];
    store.guards = left.length === 0 ? undefined : left;
  };
}

export function guardWrites(s: WorldState, component: AnyComponent, refuse: WriteGuard): () => void {
  s.requireUsable("guard a component");
  requireFunction(refuse, "guard a component", "the guard");
  const store = s.store(component);
  store.writeGuards = [...(store.writeGuards ?? []), refuse];
  store.updateGuard();
  return () => {
    const left = store.writeGuards?.filter((other) => other !== refuse) ?? [];
    store.writeGuards = left.length === 0 ? undefined : left;
    store.updateGuard();
  };
}

export function observeCapture(s: WorldState, observer: CaptureObserver): () => void {
  s.requireUsable("observe");
  checkOptions(s.checks, "observe captures", observer, captureObserver);
  s.onCapture = [...s.onCapture, observer];
  return () => {
    s.onCapture = s.onCapture.filter((other) => other !== observer);
  };
}
