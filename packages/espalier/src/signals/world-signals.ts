/**
 * Signals of what a world holds: components, queries, resources.
 */
import {
  type AnyComponent,
  type Component,
  type Entity,
  isComponent,
  type Resource,
  type Schema,
  type Term,
  type ValueOf,
} from "../ecs/index.ts";
import { aComponent, aResource, expectSignals } from "./arguments.ts";
import type { Signal } from "./signal.ts";
import type { Signals } from "./signals.ts";

/** The values of a component of an entity, a copy; `undefined` while it lacks the component or is dead. */
export function componentSignal<S extends Schema>(
  signals: Signals,
  entity: Entity,
  component: Component<S>,
): Signal<ValueOf<S> | undefined> {
  expectSignals(signals, ["the component", component, aComponent]);
  const { world, watchers } = signals;
  return signals.create({
    read: () => (world.isAlive(entity) ? world.get(entity, component) : undefined),
    equals: sameFields,
    watch: (signal) => watchers.component(component, entity, signal),
  });
}

/** Whether an entity is alive and has all of these components. */
export function hasSignal(
  signals: Signals,
  entity: Entity,
  ...components: readonly AnyComponent[]
): Signal<boolean> {
  expectSignals(signals);
  for (const component of components) expectSignals(signals, ["the component", component, aComponent]);
  const { world, watchers } = signals;
  return signals.create({
    read: () => world.isAlive(entity) && world.has(entity, ...components),
    watch: (signal) =>
      all([
        watchers.life(entity, signal),
        ...components.map((component) => watchers.component(component, entity, signal)),
      ]),
  });
}

/**
 * The entities that match, in the order of the query; another array only when it lists others. With terms that are
 * asked per entity (`where`, `parentHas`, …) it is asked again at every flush and once a frame, because what those
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
    watch: (signal) =>
      all([
        // Without a component that matches must have, entities match that were never given any.
        ...(required.length === 0 ? [watchers.life("any", signal)] : []),
        ...[...required, ...others].map((component) => watchers.members(component, signal)),
      ]),
  });
}

/** The value of a resource, compared by identity; read again at every flush and once a frame. */
export function resourceSignal<Value>(signals: Signals, resource: Resource<Value>): Signal<Value> {
  expectSignals(signals, ["the resource", resource, aResource]);
  const { world } = signals;
  return signals.create({ read: () => world.resource(resource) });
}

/** The components whose coming and going decides whether an entity matches. */
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
