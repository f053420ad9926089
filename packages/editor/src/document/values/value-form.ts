/**
 * How a value of plain data is edited: as a number, a string, an object with members, or a list of items.
 *
 * A JSON Schema decides where there is one: of the library, of a codec or of a validator (Standard Schema). Where there is
 * none, or where it does not fit the value, the value itself decides. One level at a time: only what is shown is computed.
 */
import { initialOf } from "./initial-value.ts";
import { isPlainObject, type JsonSchema, schemaFor, taggedCases } from "./json-schema.ts";

/** A member of an object. */
export interface Member {
  readonly name: string;
  readonly schema: JsonSchema | undefined;
  /** Whether it may be left out. */
  readonly isOptional: boolean;
}

/** The member that selects one of several variants of an object, such as the `type` of a shape. */
export interface Tag {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** How one value is edited. */
export type ValueForm =
  | { readonly kind: "number"; readonly isInteger: boolean }
  | { readonly kind: "text" }
  | { readonly kind: "flag" }
  /** A number 0xrrggbb or a text "#rrggbb". */
  | { readonly kind: "color"; readonly isText: boolean }
  | { readonly kind: "choice"; readonly values: readonly unknown[] }
  | { readonly kind: "nothing" }
  | {
      readonly kind: "group";
      readonly members: readonly Member[];
      /** Known members that are absent. */
      readonly missing: readonly Member[];
      /** Whether members with any name may be added. */
      readonly isOpen: boolean;
      readonly tag: Tag | undefined;
    }
  | {
      readonly kind: "list";
      readonly item: JsonSchema | undefined;
      readonly least: number;
      readonly most: number;
    }
  /** Numbers x, y, x, y, … */
  | { readonly kind: "points" }
  /** Not plain data: shown and left alone. */
  | { readonly kind: "opaque" };

/** The form of a value. */
export function formOf(schema: JsonSchema | undefined, value: unknown): ValueForm {
  const chosen = schemaFor(schema, value);
  const given = chosen === undefined ? undefined : formBySchema(chosen, schema, value);
  return given ?? formByValue(value);
}

/** Whether `null` is allowed for such a value. */
export function isNullable(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  const { type, anyOf, oneOf, enum: values } = schema;
  if (type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  if (Array.isArray(values) && values.includes(null)) return true;
  return [...(anyOf ?? []), ...(oneOf ?? [])].some(isNullable);
}

/** The value of a new item of a list: from its schema, like the last item, or `undefined` if unknown. */
export function newItem(item: JsonSchema | undefined, items: readonly unknown[]): unknown {
  if (item !== undefined && Object.keys(item).length > 0) return initialOf(item);
  return items.length === 0 ? undefined : structuredClone(items.at(-1));
}

/** Another variant of an object, with the members that both have in common. */
export function withTag(schema: JsonSchema | undefined, value: object, tag: Tag, next: unknown): unknown {
  const one = taggedCases(schema)?.cases.find(({ value: which }) => which === next);
  if (one === undefined) return { ...value, [tag.name]: next };
  const known = one.schema.properties ?? {};
  const kept = Object.entries(value).filter(([name]) => name !== tag.name && Object.hasOwn(known, name));
  return { ...(initialOf(one.schema) as object), ...Object.fromEntries(kept) };
}

function formBySchema(
  chosen: JsonSchema,
  whole: JsonSchema | undefined,
  value: unknown,
): ValueForm | undefined {
  if (chosen.enum !== undefined) return { kind: "choice", values: chosen.enum };
  switch (typeof value) {
    case "number":
      if (chosen.format === "color") return { kind: "color", isText: false };
      return { kind: "number", isInteger: chosen.type === "integer" };
    case "object":
      if (chosen.format === "points" && Array.isArray(value)) return { kind: "points" };
      if (Array.isArray(value)) return listBySchema(chosen);
      return isPlainObject(value) ? groupBySchema(chosen, whole, value) : undefined;
    default:
      return undefined;
  }
}

function listBySchema({ items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: JsonSchema): ValueForm {
  return { kind: "list", item: items, least: minItems, most: maxItems };
}

function groupBySchema(
  chosen: JsonSchema,
  whole: JsonSchema | undefined,
  value: { readonly [name: string]: unknown },
): ValueForm | undefined {
  const { properties, required = [], additionalProperties } = chosen;
  if (properties === undefined) return undefined;
  const tagged = taggedCases(whole);
  const known: Member[] = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isOptional: !required.includes(name),
  }));
  const others: Member[] = Object.keys(value)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => ({
      name,
      schema: typeof additionalProperties === "object" ? additionalProperties : undefined,
      isOptional: true,
    }));
  const isTag = ({ name }: Member) => name === tagged?.name;
  return {
    kind: "group",
    members: [...known.filter(({ name }) => Object.hasOwn(value, name)), ...others].filter((m) => !isTag(m)),
    missing: known.filter((member) => !Object.hasOwn(value, member.name) && !isTag(member)),
    isOpen: additionalProperties !== false,
    tag: tagged && { name: tagged.name, values: tagged.cases.map((one) => one.value) },
  };
}

function formByValue(value: unknown): ValueForm {
  if (value === null || value === undefined) return { kind: "nothing" };
  if (typeof value === "number") return { kind: "number", isInteger: false };
  if (typeof value === "boolean") return { kind: "flag" };
  if (typeof value === "string") {
    return /^#[0-9a-f]{6}$/i.test(value) ? { kind: "color", isText: true } : { kind: "text" };
  }
  if (Array.isArray(value))
    return { kind: "list", item: undefined, least: 0, most: Number.POSITIVE_INFINITY };
  if (!isPlainObject(value)) return { kind: "opaque" };
  const members = Object.keys(value).map((name) => ({ name, schema: undefined, isOptional: true }));
  return { kind: "group", members, missing: [], isOpen: true, tag: undefined };
}
