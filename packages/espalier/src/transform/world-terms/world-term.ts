/**
 * World transforms as a query term: read-only views, right when a pass begins.
 */
import type { ComputedMemory, ComputedTerm } from "../../ecs/index.ts";
import type { SlotNumbers } from "../../inherit/internal.ts";
import { InvalidTransformError } from "../errors.ts";

/** The part of a `SpaceState` that views read. Arrays are replaced when the world grows. */
export interface WorldSource {
  readonly component: { readonly name: string };
  readonly order: { readonly slotOf: Int32Array };
  /** World records by slot. */
  readonly world: SlotNumbers;
}

export function createWorldTerm<View extends object>(
  source: WorldSource,
  propagate: () => void,
  createViewClass: (source: WorldSource, name: string) => new () => View & { index$: number },
  width: number,
  fields: { readonly [name: string]: number },
): ComputedTerm<View> {
  const name = `${source.component.name} in the world`;
  const ViewOfTerm = createViewClass(source, name);
  let memory: ComputedMemory | undefined;
  return {
    term: "computed",
    name,
    refresh: propagate,
    // Views look the arrays up each time: a callback may create entities, and the arrays move when the world grows.
    createView: () => new ViewOfTerm(),
    memory() {
      const { world, order } = source;
      if (memory?.values !== world || memory.slots !== order.slotOf)
        memory = { values: world, slots: order.slotOf, width, fields };
      return memory;
    },
  };
}

/** Makes the getters of a view refuse to be set. */
export function refuseWrites(prototype: object, name: string): void {
  for (const [field, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (get === undefined) continue;
    Object.defineProperty(prototype, field, {
      get,
      configurable: true,
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
