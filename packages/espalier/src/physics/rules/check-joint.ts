/**
 * Problems with the values of a joint, as text. Checked when a joint is added or set, and again before it reaches
 * the engine.
 */
import type { Component, ValueOf } from "../../ecs/index.ts";
import { DISTANCE, type Joint, MOUSE } from "../components.ts";

export type JointValues = typeof Joint extends Component<infer S> ? Readonly<ValueOf<S>> : never;

/** Why a joint cannot have these values; `undefined` when it can. Fields that are left out have their defaults. */
export function jointProblem(values: Partial<JointValues>): string | undefined {
  const { kind = 0, a = null, b = null, limit = false, lower = 0, upper = 0, length = -1 } = values;
  if (!Number.isInteger(kind) || kind < 0 || kind > MOUSE)
    return `its kind is ${kind}, but kinds are 0 to ${MOUSE}. Use a constant such as REVOLUTE.`;
  if (a !== null && a === b) return "it joins an entity with itself. Set two entities.";
  if (limit && lower > upper)
    return `its lower limit ${lower} is above its upper limit ${upper}. Set both in one call.`;
  for (const field of ["hertz", "damping", "motorMax", "torqueMax"] as const) {
    const value = values[field] ?? 0;
    if (value < 0) return `its ${field} is ${value} and must not be negative. Use 0 or more.`;
  }
  if (kind === DISTANCE && length === 0) return "its length is 0. Use a revolute joint, or a length above 0.";
  return undefined;
}
