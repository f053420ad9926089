/**
 * JavaScript values as JSON and back, exactly: also undefined, NaN, -0, dates, maps, sets and typed arrays.
 *
 * What JSON cannot say is written as an object whose first key is `$`. Objects that have such a key themselves are
 * written as lists of entries, so nothing can be mistaken.
 */

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

/** The value that `toJson` was given, from its result after any number of trips through JSON. */
export function fromJson(data: Json): unknown {
  if (typeof data !== "object" || data === null) return data;
  if (Array.isArray(data)) return data.map(fromJson);
  if (Object.hasOwn(data, "$")) return fromTagged(data);
  const copy: { [key: string]: unknown } = {};
  for (const key of Object.keys(data)) put(copy, key, fromJson(data[key] as Json));
  return copy;
}

/** Numbers that JSON lacks, for fields that hold numbers: "NaN", "Infinity", "-Infinity", "-0". */
export function numberToText(value: number): number | string {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return Object.is(value, -0) ? "-0" : String(value);
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
  for (const [key, item] of entries) put(copy, key, each(item));
  return copy;
}

function fromTagged({ $: kind, value }: { readonly [key: string]: Json }): unknown {
  const list = () => (value as Json[]).map(fromJson);
  switch (kind) {
    case "undefined":
      return undefined;
    case "number":
      return Number(value);
    case "bigint":
      return BigInt(value as string);
    case "date":
      return new Date(fromJson(value as Json) as number);
    case "set":
      return new Set(list());
    case "map":
      return new Map(list() as [unknown, unknown][]);
    case "buffer":
      return Uint8Array.from(value as number[]).buffer;
    case "object": {
      const copy: { [key: string]: unknown } = {};
      for (const [key, item] of value as [string, Json][]) put(copy, key, fromJson(item));
      return copy;
    }
    default: {
      const make = arrays[kind as keyof typeof arrays];
      return make.from(list() as number[]);
    }
  }
}

/** Assigning to `__proto__` would not make a property of that name. */
function put(object: object, key: string, value: unknown): void {
  if (key !== "__proto__") (object as { [key: string]: unknown })[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
