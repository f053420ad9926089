/**
 * What is created or added when components are given: bundles are replaced by their parts, and components that others require are
 * added where they are missing. Every door through which users give components goes through here.
 */
import {
  type AnyInit,
  type ComponentInit,
  InitValues,
  initOf,
  isBundle,
  isBundleInit,
  isComponent,
} from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { storeOfInit } from "../components/validate.ts";
import { InvalidSchemaError } from "../errors.ts";
import type { WorldState } from "../state.ts";

/**
 * The components that these come to for the entity at `index` (0: still to be created); the same array when nothing is to be done.
 *
 * @throws InvalidSchemaError when components require each other in a circle.
 */
export function complete(
  s: WorldState,
  given: readonly ComponentInit[],
  index: number,
): readonly ComponentInit[] {
  for (let k = 0; k < given.length; k++) {
    const init = given[k] as ComponentInit;
    // One look for what the world has met; every entity that is created comes by here.
    if (init instanceof InitValues) {
      if (s.byKey[init.key]?.hasRequires === false) continue;
    } else if (isComponent(init)) {
      const store = s.byKey[init.key];
      if (store !== undefined && store.component === init && !store.hasRequires) continue;
    }
    if (isForeign(init)) continue;
    if (isBundle(init) || isBundleInit(init) || storeOfInit(s, init).hasRequires)
      return expand(s, given, index);
  }
  return given;
}

/** Bundles replaced by their parts; what is required is left for later. */
export function withoutBundles(given: readonly ComponentInit[]): ComponentInit[] {
  return given.flatMap((init): readonly ComponentInit[] =>
    isBundle(init) || isBundleInit(init) ? init.parts : [init],
  );
}

function expand(s: WorldState, given: readonly ComponentInit[], index: number): ComponentInit[] {
  const inits = withoutBundles(given);
  const met = new Set<Store>();
  const known = inits.map((init) => (isForeign(init) ? undefined : storeOfInit(s, init)));
  for (const store of known) if (store !== undefined) met.add(store);
  for (const store of known) {
    if (store === undefined || !store.hasRequires) continue;
    for (const required of requiredBy(s, store)) {
      const other = s.store(required.component);
      if (met.has(other) || (index !== 0 && s.hasAt(index, other))) continue;
      met.add(other);
      inits.push(required);
    }
  }
  return inits;
}

/** What is refused when it is checked: not a component, nor one with values. */
function isForeign(init: ComponentInit): boolean {
  if (typeof init === "function") return !isComponent(init) && !isBundle(init);
  return (
    typeof init !== "object" ||
    init === null ||
    !(isBundleInit(init) || isComponent((init as AnyInit).component))
  );
}

/** Everything that a component requires, directly or through other components: those it names first. */
function requiredBy(s: WorldState, store: Store): readonly AnyInit[] {
  if (store.required !== undefined) return store.required;
  const found = closureOf(s, store);
  // A circle that does not lead back to this component is found from those that are in it.
  for (const other of found.keys())
    if (other.hasRequires && other.required === undefined) closureOf(s, other);
  store.required = [...found.values()];
  return store.required;
}

function closureOf(s: WorldState, store: Store): ReadonlyMap<Store, AnyInit> {
  const found = new Map<Store, AnyInit>();
  // What is still to be looked at, each with the way that led there.
  const open: { readonly of: Store; readonly way: readonly Store[] }[] = [{ of: store, way: [store] }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const init of requirementsOf(next.of)) {
      const other = s.store(init.component);
      if (next.way.includes(other)) throw circular([...next.way, other]);
      if (found.has(other)) continue;
      found.set(other, init);
      if (other.hasRequires) open.push({ of: other, way: [...next.way, other] });
    }
  }
  return found;
}

function requirementsOf({ component }: Store): readonly AnyInit[] {
  const given = typeof component.requires === "function" ? component.requires() : component.requires;
  if (!Array.isArray(given)) throw notAComponent(component.name, given);
  return withoutBundles(given).map((part) => {
    if (isComponent(part)) return initOf(part, undefined);
    if (isForeign(part)) throw notAComponent(component.name, part);
    return part as AnyInit;
  });
}

function notAComponent(name: string, value: unknown): InvalidSchemaError {
  return new InvalidSchemaError(
    `Cannot use component ${name}: it requires ${describeValue(value)}, which is not a component. Give an array of components, or a function that returns one.`,
    { component: name, option: "requires", value },
  );
}

function circular(way: readonly Store[]): InvalidSchemaError {
  const names = way.map(({ component }) => component.name);
  return new InvalidSchemaError(
    `Cannot use component ${names[0]}: it requires itself (${names.join(" > ")}). Leave out one of these requirements.`,
    { component: names[0] as string, option: "requires", value: names },
  );
}
