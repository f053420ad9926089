/**
 * Signals of a world: components, queries, resources.
 */
import {
  type AnyComponent,
  type Component,
  type Entity,
  type EntityLike,
  handleOf,
  InvalidValueError,
  isComponent,
  type Resource,
  type Schema,
  type Term,
  type ValueOf,
} from "../ecs/index.ts";
import { aComponent, aResource, expectSignals } from "./arguments.ts";
import { LiveList } from "./live-list.ts";
import type { Signal, Watched } from "./signal.ts";
import type { Signals } from "./signals.ts";

/** The values of a component of an entity, a copy; `undefined` while it lacks the component or is dead. */
export function componentSignal<S extends Schema>(
  signals: Signals,
  entity: EntityLike,
  component: Component<S>,
): Signal<ValueOf<S> | undefined> {
  expectSignals(signals, ["the component", component, aComponent]);
  const { world, watchers } = signals;
  const of = handleOf(world, entity);
  return signals.create({
    read: () => (world.isAlive(of) ? world.get(of, component) : undefined),
    equals: sameFields,
    watch: (signal) => watchers.component(component, of, signal),
  });
}

/** Whether an entity is alive and has all of these components. */
export function hasSignal(
  signals: Signals,
  entity: EntityLike,
  ...components: readonly AnyComponent[]
): Signal<boolean> {
  expectSignals(signals);
  for (const component of components) expectSignals(signals, ["the component", component, aComponent]);
  const { world, watchers } = signals;
  const of = handleOf(world, entity);
  return signals.create({
    read: () => world.isAlive(of) && world.has(of, ...components),
    watch: (signal) =>
      all([
        watchers.life(of, signal),
        ...components.map((component) => watchers.component(component, of, signal)),
      ]),
  });
}

/**
 * The entities that match, in the order of the query; a new array only when it lists other entities. With terms that are
 * evaluated per entity (`where`, `parentHas`, …) it is read again at every flush and once a frame, because what those
 * depend on is not known.
 */
export function querySignal(signals: Signals, ...terms: readonly Term[]): Signal<readonly Entity[]> {
  expectSignals(signals);
  const { world, watchers } = signals;
  const query = world.query(...terms);
  const read = () => (world.isDisposed ? [] : query.ids());
  if (query.isFiltered) return signals.create({ read, equals: sameList });
  const { required, others } = componentsOf(terms);
  return signals.create({
    read,
    equals: sameList,
    watch: watching(watchers, required, others),
  });
}

/** Watches for entities that begin or cease to match. */
function watching(
  watchers: Signals["watchers"],
  required: readonly AnyComponent[],
  others: readonly AnyComponent[],
): (signal: Watched) => () => void {
  return (signal) =>
    all([
      // Without a required component, entities match that have no component at all.
      ...(required.length === 0 ? [watchers.life("any", signal)] : []),
      ...[...required, ...others].map((component) => watchers.members(component, signal)),
    ]);
}

/**
 * The matches as a list that is read from the query itself: no array is built, not even to detect changes, so a change costs the
 * same for ten entities and for a hundred thousand. A new list exactly when entities were added or removed. Not for terms that are evaluated per entity.
 *
 * @throws InvalidValueError for terms that are evaluated per entity, such as `where` and `parentHas`.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const signals = createSignals(world);
 * const units = liveListSignal(signals, Health);
 * const first = units.get();
 * const tank = world.spawn(Health);
 * units.get().at(-1); // → tank
 * units.get() === first; // → false
 * ```
 */
export function liveListSignal(signals: Signals, ...terms: readonly Term[]): Signal<LiveList> {
  expectSignals(signals);
  const { world, watchers } = signals;
  const query = world.query(...terms);
  if (query.isFiltered) {
    throw new InvalidValueError(
      `Cannot make a live list of ${query}: it has a term that is evaluated per entity. Use querySignal() or useQuery(), or sortedQuery().`,
      { subject: String(query) },
    );
  }
  let revision = -1;
  let list = new LiveList(world, query);
  const read = () => {
    const now = world.isDisposed ? -2 : query.revision;
    if (now !== revision) list = new LiveList(world, query);
    revision = now;
    return list;
  };
  const { required, others } = componentsOf(terms);
  return signals.create({ read, watch: watching(watchers, required, others) });
}

/** The value of a resource, compared by identity; read again at every flush and once a frame. */
export function resourceSignal<Value>(signals: Signals, resource: Resource<Value>): Signal<Value> {
  expectSignals(signals, ["the resource", resource, aResource]);
  const { world } = signals;
  return signals.create({ read: () => world.resource(resource) });
}

/** The components whose addition or removal decides whether an entity matches. */
function componentsOf(terms: readonly Term[]): { required: AnyComponent[]; others: AnyComponent[] } {
  const required: AnyComponent[] = [];
  const others: AnyComponent[] = [];
  for (const term of terms) {
    if (isComponent(term)) required.push(term);
    else if (term.term === "any") required.push(...term.components);
    else if (term.term === "not") others.push(...term.components);
  }
  return { required, others };
}

function all(ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end();
  };
}

export function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, k) => item === b[k]);
}

/** Whether two values of a component have the same fields. */
export function sameFields(a: object | undefined, b: object | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Object.entries(a).every(([name, value]) => Object.is(value, (b as Record<string, unknown>)[name]));
}
