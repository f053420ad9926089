/**
 * What the library must know of one kind of field, in one object. Views, stores, checks, snapshots, patches, scene files, JSON
 * Schema and tools ask it and know no kind by name, so a new kind is a new file here and a line in `list.ts`.
 */
import { shortText } from "../checks/short-text.ts";
import type { FieldRelation } from "./field-relation.ts";

/** One field of a component: its kind, its default, and (only for the type checker) its value type. */
export interface Field<Value = unknown, Kind extends string = string> {
  /** What the field holds: `f32`, `string`, `entity` and so on. */
  readonly kind: Kind;
  /** What `fieldTypeOf` gives; here, so that a bundle holds only the kinds it uses. */
  readonly type: FieldType;
  /** The default, or for objects a function that makes one. */
  readonly initial: Value | (() => Value);
  /** Numbers only: refuse NaN and the infinities. */
  readonly finite?: boolean;
  /** Finite numbers with a fraction only: refuse what is below. */
  readonly min?: number;
  /** What the values 0, 1, 2, … are called in files and tools. Others are refused. */
  readonly names?: readonly string[];
  /** Extra check for object fields: returns what is wrong, or nothing. */
  readonly validate?: (value: unknown) => string | undefined;
  /** `entityRefs` only: the fields of the data of each pair. */
  readonly data?: { readonly [name: string]: Field };
  /** Strings only: the kind of file that the string names. */
  readonly asset?: string;
  /** References only: kept so that "which entities refer to this one" is answered at once. */
  readonly relation?: FieldRelation;
}

/** A field of this kind. */
export function fieldOf<Value, Kind extends string>(
  type: FieldType<Kind>,
  initial: Field<Value>["initial"],
): Field<Value, Kind> {
  return { kind: type.kind, type, initial };
}

export type NumericColumn =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;
/** The values of one field for all entities. */
export type Column = NumericColumn | unknown[];

/** A value that JSON can carry. */
export type FieldJson =
  | null
  | boolean
  | number
  | string
  | readonly FieldJson[]
  | { readonly [key: string]: FieldJson };

/** Says which entities live: references to dead ones read as `null`. */
export interface Aliveness {
  isAlive(entity: number): boolean;
}

/**
 * What users see in a field, for tools that choose an input and for rooms that treat references and objects in their own way. `integer` and
 * `number` are the numbers that the column holds; `choice` is one of the field's names; `entities` is an array of entities, or of pairs.
 */
export type ValueKind =
  | "number"
  | "integer"
  | "boolean"
  | "string"
  | "choice"
  | "entity"
  | "entities"
  | "object";

/** Texts of JavaScript for generated code. Each gets names or expressions and gives an expression. */
export interface FieldCode {
  /** The value users see, from what the column holds; left out where they are the same. `host` says which entities live. */
  read?(held: string, host: string, constant: string): string;
  /** What the column holds, from the value users see; left out where they are the same. */
  encode?(value: string, constant: string): string;
  /** Whether a value fits. Left out where views must call the complete check. */
  fits?(value: string, field: Field, constant: string): string;
  /** A value that the texts use under the name `constant`. */
  constant?(field: Field): unknown;
}

/**
 * One kind of field. All members are plain functions over a field and a value; nothing here belongs to a world. Tools use the public
 * ones; how a kind is stored, patched and written to files is known inside only.
 */
export interface FieldType<Kind extends string = string, Values extends Column = Column> {
  /** Its name in snapshots and tools. */
  readonly kind: Kind;
  /** What users see. */
  readonly valueKind: ValueKind;
  /** The typed array of its columns. Kinds without one live in plain arrays. */
  readonly array: (new (buffer: ArrayBuffer, offset: number, length: number) => Values) | undefined;
  /** The default of a field that is given none. */
  standard(field: Field): unknown;
  /** Numbers: the smallest and the largest one. */
  readonly range?: readonly [low: number, high: number];
  /** What it takes, in words: "true or false". */
  readonly takes: string;

  /** Why a value does not fit, in words that follow the field's name; nothing when it fits. */
  misfit(field: Field, value: unknown): string | undefined;
  /** `misfit` as a quick test for loops, made once per field. Left out where loops must call the complete check. @internal */
  fits?(field: Field, checks: boolean): (value: unknown) => boolean;
  /** What the column holds, from the value users see; left out where they are the same. @internal */
  encode?(value: unknown, field: Field): unknown;
  /** The value users see, from what the column holds; left out where they are the same. @internal */
  decode?(held: unknown, host: Aliveness, field: Field): unknown;
  /** Whether two held values are equal as data; left out where only identical ones are. @internal */
  isSame?(a: unknown, b: unknown): boolean;
  /** What a column gives back of a number written to it; left out where that is the number itself. @internal */
  round?(value: number): number;
  /** Whether a column may hold this; left out where it may hold all that its array can. @internal */
  holds?(held: number, names: readonly string[] | undefined): boolean;

  /** What a patch says of a held value. Left out for kinds whose values are not data: entities and objects. @internal */
  toPatch?(held: unknown, names: readonly string[] | undefined): FieldJson;
  /** The value users see, from what a patch says; left out where they are the same. @internal */
  fromPatch?(json: FieldJson): unknown;
  /** What a scene file says of a value; left out where they are the same. @internal */
  toJson?(value: unknown): FieldJson;
  /** Whether what a scene file says is the value itself. @internal */
  isJson(json: FieldJson, field: Field): boolean;
  /** The value, from what a scene file says instead of it; `undefined` when that does not fit. @internal */
  fromJson?(json: FieldJson, field: Field): unknown;
  /** What a scene file may say, as JSON Schema. @internal */
  schema(field: Field): { readonly [key: string]: FieldJson };
  /** @internal */
  readonly code: FieldCode;
}

/** A short, safe description of any value for error messages. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shortText(value));
  if (typeof value === "function")
    return `${"isBundle" in value ? "bundle" : "function"} ${value.name || "(anonymous)"}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
