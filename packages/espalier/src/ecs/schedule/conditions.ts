/**
 * Conditions of systems, made of other conditions.
 */
import { requireFunction } from "../checks/arguments.ts";
import type { Resource } from "../components/component.ts";
import type { RunCondition } from "./system.ts";

/**
 * Holds when all of these do. Stops asking at the first that does not, and holds when there are none.
 *
 * @example
 * ```ts
 * const schedule = createSchedule(world);
 * const isDay = ({ time }: { time: number }) => time % 24 < 12;
 * const isOpen = ({ tick }: { tick: number }) => tick > 0;
 * schedule.add({ name: "sell", runIf: allOf(isDay, noneOf(isOpen)), run: () => {} });
 * ```
 */
export function allOf(...conditions: readonly RunCondition[]): RunCondition {
  requireConditions(conditions);
  return (context) => conditions.every((condition) => condition(context));
}

/** Holds when at least one of these does. Stops asking at the first that does, and does not hold when there are none. */
export function anyOf(...conditions: readonly RunCondition[]): RunCondition {
  requireConditions(conditions);
  return (context) => conditions.some((condition) => condition(context));
}

/** Holds when none of these does: with one condition, its opposite. */
export function noneOf(...conditions: readonly RunCondition[]): RunCondition {
  requireConditions(conditions);
  return (context) => !conditions.some((condition) => condition(context));
}

/**
 * Holds while a resource has this value, compared with `Object.is`.
 *
 * @example
 * ```ts
 * const Paused = resource("Paused", () => false);
 * createSchedule(world).add({ name: "move", runIf: resourceIs(Paused, false), run: () => {} });
 * ```
 */
export function resourceIs<Value>(resource: Resource<Value>, value: Value): RunCondition {
  return ({ world }) => Object.is(world.resource(resource), value);
}

function requireConditions(conditions: readonly unknown[]): void {
  for (const condition of conditions) requireFunction(condition, "combine conditions", "one of them");
}
