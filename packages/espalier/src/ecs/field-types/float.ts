/**
 * Both kinds of floating-point numbers.
 */
import { describeValue, type Field, type FieldType, type NumericColumn, numberField } from "./field-type.ts";

/** Of 32 bits. */
const LARGEST = 3.4028234663852886e38;

export const f32Type: FieldType<"f32", Float32Array> = /* @__PURE__ */ floatType({
  kind: "f32",
  array: Float32Array,
  largest: LARGEST,
  schema: { type: "number", minimum: -LARGEST, maximum: LARGEST },
  single: { round: Math.fround, shortest: shortestDecimal },
});

/** 32-bit float. Reads give the rounded value. */
export const f32: (initial?: number) => Field<number, "f32"> = /* @__PURE__ */ numberField(f32Type);

export const f64Type: FieldType<"f64", Float64Array> = /* @__PURE__ */ floatType({
  kind: "f64",
  array: Float64Array,
  // Number.MAX_VALUE, written out: looking it up would keep this file in bundles that do not use it.
  largest: 1.7976931348623157e308,
  schema: { type: "number" },
});

/** 64-bit float. */
export const f64: (initial?: number) => Field<number, "f64"> = /* @__PURE__ */ numberField(f64Type);

/** What one kind of floating-point numbers does in its own way. */
interface FloatTraits<Kind extends string, Values extends NumericColumn> {
  readonly kind: Kind;
  readonly array: new (buffer: ArrayBuffer, offset: number, length: number) => Values;
  readonly largest: number;
  readonly schema: { readonly type: "number"; readonly minimum?: number; readonly maximum?: number };
  /** Where numbers are rounded: how, in words, as text, and the shortest decimal that leads to the same number. */
  readonly single?: { round(value: number): number; shortest(value: number): number };
}

export function floatType<Kind extends string, Values extends NumericColumn>({
  kind,
  array,
  largest,
  schema,
  single,
}: FloatTraits<Kind, Values>): FieldType<Kind, Values> {
  const isFiniteHere = (value: unknown) =>
    typeof value === "number" && Number.isFinite(single === undefined ? value : single.round(value));
  return {
    kind,
    valueKind: "number",
    array,
    standard: () => 0,
    range: [-largest, largest],
    takes: "a number",
    misfit(field, value) {
      // 1e39 is finite and is not in 32 bits.
      if (field.finite && !isFiniteHere(value))
        return `takes a finite number${Number.isFinite(value) ? " of 32 bits" : ""}, got ${describeValue(value)}`;
      return typeof value === "number" ? undefined : `takes a number, got ${describeValue(value)}`;
    },
    ...(single === undefined ? {} : { round: single.round }),
    toPatch: (held) => numberToText(held as number),
    fromPatch: (json) =>
      typeof json === "string" && ["NaN", "Infinity", "-Infinity", "-0"].includes(json) ? Number(json) : json,
    toJson(value) {
      if (!Number.isFinite(value)) return String(value);
      return single === undefined ? (value as number) : single.shortest(value as number);
    },
    isJson: (json) => typeof json === "number" && json >= -largest && json <= largest,
    fromJson: (json, field) =>
      !field.finite && (json === "NaN" || json === "Infinity" || json === "-Infinity")
        ? Number(json)
        : undefined,
    schema: ({ finite }) =>
      finite ? schema : { anyOf: [schema, { enum: ["NaN", "Infinity", "-Infinity"] }] },
    code: {
      fits(value, field) {
        if (!field.finite) return `typeof ${value} === "number"`;
        // Comparing refuses NaN and the infinities, also those that rounding to 32 bits makes: from halfway to 2^128 on.
        const limit = single === undefined ? "Infinity" : "3.4028235677973366e38";
        return `typeof ${value} === "number" && ${value} < ${limit} && ${value} > -${limit}`;
      },
    },
  };
}

/** Numbers that JSON has no word for, as texts. */
export function numberToText(value: number): number | string {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The shortest decimal that reads back as the same 32-bit float: 0.1, not 0.10000000149011612. */
function shortestDecimal(value: number): number {
  // A room may keep more digits than the field asks for; they are all written.
  if (Number.isInteger(value) || Math.fround(value) !== value) return value;
  // What people write has few digits: the same result as below, without making texts.
  const few = Math.round(value * 1000) / 1000;
  if (Math.abs(value) < 1000 && Math.fround(few) === value) return few;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
