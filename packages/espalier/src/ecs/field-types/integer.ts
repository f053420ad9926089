/**
 * What all kinds of integers have in common.
 */
import { describeValue, type Field, type FieldType, fieldOf, type NumericColumn } from "./field-type.ts";

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
    fits(field, checks) {
      if (field.finite) return Number.isFinite;
      if (!checks) return () => true;
      const [from, to] = rangeOf(field, low, high);
      return (value) => isIntegerIn(value, from, to);
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

/** Makes fields of one kind of numbers. */
export function numberField<Kind extends string>(
  type: FieldType<Kind>,
): (initial?: number) => Field<number, Kind> {
  return (initial = 0) => fieldOf(type, initial);
}

function rangeOf({ names }: Field, low: number, high: number): readonly [number, number] {
  return names === undefined ? [low, high] : [0, names.length - 1];
}

function isIntegerIn(value: unknown, low: number, high: number): boolean {
  return Number.isInteger(value) && (value as number) >= low && (value as number) <= high;
}
