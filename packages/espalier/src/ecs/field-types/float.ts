/**
 * What both kinds of floating-point numbers have in common.
 */
import { describeValue, type FieldType, type NumericColumn } from "./field-type.ts";

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
      if (field.min !== undefined && (value as number) < field.min)
        return `takes a number that is not below ${field.min}, got ${describeValue(value)}`;
      return typeof value === "number" ? undefined : `takes a number, got ${describeValue(value)}`;
    },
    fits(field, checks) {
      const { min } = field;
      if (min !== undefined) return (value) => isFiniteHere(value) && (value as number) >= min;
      if (field.finite) return isFiniteHere;
      return checks ? (value) => typeof value === "number" : () => true;
    },
    ...(single === undefined ? {} : { round: single.round }),
    toPatch: (held) =>
      numberToText(single === undefined ? (held as number) : single.shortest(held as number)),
    fromPatch: (json) =>
      typeof json === "string" && ["NaN", "Infinity", "-Infinity", "-0"].includes(json) ? Number(json) : json,
    toJson(value) {
      if (!Number.isFinite(value)) return String(value);
      return single === undefined ? (value as number) : single.shortest(value as number);
    },
    isJson: (json, { min = -largest }) => typeof json === "number" && json >= min && json <= largest,
    fromJson: (json, field) =>
      !field.finite && (json === "NaN" || json === "Infinity" || json === "-Infinity")
        ? Number(json)
        : undefined,
    schema({ finite, min }) {
      if (!finite) return { anyOf: [schema, { enum: ["NaN", "Infinity", "-Infinity"] }] };
      return min === undefined ? schema : { ...schema, minimum: min };
    },
    code: {
      fits(value, field) {
        if (!field.finite) return `typeof ${value} === "number"`;
        // Comparing refuses NaN and the infinities, also those that rounding to 32 bits makes: from halfway to 2^128 on.
        const limit = single === undefined ? "Infinity" : "3.4028235677973366e38";
        const low = field.min === undefined ? `> -${limit}` : `>= ${field.min}`;
        return `typeof ${value} === "number" && ${value} < ${limit} && ${value} ${low}`;
      },
    },
  };
}

/** Numbers that JSON has no word for, as texts. */
export function numberToText(value: number): number | string {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return Object.is(value, -0) ? "-0" : String(value);
}
