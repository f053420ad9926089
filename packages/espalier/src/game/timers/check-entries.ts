/**
 * Validates the lists of timers, tweens and sequences. They come from files as well as from calls, and are
 * used much later, in the middle of a step.
 */
import { describeValue } from "../../ecs/index.ts";
import { easings } from "./easing.ts";

type Loose = { readonly [key: string]: unknown };
type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === "string";
const isTextOrNull: Test = (value) => value === null || typeof value === "string";
const isFlag: Test = (value) => typeof value === "boolean";
const isEasing: Test = (value) => typeof value === "string" && Object.hasOwn(easings, value);
const isIndex: Test = (value) => Number.isInteger(value) && (value as number) >= 0;
const isNumber: Test = (value) => Number.isFinite(value);
const isList: Test = (value) => Array.isArray(value);
const isTime: Test = (value) => Number.isFinite(value) && (value as number) >= 0;
const isDuration: Test = (value) => Number.isFinite(value) && (value as number) > 0;
const isObject: Test = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const isWay: Test = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
const areWays: Test = (value) => isObject(value) && Object.values(value as object).every(isWay);
const areNumbers: Test = (value) => isObject(value) && Object.values(value as object).every(Number.isFinite);

const timer = { id: isNumber, event: isText, at: isNumber, every: isTime };
const tween = {
  component: isText,
  fields: areWays,
  start: isNumber,
  steps: isDuration,
  easing: isEasing,
  arrived: isTextOrNull,
  loop: isFlag,
};
const sequence = { steps: isList, index: isIndex, until: isNumber, loop: isFlag };

export function wrongTimers(list: unknown): string | undefined {
  return wrongEntries(list, timer);
}

export function wrongTweens(list: unknown): string | undefined {
  return wrongEntries(list, tween);
}

export function wrongSequences(list: unknown): string | undefined {
  const why = wrongEntries(list, sequence);
  if (why !== undefined) return why;
  for (const { steps } of list as readonly { readonly steps: readonly unknown[] }[]) {
    const bad = steps.findIndex((step) => !isStep(step));
    if (bad >= 0)
      return `takes sequences of { wait }, { emit } and { tween }, got ${describeValue(steps[bad])}`;
  }
  return undefined;
}

function isStep(step: unknown): boolean {
  if (!isObject(step)) return false;
  const { wait, emit, tween: component, to, seconds, easing } = step as Loose;
  if (wait !== undefined) return isTime(wait);
  if (emit !== undefined) return isText(emit);
  return isText(component) && areNumbers(to) && isTime(seconds) && (easing === undefined || isEasing(easing));
}

function wrongEntries(list: unknown, tests: { readonly [key: string]: Test }): string | undefined {
  if (!Array.isArray(list)) return "takes an array";
  for (const [k, entry] of list.entries()) {
    if (!isObject(entry)) return `takes an array of objects, and entry ${k} is ${describeValue(entry)}`;
    for (const [key, fits] of Object.entries(tests)) {
      const value = (entry as Loose)[key];
      if (!fits(value)) return `cannot take entry ${k}: its ${key} is ${describeValue(value)}`;
    }
  }
  return undefined;
}
