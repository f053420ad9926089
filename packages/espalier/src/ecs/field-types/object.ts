import { type Field, type FieldType, fieldOf } from "./field-type.ts";

/** Files and patches copy objects as JSON or by a codec of the field. */
export const objectType: FieldType<"object", unknown[]> = {
  kind: "object",
  valueKind: "object",
  array: undefined,
  standard: () => () => null,
  takes: "a value",
  misfit: (field, value) => field.validate?.(value),
  isJson: (_, field) => field.validate === undefined,
  schema: () => ({}),
  code: {},
};

/**
 * Any JavaScript value, kept by reference. `make` creates the default for each entity, so that two entities never
 * share one object. Writes inside the object are not seen by change detection; call `world.touch` after them.
 */
export function object<Value>(
  make: () => Value,
  validate?: (value: unknown) => string | undefined,
): Field<Value, "object"> {
  const field = fieldOf(objectType, make);
  return validate === undefined ? field : { ...field, validate };
}
