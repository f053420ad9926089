import { describeValue, type Field, type FieldType, fieldOf } from "./field-type.ts";

export const stringType: FieldType<"string", string[]> = {
  kind: "string",
  valueKind: "string",
  array: undefined,
  standard: () => "",
  takes: "a string",
  misfit: (_, value) =>
    typeof value === "string" ? undefined : `takes a string, got ${describeValue(value)}`,
  toPatch: (held) => held as string,
  isJson: (json) => typeof json === "string",
  schema: () => ({ type: "string" }),
  code: {},
};

/** A string. */
export function string(initial = ""): Field<string, "string"> {
  return fieldOf(stringType, initial);
}
