import { describeValue, type Field, type FieldType, fieldOf } from "./field-type.ts";

export const boolType: FieldType<"bool", Uint8Array> = {
  kind: "bool",
  valueKind: "boolean",
  array: Uint8Array,
  standard: () => false,
  takes: "true or false",
  misfit: (_, value) =>
    typeof value === "boolean" ? undefined : `takes true or false, got ${describeValue(value)}`,
  fits: (_, checks) => (checks ? (value) => typeof value === "boolean" : () => true),
  encode: (value) => (value ? 1 : 0),
  decode: (held) => held === 1,
  holds: (held) => held === 0 || held === 1,
  toPatch: (held) => held === 1,
  isJson: (json) => typeof json === "boolean",
  schema: () => ({ type: "boolean" }),
  code: {
    read: (held) => `${held} === 1`,
    encode: (value) => `${value} ? 1 : 0`,
    fits: (value) => `typeof ${value} === "boolean"`,
  },
};

/** True or false, one byte. */
export function bool(initial = false): Field<boolean, "bool"> {
  return fieldOf(boolType, initial);
}
