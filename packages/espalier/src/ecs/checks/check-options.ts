/**
 * Help while a program is written: options that do not exist, or have values that mean nothing, are refused.
 */

import { describeValue } from "../components/fields.ts";
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
 * @param checks - Whether this is a development build: `world.checks`.
 * @param doing - Completes "Cannot … with" in the message.
 * @throws InvalidOptionError
 */
export function checkOptions(checks: boolean, doing: string, options: unknown, kinds: OptionKinds): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new InvalidOptionError(
      `Cannot ${doing} with ${describeValue(options)} as options: they are an object. Leave them out, or write { … }.`,
    );
  }
  if (checks) checkEach(doing, options, kinds);
}

function checkEach(doing: string, options: object, kinds: OptionKinds): void {
  for (const name of Object.keys(options)) {
    const value = (options as { readonly [name: string]: unknown })[name];
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      throw new InvalidOptionError(
        `Cannot ${doing} with ${name}: there is no such option. ${nearestName(name, Object.keys(kinds))}`,
      );
    }
    if (value !== undefined) checkValue(doing, name, value, kind);
  }
}

function checkValue(doing: string, name: string, value: unknown, kind: OptionKind): void {
  if (kind === "anything") return;
  if (typeof kind === "string") {
    if (typeof value === kind) return;
    const article = kind === "boolean" ? "true or false" : `a ${kind}`;
    throw new InvalidOptionError(
      `Cannot ${doing} with ${name} ${describeValue(value)}: it takes ${article}.`,
    );
  }
  if (kind.includes(value as string)) return;
  const help = typeof value === "string" ? ` ${nearestName(value, kind)}` : "";
  throw new InvalidOptionError(
    `Cannot ${doing} with ${name} ${describeValue(value)}: it takes ${kind.map((known) => JSON.stringify(known)).join(" or ")}.${help}`,
  );
}
