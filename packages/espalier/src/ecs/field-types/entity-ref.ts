import { heldId, isHandle } from "../entities/entity.ts";
import { describeValue, type FieldType } from "./field-type.ts";

/** The column holds handles, 0 for none. Files and patches name entities in their own ways. */
export const entityType: FieldType<"entity", Float64Array> = {
  kind: "entity",
  valueKind: "entity",
  array: Float64Array,
  standard: () => null,
  takes: "the id of an entity or null",
  misfit: (_, value) =>
    value === null || isHandle(value) ? undefined : `takes an entity or null, got ${describeGiven(value)}`,
  encode: (value) => (value === null ? 0 : value),
  decode: (held, host) => (held !== 0 && host.isAlive(held as number) ? held : null),
  isJson: (json) => json === null,
  schema: () => ({ type: ["string", "null"], description: "The id of an entity." }),
  code: {
    read: (held, host) => `${held} !== 0 && ${host}.isAlive(${held}) ? ${held} : null`,
    encode: (value) => `${value} === null ? 0 : ${value}`,
  },
};

/** The value in words. Objects that stand for an entity are taken by calls, but values are kept and saved: those are handles. */
export function describeGiven(value: unknown): string {
  return heldId(value) === undefined ? describeValue(value) : "an object that has it as id: give its id";
}
