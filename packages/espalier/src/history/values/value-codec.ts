/**
 * JavaScript values as JSON and back, exactly: also undefined, NaN, -0, dates, maps, sets and typed arrays.
 *
 * What JSON cannot say is written as an object whose first key is `$`. Objects that have such a key themselves are
 * written as lists of entries, so nothing can be mistaken.
 */

import { describeValue } from "../../ecs/index.ts";
import { numberToText } from "../../ecs/internal.ts";
import { InvalidDataError } from "../errors.ts";
import { ownOf, setOwn } from "./own-keys.ts";

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** How values of one field become data and back, for what the library cannot write by itself. */
export interface ValueCodec {
  /** Gives plain data: what JSON carries, and also dates, maps, sets, typed arrays, NaN and undefined. */
  encode(value: unknown): unknown;
  /** Makes the value again from an equal copy of what `encode` gave. */
  decode(data: unknown): unknown;
}

/** Values nested deeper than this are refused; so are values that contain themselves. */
export const MAX_NESTING = 200;

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

/** Why a value cannot be written, in words that follow its name: "is a function". */
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
 * The value that `toJson` was given, from its result after any number of trips through JSON.
 *
 * @throws InvalidDataError for what no value is written as: other kinds, values that contain themselves or are nested more
 * than 200 levels deep.
 */
export function fromJson(data: Json): unknown {
  return read(data, 0);
}

/** Depth bounds it, so that it may recurse; it also ends where a value contains itself. */
function read(data: Json, depth: number): unknown {
  if (typeof data !== "object" || data === null) {
    const kind = typeof data;
    if (data === null || kind === "string" || kind === "number" || kind === "boolean") return data;
    throw new InvalidDataError(
      `Cannot read a value: ${describeValue(data)} is not data. Pass what JSON can carry.`,
    );
  }
  // A tagged value has its content one level further down than what it was made from.
  if (depth > 2 * MAX_NESTING + 2) {
    throw new InvalidDataError(
      `Cannot read a value: it is nested more than ${MAX_NESTING} levels deep, or contains itself. Make it flatter.`,
    );
  }
  const each = (item: Json) => read(item, depth + 1);
  if (Array.isArray(data)) return Array.from(data, each);
  if (Object.hasOwn(data, "$")) return fromTagged(data, each);
  const copy: { [key: string]: unknown } = {};
  for (const key of Object.keys(data)) setOwn(copy, key, each(data[key] as Json));
  return copy;
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
  const entries = Object.entries(value);
  if (Object.hasOwn(value, "$")) {
    return { $: "object", value: entries.map(([key, item]) => [key, each(item)]) };
  }
  const copy: { [key: string]: Json } = {};
  for (const [key, item] of entries) setOwn(copy, key, each(item));
  return copy;
}

function fromTagged(data: { readonly [key: string]: Json }, each: (item: Json) => unknown): unknown {
  const { $: kind, value } = data;
  const wrong = (takes: string) =>
    new InvalidDataError(
      `Cannot read a value: one of kind ${describeValue(kind)} takes ${takes}, got ${describeValue(value)}.`,
    );
  const list = (): Json[] => {
    if (Array.isArray(value)) return value;
    throw wrong("a list");
  };
  const numbers = () => {
    const found = list().map(each);
    if (found.every((item) => typeof item === "number")) return found as number[];
    throw wrong("a list of numbers");
  };
  const pairs = () => {
    const found = list();
    if (found.every((item) => Array.isArray(item) && item.length === 2)) return found as [Json, Json][];
    throw wrong("a list of pairs");
  };
  switch (kind) {
    case "undefined":
      return undefined;
    case "number":
      if (typeof value === "string" && ["NaN", "Infinity", "-Infinity", "-0"].includes(value))
        return Number(value);
      throw wrong("NaN, Infinity, -Infinity or -0");
    case "bigint":
      if (typeof value === "string" && /^-?\d{1,10000}$/.test(value)) return BigInt(value);
      throw wrong("a text of at most 10,000 digits");
    case "date": {
      const time = each(value as Json);
      if (typeof time === "number") return new Date(time);
      throw wrong("a number");
    }
    case "set":
      return new Set(list().map(each));
    case "map":
      return new Map(pairs().map(([key, item]) => [each(key), each(item)]));
    case "buffer":
      return Uint8Array.from(numbers()).buffer;
    case "object": {
      const copy: { [key: string]: unknown } = {};
      for (const [key, item] of pairs()) {
        if (typeof key !== "string") throw wrong("a list of keys with values");
        setOwn(copy, key, each(item));
      }
      return copy;
    }
    default: {
      const make =
        typeof kind === "string"
          ? ownOf(arrays as { readonly [kind: string]: { from(list: number[]): unknown } }, kind)
          : undefined;
      if (make !== undefined) return make.from(numbers());
      throw new InvalidDataError(
        `Cannot read a value: ${describeValue(kind)} is not a kind of value. Pass what a patch or a snapshot holds.`,
      );
    }
  }
}
