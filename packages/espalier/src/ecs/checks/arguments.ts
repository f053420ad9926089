/**
 * What is asked of arguments at the doors of all rooms, in every build: whatever is passed, the answer is an error that helps.
 * Each costs a comparison per call, none per entity.
 */

import { describeValue } from "../components/fields.ts";
import { InvalidArgumentError } from "../errors.ts";

/**
 * @param doing - Completes "Cannot …" in the message.
 * @param what - Which argument it is: "the callback".
 * @throws InvalidArgumentError
 */
export function requireFunction(value: unknown, doing: string, what: string): void {
  if (typeof value !== "function") refuseArgument(value, doing, what, "a function");
}

/** @throws InvalidArgumentError */
export function requireList(value: unknown, doing: string, what: string): void {
  if (!Array.isArray(value)) refuseArgument(value, doing, what, "an array");
}

/** @throws InvalidArgumentError */
export function requireObject(value: unknown, doing: string, what: string): void {
  if (typeof value !== "object" || value === null) refuseArgument(value, doing, what, "an object");
}

/** @throws InvalidArgumentError */
export function requireText(value: unknown, doing: string, what: string): void {
  if (typeof value !== "string") refuseArgument(value, doing, what, "a string");
}

/** @throws InvalidArgumentError */
export function requireNumber(value: unknown, doing: string, what: string): void {
  if (typeof value !== "number") refuseArgument(value, doing, what, "a number");
}

/** @throws InvalidArgumentError */
export function refuseArgument(value: unknown, doing: string, what: string, expected: string): never {
  throw new InvalidArgumentError(`Cannot ${doing}: ${what} is ${describeValue(value)}, not ${expected}.`, {
    option: what,
    value,
  });
}
