/**
 * Help while a program is written: options that do not exist, or have values that mean nothing, are refused.
 */

import { describeValue } from "../components/fields.ts";
import { DEVELOPMENT } from "../development.ts";
import { InvalidOptionError } from "../errors.ts";
import { nearestName } from "./nearest-name.ts";

/** What an option takes: one of some texts, a type, or anything that the call looks at itself. */
export type OptionKind = readonly string[] | "boolean" | "number" | "string" | "function" | "anything";

/** All options of a call. */
export type OptionKinds = { readonly [name: string]: OptionKind };

/**
 * Refuses options that are no object, and in development builds those that the call does not know; left out or `undefined` is
 * always right.
 *
 * @param checks - Whether the world checks what it is given: `world.checks`.
 * @param doing - Completes "Cannot … with" in the message.
 * @throws InvalidOptionError
 */
export function checkOptions(checks: boolean, doing: string, options: unknown, kinds: OptionKinds): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new InvalidOptionError(
      `Cannot ${doing} with ${describeValue(options)} as options: they are an object. Leave them out, or write { … }.`,
      { value: options },
    );
  }
  if (!DEVELOPMENT || !checks) return;
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    const refusal =
      kind === undefined
        ? `${name}: there is no such option. ${nearestName(name, Object.keys(kinds))}`
        : refusalOf(name, value, kind);
    if (refusal !== undefined)
      throw new InvalidOptionError(`Cannot ${doing} with ${refusal}`, { option: name, value });
  }
}

/**
 * Whether options have to go through `checkOptions`. For calls that run in loops, because in the default build `checkOptions` and its
 * arguments read `process.env` three times, which takes as long as the rest of a call.
 *
 * @param kinds - Nothing where the spelling of options is not checked.
 */
export function needCheck(options: unknown, kinds: OptionKinds | undefined): boolean {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return true;
  if (kinds === undefined) return false;
  for (const name in options) {
    if (!takes(kinds[name], (options as { readonly [name: string]: unknown })[name])) return true;
  }
  return false;
}

function takes(kind: OptionKind | undefined, value: unknown): boolean {
  if (typeof kind === "string") return value === undefined || kind === "anything" || typeof value === kind;
  return Array.isArray(kind) && (value === undefined || kind.includes(value));
}

/** Why an option does not take this value; nothing when it does. */
function refusalOf(name: string, value: unknown, kind: OptionKind): string | undefined {
  if (value === undefined || kind === "anything" || typeof value === kind) return undefined;
  let takes = kind === "boolean" ? "true or false." : `a ${kind}.`;
  if (typeof kind !== "string") {
    if (kind.includes(value as string)) return undefined;
    const help = typeof value === "string" ? ` ${nearestName(value, kind)}` : "";
    takes = `${kind.map((known) => describeValue(known)).join(" or ")}.${help}`;
  }
  return `${name} ${describeValue(value)}: it takes ${takes}`;
}
