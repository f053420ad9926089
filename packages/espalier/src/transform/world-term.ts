/**
 * World transforms as a query term: read-only views, right when a pass begins.
 */
import type { ComputedTerm } from "../ecs/index.ts";
import type { SlotNumbers } from "../inherit/internal.ts";
import { InvalidTransformError } from "./errors.ts";

/** What the term needs of its space. */
export interface WorldSource {
  readonly component: { readonly name: string };
  readonly tree: { readonly order: { readonly slotOf: Int32Array } };
  /** World records by slot. */
  readonly worlds: SlotNumbers;
  propagate(): number;
}

/** @param createView - Makes a cursor over these arrays: a class of its own each time, so that V8 knows them in its getters. */
export function createWorldTerm<View extends object>(
  source: WorldSource,
  createView: (name: string, worlds: SlotNumbers, slotOf: Int32Array) => View & { index$: number },
): ComputedTerm<View> {
  const name = `${source.component.name} in the world`;
  const { order } = source.tree;
  let worlds: SlotNumbers | undefined;
  let slotOf: Int32Array | undefined;
  let version = 0;
  return {
    term: "computed",
    name,
    refresh: () => {
      source.propagate();
    },
    createView: () => createView(name, source.worlds, order.slotOf),
    version: () => {
      if (worlds !== source.worlds || slotOf !== order.slotOf) version++;
      worlds = source.worlds;
      slotOf = order.slotOf;
      return version;
    },
  };
}

/** Makes the getters of a view refuse to be set. */
export function refuseWrites(prototype: object, name: string): void {
  for (const [field, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (get === undefined) continue;
    Object.defineProperty(prototype, field, {
      get,
      set: () => {
        throw new InvalidTransformError(
          field,
          `Cannot set ${name}.${field}: world transforms are computed. Write the local transform, or use setWorldPosition().`,
          [],
        );
      },
    });
  }
}
