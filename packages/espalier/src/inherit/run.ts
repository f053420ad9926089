/**
 * The inner loop of inherited values: the user's `combine`, for a run of slots in order.
 */
import type { Schema, ValueOf } from "../ecs/index.ts";
import type { View, WorldState } from "../ecs/internal.ts";

/** What computing one value needs. */
export interface Step<S extends Schema, Value> {
  readonly state: WorldState;
  readonly componentId: number;
  readonly ghostId: number;
  readonly own: View & Readonly<ValueOf<S>>;
  readonly initial: Value;
  readonly combine: (parent: Value, own: Readonly<ValueOf<S>>) => Value;
  readonly equals: ((a: Value, b: Value) => boolean) | undefined;
}

/** Computes the values of slots from..to - 1. */
export type Run<Value> = (
  values: Value[],
  nodeAt: Int32Array,
  parentSlot: Int32Array,
  from: number,
  to: number,
) => void;

/**
 * Makes the loop for one value.
 */
export function createRun<S extends Schema, Value>(step: Step<S, Value>): Run<Value> {
  const { state, componentId, ghostId, own, initial, combine, equals } = step;
  return (values, nodeAt, parentSlot, from, to) => {
    for (let slot = from; slot < to; slot++) {
      const node = nodeAt[slot];
      if (node === 0) continue;
      const up = parentSlot[slot];
      const parent = up === 0 ? initial : values[up];
      const has = state.archetypeAt(node)?.has;
      let value = parent;
      if (has !== undefined && has[componentId] === 1 && has[ghostId] !== 1) {
        own.index$ = node;
        value = combine(parent, own);
      }
      // An equal object stays the one it was, so that comparing before and after is comparing identities.
      if (equals === undefined || !equals(values[slot], value)) values[slot] = value;
    }
  };
}
