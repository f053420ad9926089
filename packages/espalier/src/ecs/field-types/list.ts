/**
 * All kinds of fields, by name. A new kind needs its object, a line here, and a line in the room's `index.ts`.
 */
import { InvalidSchemaError } from "../errors.ts";
import { boolType } from "./bool.ts";
import { entityType } from "./entity-ref.ts";
import { enum8Type, enum16Type } from "./enum.ts";
import type { FieldType } from "./field-type.ts";
import { f32Type, f64Type } from "./float.ts";
import { i8Type, i16Type, i32Type, i53Type, u8Type, u16Type, u32Type } from "./integer.ts";
import { objectType } from "./object.ts";
import { stringType } from "./string.ts";

export const fieldTypes = {
  f32: f32Type,
  f64: f64Type,
  i8: i8Type,
  u8: u8Type,
  i16: i16Type,
  u16: u16Type,
  i32: i32Type,
  u32: u32Type,
  i53: i53Type,
  bool: boolType,
  string: stringType,
  entity: entityType,
  object: objectType,
  enum8: enum8Type,
  enum16: enum16Type,
} as const;

export type FieldTypes = typeof fieldTypes;
/** The name of a kind of field. */
export type FieldKind = keyof FieldTypes;

/** The kind of a field, as the one object that knows everything about it. */
export function fieldTypeOf(field: { readonly kind: string }): FieldType {
  const type = fieldTypes[(field as { readonly kind?: string } | undefined)?.kind as FieldKind] as
    | FieldType
    | undefined;
  if (type !== undefined) return type;
  throw new InvalidSchemaError("Expected a field such as f32() or string(), got something else.");
}

/** Whether there is a kind of this name. */
export function isKind(value: unknown): value is FieldKind {
  return typeof value === "string" && Object.hasOwn(fieldTypes, value);
}
