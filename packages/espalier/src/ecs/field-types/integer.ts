/**
 * All kinds of integers.
 */
import { describeValue, type Field, type FieldType, type NumericColumn, numberField } from "./field-type.ts";

export const i8Type: FieldType<"i8", Int8Array> = /* @__PURE__ */ integerType("i8", Int8Array, -128, 127);
/** Integer from -128 to 127. */
export const i8: (initial?: number) => Field<number, "i8"> = /* @__PURE__ */ numberField(i8Type);

export const u8Type: FieldType<"u8", Uint8Array> = /* @__PURE__ */ integerType("u8", Uint8Array, 0, 255);
/** Integer from 0 to 255. */
export const u8: (initial?: number) => Field<number, "u8"> = /* @__PURE__ */ numberField(u8Type);

export const i16Type: FieldType<"i16", Int16Array> = /* @__PURE__ */ integerType(
  "i16",
  Int16Array,
  -32768,
  32767,
);
/** Integer from -32,768 to 32,767. */
export const i16: (initial?: number) => Field<number, "i16"> = /* @__PURE__ */ numberField(i16Type);

export const u16Type: FieldType<"u16", Uint16Array> = /* @__PURE__ */ integerType(
  "u16",
  Uint16Array,
  0,
  65535,
);
/** Integer from 0 to 65,535. */
export const u16: (initial?: number) => Field<number, "u16"> = /* @__PURE__ */ numberField(u16Type);

export const i32Type: FieldType<"i32", Int32Array> = /* @__PURE__ */ integerType(
  "i32",
  Int32Array,
  -2147483648,
  2147483647,
);
/** Integer from -2^31 to 2^31 - 1. */
export const i32: (initial?: number) => Field<number, "i32"> = /* @__PURE__ */ numberField(i32Type);

export const u32Type: FieldType<"u32", Uint32Array> = /* @__PURE__ */ integerType(
  "u32",
  Uint32Array,
  0,
  4294967295,
);
/** Integer from 0 to 2^32 - 1. */
export const u32: (initial?: number) => Field<number, "u32"> = /* @__PURE__ */ numberField(u32Type);

export const i53Type: FieldType<"i53", Float64Array> = /* @__PURE__ */ wideType();

/** Integer from -(2^53 - 1) to 2^53 - 1: times in milliseconds, money in cents, ids of a database. Eight bytes. */
export const i53: (initial?: number) => Field<number, "i53"> = /* @__PURE__ */ numberField(i53Type);

/** The kind of integers from `low` to `high`. */
export function integerType<Kind extends string, Values extends NumericColumn>(
  kind: Kind,
  array: new (buffer: ArrayBuffer, offset: number, length: number) => Values,
  low: number,
  high: number,
): FieldType<Kind, Values> {
  return {
    kind,
    valueKind: "integer",
    array,
    standard: () => 0,
    range: [low, high],
    takes: "a number",
    misfit(field, value) {
      const [from, to] = rangeOf(field, low, high);
      if (isIntegerIn(value, from, to)) return undefined;
      const names = field.names === undefined ? "" : ` (${field.names.join(", ")})`;
      return `takes an integer from ${from} to ${to}${names}, got ${describeValue(value)}`;
    },
    toPatch: (held) => held as number,
    isJson: (json) => isIntegerIn(json, low, high),
    schema: () => ({ type: "integer", minimum: low, maximum: high }),
    code: {
      fits(value, field) {
        if (field.finite) return `typeof ${value} === "number" && ${value} - ${value} === 0`;
        const [from, to] = rangeOf(field, low, high);
        return `typeof ${value} === "number" && ${value} >= ${from} && ${value} <= ${to} && ${value} === Math.floor(${value})`;
      },
    },
  };
}

function rangeOf({ names }: Field, low: number, high: number): readonly [number, number] {
  return names === undefined ? [low, high] : [0, names.length - 1];
}

function isIntegerIn(value: unknown, low: number, high: number): boolean {
  return Number.isInteger(value) && (value as number) >= low && (value as number) <= high;
}

function wideType(): FieldType<"i53", Float64Array> {
  const { MAX_SAFE_INTEGER: most } = Number;
  const wide = integerType("i53", Float64Array, -most, most);
  return {
    ...wide,
    // A column of floats would keep the sign of zero, which no integer has.
    encode: (value) => (value as number) + 0,
    holds: (held) => Number.isSafeInteger(held) && !Object.is(held, -0),
    code: { ...wide.code, encode: (value) => `${value} + 0` },
  };
}
