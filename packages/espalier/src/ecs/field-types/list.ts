/**
 * All kinds of fields, by name. A new kind needs its file, a line here, and a line in the room's `index.ts`.
 */
import { InvalidSchemaError } from "../errors.ts";
import { boolType } from "./bool.ts";
import { entityType } from "./entity-ref.ts";
import { entitiesType } from "./entity-refs.ts";
import { enum8Type, enum16Type } from "./enum.ts";
import { f32Type } from "./f32.ts";
import { f64Type } from "./f64.ts";
import type { FieldType } from "./field-type.ts";
import { i8Type } from "./i8.ts";
import { i16Type } from "./i16.ts";
import { i32Type } from "./i32.ts";
import { i53Type } from "./i53.ts";
import { objectType } from "./object.ts";
import { stringType } from "./string.ts";
import { u8Type } from "./u8.ts";
import { u16Type } from "./u16.ts";
import { u32Type } from "./u32.ts";

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
  entities: entitiesType,
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
