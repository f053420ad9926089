/**
 * The checks that come before every change of components. They change nothing.
 */

import { type Entity, formatEntity, ofEntity } from "../entities/entity.ts";
import {
  InvalidValueError,
  MissingComponentError,
  ReservedComponentError,
  UnknownComponentError,
} from "../errors.ts";
import type { Guard } from "../listeners/observers.ts";
import type { WorldState } from "../state.ts";
import { type AnyComponent, type AnyInit, type ComponentInit, InitValues, isComponent } from "./component.ts";
import { describeValue } from "./fields.ts";
import type { Store } from "./store.ts";

const none = {};

/** The values a component starts with, if any are given. */
export function valuesOf(init: ComponentInit): object | undefined {
  return typeof init === "function" ? undefined : (init as AnyInit).values;
}

/** The store of something that was checked before. */
export function storeOfInit(s: WorldState, init: ComponentInit): Store {
  if (init instanceof InitValues) {
    const known = s.byKey[init.key];
    if (known !== undefined) return known;
  }
  return s.store(typeof init === "function" ? (init as AnyComponent) : (init as AnyInit).component);
}

/**
 * Checks one component with its values for the entity at `index` (0: still to be created), guards included.
 * @param together - All components that the call gives the entity.
 */
export function checkForEntity(
  s: WorldState,
  init: ComponentInit,
  index: number,
  isOwner = false,
  together: readonly ComponentInit[] = [init],
): Store {
  const store = checkInit(s, init, index, isOwner);
  if (store.refuse !== undefined) store.refuse(index, valuesOf(init) ?? none);
  if (store.guards !== undefined) askGuardsOf(s, store.guards, index, init, together);
  return store;
}

function askGuardsOf(
  s: WorldState,
  guards: readonly Guard[],
  index: number,
  init: ComponentInit,
  together: readonly ComponentInit[],
): void {
  s.ask(() => {
    for (const guard of guards) guard(index, valuesOf(init), together);
  });
}

/** The part of the check that does not depend on the entity, so that it can be asked long before. */
export function checkInit(s: WorldState, init: ComponentInit, index: number, isOwner = false): Store {
  if (init instanceof InitValues) {
    return checkFor(s, storeOfInit(s, init), init.values, index, isOwner);
  }
  if (typeof init === "object" && init !== null) {
    // A query term may hold a component too; it is not one.
    const { component, values } = init as AnyInit;
    if (isComponent(component) && !("term" in init)) {
      return checkFor(s, s.store(component), values, index, isOwner);
    }
    throw new UnknownComponentError(
      `Expected a component, got ${describeValue(init)}. Define one with component() or tag().`,
      { value: init },
    );
  }
  return checkFor(s, s.store(init as AnyComponent), undefined, index, isOwner);
}

export function checkFor(
  s: WorldState,
  store: Store,
  values: object | undefined,
  index: number,
  isOwner: boolean,
): Store {
  if (store.reserved !== undefined && !isOwner) {
    requireUnreserved(store, "write", index === 0 ? undefined : s.table.handleAt(index));
  }
  if (values === undefined) return store;
  if (typeof values !== "object" || values === null || !areAllowed(s, store, values)) {
    checkValues(s, store, values, index);
  }
  return store;
}

/** The quick answer: what it does not allow is checked completely. In development builds there must be no other fields. */
function areAllowed(s: WorldState, store: Store, values: object): boolean {
  if (!s.checks) return !store.isFinite || store.access.areFinite(values);
  const count = store.access.countFit(values);
  return s.isDevelopment ? count === countFields(values) : count >= 0;
}

function countFields(values: object): number {
  let count = 0;
  for (const _ in values) count++;
  return count;
}

function checkValues(s: WorldState, store: Store, values: object, index: number): void {
  if (typeof values !== "object" || values === null) {
    throw new InvalidValueError(
      `Cannot set ${store.component.name}${ofIndex(s, index)}: expected an object with its fields, got ${describeValue(values)}.`,
      { component: store.component.name, value: values },
    );
  }
  for (const key in values) {
    const k = store.names.indexOf(key);
    const value = (values as { [field: string]: unknown })[key];
    if (k >= 0 && (value === undefined || store.types[k].misfit(store.fields[k], value) === undefined))
      continue;
    refuseValue(s, store, key, k, value, index);
  }
}

function refuseValue(
  s: WorldState,
  store: Store,
  key: string,
  field: number,
  value: unknown,
  index: number,
): never {
  const { name } = store.component;
  throw new InvalidValueError(
    `Cannot set ${name}.${key}${ofIndex(s, index)}: ${misfitIn(store, key, field, value)}.`,
    {
      entities: index === 0 || field < 0 ? [] : [s.table.handleAt(index)],
      component: name,
      field: key,
      value,
    },
  );
}

// What messages say. Called inside of them, so that production builds drop it.

function ofIndex(s: WorldState, index: number): string {
  return ofEntity(index === 0 ? undefined : s.table.handleAt(index));
}

function misfitIn(
  { component, names, types, fields }: Store,
  key: string,
  field: number,
  value: unknown,
): string {
  if (field >= 0) return `${key} ${types[field].misfit(fields[field], value)}`;
  const known = names.length === 0 ? "it is a tag and has none" : `it has ${names.join(", ")}`;
  return `${component.name} has no such field; ${known}`;
}

/**
 * Checks several components for the entity at `index` (0: still to be created), the first `checked` of which were checked one by
 * one.
 */
export function checkAll(
  s: WorldState,
  inits: readonly ComponentInit[],
  index: number,
  isOwner = false,
  checked = 0,
): void {
  for (let k = 0; k < inits.length; k++) {
    const init = inits[k] as ComponentInit;
    const store = k < checked ? storeOfInit(s, init) : checkForEntity(s, init, index, isOwner, inits);
    for (let other = 0; other < k; other++) {
      if (storeOfInit(s, inits[other] as ComponentInit) !== store) continue;
      throw new InvalidValueError(
        `Cannot add ${store.component.name} twice in one call. Give each component once, with all its values.`,
        { component: store.component.name },
      );
    }
  }
}

export function requireUnreserved(store: Store, doing: string, entity: Entity | undefined): void {
  if (store.reserved === undefined) return;
  throw new ReservedComponentError(
    `Cannot ${doing} ${store.component.name}${ofEntity(entity)}: only its owner writes it. Use ${store.reserved}.`,
    { entities: entity === undefined ? [] : [entity], component: store.component.name },
  );
}

export function requireHas(s: WorldState, entity: Entity, index: number, store: Store): void {
  if (s.hasAt(index, store)) return;
  const { name } = store.component;
  throw new MissingComponentError(
    `Cannot set ${name} of ${formatEntity(entity)}: the entity has no ${name}. Use add() to give it one.`,
    { entities: [entity], component: name },
  );
}
