/**
 * What is asked of the arguments of this room's calls, so that whatever is passed gets an error that helps. Each question is a
 * comparison or two per argument; what takes longer happens only when the answer is no.
 */
import { InvalidArgumentError } from "../../ecs/index.ts";
import { describeValue, refuseArgument } from "../../ecs/internal.ts";

/** Whether two arguments are numbers: typed arrays would take texts and `null` for some. */
export function areNumbers(a: unknown, b: unknown): boolean {
  return typeof a === "number" && typeof b === "number";
}

/**
 * Refuses what is not an object with these numbers.
 *
 * @param doing - Completes "Cannot …" in the message.
 * @throws InvalidArgumentError
 */
export function requireNumbers(value: unknown, fields: readonly string[], doing: string, what: string): void {
  if (typeof value !== "object" || value === null) {
    refuseArgument(value, doing, what, `an object with the numbers ${fields.join(", ")}`);
  }
  for (const field of fields) {
    const number = (value as { readonly [field: string]: unknown })[field];
    if (typeof number !== "number") refuseArgument(number, doing, `${field} of ${what}`, "a number");
  }
}

/**
 * What to throw when writing into the object of a caller threw: an error that helps where it takes none of these fields, because
 * it is not an object or is frozen; otherwise what was thrown, which is the object's own. Asking only then makes writing free.
 */
export function outError(out: unknown, fields: readonly string[], doing: string, error: unknown): unknown {
  const isObject = (typeof out === "object" && out !== null) || typeof out === "function";
  if (isObject && fields.every((field) => takes(out as object, field))) return error;
  const is = isObject ? "an object that cannot be written" : describeValue(out);
  return new InvalidArgumentError(
    `Cannot ${doing}: out is ${is}, not an object that takes ${fields.join(", ")}. Leave it out to get a new one.`,
  );
}

function takes(out: object, field: string): boolean {
  const own = Object.getOwnPropertyDescriptor(out, field);
  if (own === undefined) return field in out || Object.isExtensible(out);
  return own.writable === true || own.set !== undefined;
}

/** @throws InvalidArgumentError for what is not an array that takes so many numbers. */
export function requireRow(out: ArrayLike<number>, width: number, doing: string): void {
  if (isBuffer(out) && out.length >= width) return;
  refuseArgument(out, doing, "out", `an array for ${width} numbers. Leave it out to get a new one`);
}

/** Whether numbers can be written into it by position. */
export function isBuffer(out: unknown): out is Float32Array | Float64Array | number[] {
  if (out instanceof Float64Array || out instanceof Float32Array) return true;
  // Typed arrays of another window or worker are not instances of this one's.
  return ArrayBuffer.isView(out) || (Array.isArray(out) && !Object.isFrozen(out));
}

/** @throws InvalidArgumentError for what is not asked for its members like a query. */
export function requireFillMembers(members: unknown, doing: string, expected: string): void {
  const { sync } = Object(members) as { readonly sync?: unknown };
  if (typeof sync !== "function") refuseArgument(members, doing, "whose they are", expected);
}
