/**
 * Defaults that functions of the user's make, such as the lists of `object(() => [])`.
 *
 * They are made before anything changes, because such a function may throw, or change the world itself: what depends on the world is
 * looked up after them.
 */
import { type ComponentInit, initOf } from "../components/component.ts";
import { defaultOf } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { storeOfInit, valuesOf } from "../components/validate.ts";
import type { WorldState } from "../state.ts";

/** Whether one of the components has such a default. */
export function areMade(s: WorldState, inits: readonly ComponentInit[]): boolean {
  for (let k = 0; k < inits.length; k++) if (storeOfInit(s, inits[k]).made.length !== 0) return true;
  return false;
}

/** The components of one entity, with the defaults that are missing in their values. */
export function makeDefaults(s: WorldState, inits: readonly ComponentInit[]): readonly ComponentInit[] {
  return inits.map((init) => {
    const store = storeOfInit(s, init);
    return store.made.length === 0 ? init : initOf(store.component, withDefaults(store, valuesOf(init)));
  });
}

/** The values of one component, with the defaults that are missing. */
export function withDefaults(store: Store, values: object | undefined): object | undefined {
  if (store.made.length === 0) return values;
  const complete: { [field: string]: unknown } = { ...values };
  for (const k of store.made) {
    const name = store.names[k] as string;
    if (complete[name] === undefined) complete[name] = defaultOf(store.fields[k]);
  }
  return complete;
}
