/**
 * JavaScript values as JSON and back, exactly: including undefined, NaN, -0, dates, maps, sets and typed arrays.
 *
 * What JSON cannot express is written as an object whose first key is `$`. Objects that have such a key themselves are
 * written as lists of entries, so nothing can be mistaken.
 */

import { describeValue } from "../../ecs/index.ts";
import { numberToText } from "../../ecs/internal.ts";
import { InvalidDataError } from "../errors.ts";
import { ownOf } from "./own-keys.ts";

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Converts values of one field to data and back, for values that the library cannot write itself. */
export interface ValueCodec {
  /** Returns plain data: JSON values, and also dates, maps, sets, typed arrays, NaN and undefined. */
  encode(value: unknown): unknown;
  /** Recreates the value from an equal copy of the result of `encode`. */
  decode(data: unknown): unknown;
}

/** Values nested deeper than this are refused; so are values that contain themselves. */
export const MAX_NESTING = 200;

/** Kinds of tagged values that are no objects, so they are no level of nesting. */
const primitives: readonly unknown[] = ["undefined", "number", "bigint"];

const arrays = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const;

type TypedArray = InstanceType<(typeof arrays)[keyof typeof arrays]>;
interface ArrayMaker {
  from(list: readonly number[]): TypedArray;
}

/** Why a value cannot be written, phrased to follow its name: "is a function". */
export class Unwritable {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** A copy of `value` that JSON can carry; throws `Unwritable`. */
export function toJson(value: unknown, above: readonly object[] = []): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return numberToJson(value);
    case "undefined":
      return { $: "undefined" };
    case "bigint":
      return { $: "bigint", value: String(value) };
    case "object":
      return value === null ? null : objectToJson(value, above);
    default:
      throw new Unwritable(`is a ${typeof value}`);
  }
}

/**
 * The original value, from the result of `toJson` after any number of round trips through JSON.
 *
 * @throws InvalidDataError for data that does not encode a value: other kinds, values that contain themselves or are nested more
 * than 200 levels deep.
 */
export function fromJson(data: Json): unknown {
  return read(data, 0);
}

/** The depth is limited, so it may recurse; it also ends when a value contains itself. */
function read(data: Json, depth: number): unknown {
  if (typeof data !== "object" || data === null) {
    const kind = typeof data;
    if (data === null || kind === "string" || kind === "number" || kind === "boolean") return data;
    throw new InvalidDataError(
      `Cannot read a value: ${describeValue(data)} is not data. Pass what JSON can carry.`,
      { value: data },
    );
  }
  if (depth === MAX_NESTING && !primitives.includes((data as { readonly $?: Json }).$)) {
    throw new InvalidDataError(
      `Cannot read a value: it is nested more than ${MAX_NESTING} levels deep, or contains itself. Make it flatter.`,
      { limit: MAX_NESTING },
    );
  }
  const each = (item: Json) => read(item, depth + 1);
  if (Array.isArray(data)) return Array.from(data, each);
  if (Object.hasOwn(data, "$")) return fromTagged(data, each);
  return Object.fromEntries(Object.entries(data).map(([key, item]) => [key, each(item)]));
}

function numberToJson(value: number): Json {
  const text = numberToText(value);
  return typeof text === "number" ? text : { $: "number", value: text };
}

function objectToJson(value: object, above: readonly object[]): Json {
  if (above.includes(value)) throw new Unwritable("contains itself");
  if (above.length === MAX_NESTING) throw new Unwritable(`is nested more than ${MAX_NESTING} levels deep`);
  const path = [...above, value];
  const each = (item: unknown) => toJson(item, path);
  if (Array.isArray(value)) return Array.from(value, each);
  if (value instanceof Date) return { $: "date", value: each(value.getTime()) };
  if (value instanceof Set) return { $: "set", value: Array.from(value, each) };
  if (value instanceof Map) return { $: "map", value: Array.from(value, (entry) => entry.map(each)) };
  if (value instanceof ArrayBuffer) return { $: "buffer", value: Array.from(new Uint8Array(value)) };
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (ArrayBuffer.isView(value)) {
    const kind = value.constructor.name;
    if (!Object.hasOwn(arrays, kind)) throw new Unwritable(`is a ${kind}`);
    return { $: kind, value: Array.from(value as TypedArray, each) };
  }
  if (prototype !== Object.prototype && prototype !== null) {
    throw new Unwritable(`is an instance of ${value.constructor?.name || "a class"}`);
  }
  const entries = Object.entries(value).map(([key, item]) => [key, each(item)]);
  return Object.hasOwn(value, "$") ? { $: "object", value: entries } : Object.fromEntries(entries);
}

function fromTagged(
  { $: kind, value }: { readonly [key: string]: Json },
  each: (item: Json) => unknown,
): unknown {
  const wrong = (takes: string) =>
    new InvalidDataError(
      `Cannot read a value: one of kind ${describeValue(kind)} takes ${takes}, got ${describeValue(value)}.`,
      { value },
    );
  const listOf = <Item>(isRight: (item: unknown) => boolean, takes: string, read = each) => {
    const list = Array.isArray(value) ? value.map(read) : undefined;
    if (list?.every(isRight)) return list as Item[];
    throw wrong(takes);
  };
  // A pair is no level of the value.
  const pair = (item: Json): unknown => (Array.isArray(item) ? Array.from(item, each) : item);
  switch (kind) {
    case "undefined":
      return undefined;
    case "number":
      if (typeof value === "string" && ["NaN", "Infinity", "-Infinity", "-0"].includes(value))
        return Number(value);
      throw wrong("NaN, Infinity, -Infinity or -0");
    case "bigint":
      if (typeof value === "string" && /^-?\d{1,10000}$/.test(value)) return BigInt(value);
      throw wrong("a string of at most 10,000 digits");
    case "date": {
      const time = each(value as Json);
      if (typeof time === "number") return new Date(time);
      throw wrong("a number");
    }
    case "set":
      return new Set(listOf(() => true, "an array"));
    case "map":
      return new Map(listOf<[unknown, unknown]>(isPair, "an array of pairs", pair));
    case "object":
      return Object.fromEntries(
        listOf<[string, unknown]>(
          (item) => isPair(item) && typeof item[0] === "string",
          "an array of keys with values",
          pair,
        ),
      );
    default: {
      const array = kind === "buffer" ? "Uint8Array" : kind;
      const maker = ownOf<ArrayMaker>(arrays, typeof array === "string" ? array : "");
      if (maker === undefined) {
        throw new InvalidDataError(
          `Cannot read a value: ${describeValue(kind)} is not a kind of value. Pass what a patch or a snapshot holds.`,
          { value: kind },
        );
      }
      const made = maker.from(listOf<number>((item) => typeof item === "number", "an array of numbers"));
      return kind === "buffer" ? made.buffer : made;
    }
  }
}

function isPair(item: unknown): item is [unknown, unknown] {
  return Array.isArray(item) && item.length === 2;
}
