/**
 * Observers, which are notified of changes, and guards, which may refuse them.
 */
import { requireFunction, requireObject } from "../checks/arguments.ts";
import { checkOptions, type OptionKinds } from "../checks/check-options.ts";
import type { AnyComponent, Component } from "../components/component.ts";
import type { Schema } from "../components/fields.ts";
import type { WorldState } from "../state.ts";
import { stateOf, type World } from "../world.ts";
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
import { observing } from "./run-observers.ts";

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

/**
 * Calls the observer when a call that adds, sets or removes the component has finished. Returns a function that ends it.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const log: string[] = [];
 * const end = observe(world, Health, { add: () => log.push("added"), set: () => log.push("hurt") });
 * const tank = world.spawn(Health);
 * world.set(tank, Health, { hp: 5 });
 * log; // → ["added", "hurt"]
 * end();
 * ```
 */
export function observe<S extends Schema>(
  world: World,
  component: Component<S>,
  observer: Observer<S>,
): () => void;
/** The same for a component whose fields are not known to the compiler. */
export function observe(world: World, component: AnyComponent, observer: Observer): () => void;
export function observe(world: World, component: AnyComponent, observer: Observer<never>): () => void {
  const s = stateOf(world);
  requireObserver(s, "a component", observer, componentObserver);
  const store = s.store(component);
  s.observing = observing;
  store.observers ??= new ObserverList();
  const end = insertAll(store.observers, observer, {
    onAdd: observer.add,
    onSet: observer.set,
    onRemoving: observer.removing,
    onRemove: observer.remove as Entry["fn"] | undefined,
  });
  s.countListener(store, 1);
  return () => {
    if (end()) s.countListener(store, -1);
  };
}

/**
 * Calls the observer when a call that creates or destroys entities has finished. Returns a function that ends it.
 *
 * @example
 * ```ts
 * const log: string[] = [];
 * const end = observeEntities(world, { spawn: () => log.push("born"), destroy: () => log.push("gone") });
 * world.destroy(world.spawn());
 * log; // → ["born", "gone"]
 * end();
 * ```
 */
export function observeEntities(world: World, observer: EntityObserver): () => void {
  const s = stateOf(world);
  requireObserver(s, "entities", observer, entityObserver);
  s.observing = observing;
  return insertAll(s, observer, {
    onSpawn: observer.spawn,
    onDestroying: observer.destroying,
    onDestroy: observer.destroy,
  });
}

/**
 * Calls the observer before the values of the world are read or replaced as a whole, and after a snapshot was restored:
 * for code that caches component values elsewhere and flushes them on demand. Returns a function that ends it.
 */
export function observeCapture(world: World, observer: CaptureObserver): () => void {
  const s = stateOf(world);
  requireObserver(s, "captures", observer, captureObserver);
  s.onCapture = [...s.onCapture, observer];
  return once(() => {
    s.onCapture = withoutOne(s.onCapture, observer);
  });
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

/**
 * Lets `refuse` refuse, by throwing, that an entity gets the component. It must not change the world. Returns a function that ends it.
 *
 * @example
 * ```ts
 * const Crown = tag("Crown");
 * guard(world, Crown, () => {
 *   if (world.query(Crown).count() > 0) throw new Error("there is one already");
 * });
 * world.spawn(Crown);
 * world.spawn(Crown); // throws Error: there is one already
 * ```
 */
export function guard(world: World, component: AnyComponent, refuse: Guard): () => void {
  return addGuard(stateOf(world), component, "guards", refuse);
}

/**
 * Lets `refuse` refuse, by throwing, that values of the component are written: by `set`, commands and views, one field
 * at a time there. Not asked for raw columns, undo and snapshots, nor by rooms that keep the values of a component
 * themselves, as a space does. Returns a function that ends it.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const tank = world.spawn(Health);
 * guardWrites(world, Health, (_entity, { hp }) => {
 *   if (hp !== undefined && (hp as number) < 0) throw new RangeError("hp is 0 or more");
 * });
 * world.set(tank, Health, { hp: -1 }); // throws RangeError: hp is 0 or more
 * ```
 */
export function guardWrites(world: World, component: AnyComponent, refuse: WriteGuard): () => void {
  return addGuard(stateOf(world), component, "writeGuards", refuse);
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
  return once(() => replace(withoutOne(lists[list] ?? [], refuse)));
}

/** The list with one `item` less: the same one may have been added twice, and each call that ends takes back one. */
function withoutOne<Item>(list: readonly Item[], item: Item): Item[] {
  const at = list.indexOf(item);
  return list.filter((_, k) => k !== at);
}

function once(fn: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) fn();
    isDone = true;
  };
}
