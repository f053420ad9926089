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
  readonly rows: SlotNumbers;
  readonly width: number;
}

/**
 * @param fields Where the numbers of a record are.
 * @param computed What views compute of the record at `rows[at]`.
 */
export function createWorldTerm<View extends object>(
  source: WorldSource,
  propagate: () => void,
  fields: { readonly [name: string]: number },
  computed: { readonly [name: string]: (rows: SlotNumbers, at: number) => unknown },
): ComputedTerm<View> {
  const name = `${source.component.name} in the world`;
  const { order, width } = source;
  // Views look the arrays up each time: a callback may create entities, and the arrays move when the world grows.
  class WorldView {
    index$ = 0;
  }
  for (const [field, k] of Object.entries(fields)) {
    define(WorldView.prototype, name, field, function () {
      return source.rows[order.slotOf[this.index$] * width + k];
    });
  }
  for (const [field, compute] of Object.entries(computed)) {
    define(WorldView.prototype, name, field, function () {
      return compute(source.rows, order.slotOf[this.index$] * width);
    });
  }
  let memory: ComputedMemory | undefined;
  return {
    term: "computed",
    name,
    refresh: propagate,
    createView: () => new WorldView() as View & WorldView,
    memory() {
      const { rows } = source;
      if (memory?.values !== rows || memory.slots !== order.slotOf)
        memory = { values: rows, slots: order.slotOf, width, fields };
      return memory;
    },
  };
}

/** Gives views a property that refuses to be set. */
function define<V extends { index$: number }>(
  prototype: V,
  name: string,
  field: string,
  get: (this: V) => unknown,
): void {
  Object.defineProperty(prototype, field, {
    get,
    configurable: true,
    set: () => {
      throw new InvalidTransformError(
        `Cannot set ${name}.${field}: world transforms are computed. Write the local transform, or use setWorldPosition().`,
        { field, component: name },
      );
    },
  });
}
