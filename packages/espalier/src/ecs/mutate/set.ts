/**
 * Writing values of components that an entity has, as users ask for it: everything is checked before the first value is written.
 */
import type { AnyComponent, AnyInit } from "../components/component.ts";
import { checkFor, checkInit, requireHas } from "../components/validate.ts";
import type { EntityLike } from "../entities/entity.ts";
import { handleIn } from "../entities/handle-in.ts";
import { settle } from "../listeners/notices.ts";
import type { WorldState } from "../state.ts";
import { askGuards, assign } from "./write.ts";

/** Writes the given fields of one component. */
export function set(
  s: WorldState,
  given: EntityLike,
  component: AnyComponent,
  values: object | undefined,
): void {
  const entity = handleIn(s, given);
  const index = s.table.require(entity, "set a component");
  const store = checkFor(s, s.store(component), values, index, false);
  requireHas(s, entity, index, store);
  if (values === undefined) return;
  s.requireUnasked("set a component");
  if (store.refuse !== undefined) store.refuse(index, values);
  if (store.writeGuards !== undefined) askGuards(s, store, entity, values);
  assign(s, entity, store, values);
  if (s.notices.waits) settle(s);
}

/** The same for several components: all of them or none. */
export function setEach(s: WorldState, given: EntityLike, inits: readonly AnyInit[]): void {
  const entity = handleIn(s, given);
  const index = s.table.require(entity, "set a component");
  const writes = inits.map((init) => {
    const store = checkInit(s, init, index);
    requireHas(s, entity, index, store);
    return { store, values: init.values };
  });
  s.requireUnasked("set a component");
  for (const { store, values } of writes) {
    if (values === undefined) continue;
    store.refuse?.(index, values);
    askGuards(s, store, entity, values);
  }
  for (const { store, values } of writes) if (values !== undefined) assign(s, entity, store, values);
  if (s.notices.waits) settle(s);
}
