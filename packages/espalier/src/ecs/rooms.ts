/**
 * What other rooms stand on, beside creating and destroying: hooks, and the right to write reserved components.
 */

import type { AnyComponent, Component } from "./components/component.ts";
import type { InputOf, Schema } from "./components/fields.ts";
import type { Store } from "./components/store.ts";
import { requireHas } from "./components/validate.ts";
import { type Entity, type EntityLike, INDEX_MASK } from "./entities/entity.ts";
import { handleIn } from "./entities/handle-in.ts";
import { ReservedComponentError } from "./errors.ts";
import type { RoomHooks } from "./listeners/hooks.ts";
import { asOneCall, settle } from "./listeners/notices.ts";
import { notifySet, runRemoving } from "./listeners/notify.ts";
import { addOne, removeOne } from "./mutate/change-components.ts";
import { withDefaults } from "./mutate/start-values.ts";
import { assign } from "./mutate/write.ts";
import type { WorldState } from "./state.ts";

/** Hooks a room in. Gives the function that ends it; most rooms live as long as their world. */
export function extend(s: WorldState, hooks: RoomHooks): () => void {
  s.requireUsable("extend the world");
  return s.hooks.add(hooks);
}

/** Calls `follower` with the index of every entity that gets, changes or loses the component, but for those that die. */
export function followComponent(
  s: WorldState,
  component: AnyComponent,
  follower: (index: number) => void,
): void {
  const store = s.store(component);
  store.followers.push(follower);
  store.updateGuard();
}

/** Notifies the listeners of a component, as a write through the world would; for rooms that write their own storage. */
export function announce(s: WorldState, entity: Entity, component: AnyComponent): void {
  touched(s, entity, s.store(component));
  if (s.notices.waits) settle(s);
}

/** The same as part of a call. */
export function touched(s: WorldState, entity: Entity, store: Store): void {
  if (!store.watched) return;
  if (s.recorder.wanted) s.recorder.touched(entity, store);
  notifySet(s, entity, entity & INDEX_MASK, store);
}

/** Writes a reserved component. */
export interface Owner<S extends Schema> {
  /** Adds the component; values that are left out are its defaults. */
  add(entity: EntityLike, values?: InputOf<S>): void;
  /** Sets some of its fields; the others stay. */
  set(entity: EntityLike, values: InputOf<S>): void;
  /** Removes the component. `false` when the entity does not have it. */
  remove(entity: EntityLike): boolean;
}

/**
 * The right to write a reserved component, given to the first caller.
 * @throws ReservedComponentError to everyone else.
 */
export function claim<S extends Schema>(s: WorldState, component: Component<S>): Owner<S> {
  s.requireUsable("claim a component");
  const store = s.store(component);
  if (store.claimed)
    throw new ReservedComponentError(`Cannot claim ${component.name}: it has an owner already.`, {
      component: component.name,
    });
  store.claimed = true;
  return {
    add: (given, values) => {
      const entity = handleIn(s, given);
      s.requireUnasked("add a component");
      const complete = withDefaults(store, values);
      s.require(entity, "add a component");
      asOneCall(s, () => addOne(s, entity, store, complete));
    },
    set: (given, values) => {
      const entity = handleIn(s, given);
      const index = s.require(entity, "set a component");
      requireHas(s, entity, index, store);
      s.requireUnasked("set a component");
      asOneCall(s, () => assign(s, entity, store, values));
    },
    remove: (given) => {
      const entity = handleIn(s, given);
      s.require(entity, "remove a component");
      s.requireUnasked("remove a component");
      return runRemoving(s, entity, store) && asOneCall(s, () => removeOne(s, entity, store));
    },
  };
}
