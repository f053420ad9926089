/**
 * The calls to a running game: a table of names, parameters and functions. None of them runs code of the caller.
 */
import { describeValue } from "../../ecs/index.ts";
import type { Json } from "../../scene/index.ts";
import { events } from "./call-events.ts";
import { input, pause, resume, screenshot, state, step, timings } from "./call-time.ts";
import { find, read, write } from "./call-values.ts";
import type { CallDefinition, RemoteCall, RemoteParameter } from "./definition.ts";

export const definitions: readonly CallDefinition[] = [
  state,
  pause,
  resume,
  step,
  input,
  find,
  read,
  write,
  events,
  timings,
  screenshot,
];

/**
 * Every call that a running game answers, for tools that offer them.
 *
 * @example
 * ```ts
 * import { remoteCalls } from "espalier/game/remote";
 *
 * remoteCalls().map(({ name }) => name).slice(0, 4); // → ["state", "pause", "resume", "step"]
 * ```
 */
export function remoteCalls(): readonly RemoteCall[] {
  return definitions.map(({ run: _, ...call }) => call);
}

/** What is wrong with the parameters of a call; `undefined` when they are valid. */
export function misfit(
  { parameters, required, name }: RemoteCall,
  given: { readonly [name: string]: Json },
): string | undefined {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(parameters, key))
      return `${name} has no parameter ${describeValue(key)}. It has ${Object.keys(parameters).join(", ") || "none"}`;
  }
  for (const key of required) if (given[key] === undefined) return `${key} is missing`;
  for (const [key, { type }] of Object.entries(parameters)) {
    const value = given[key];
    if (value !== undefined && !tests[type](value)) return `${key} is not ${words[type]}`;
  }
  return undefined;
}

const isObject = (value: Json) => typeof value === "object" && value !== null && !Array.isArray(value);

const tests: { readonly [Type in RemoteParameter["type"]]: (value: Json) => boolean } = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: (value) => Array.isArray(value) && value.every(isObject),
  entity: (value) => typeof value === "string" || Number.isSafeInteger(value),
};

const words: { readonly [Type in RemoteParameter["type"]]: string } = {
  string: "a string",
  integer: "an integer of at least 0",
  boolean: "true or false",
  object: "an object",
  array: "an array of objects",
  entity: "the path of an entity, or its number",
};
