/**
 * The part of JSON Schema that decides how a value is edited, and which of several alternatives a value matches.
 */

/** The part of a schema that is used here. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  /** `"color"`: a number 0xrrggbb. `"points"`: a list x, y, x, y, … */
  readonly format?: string;
}

/** Alternatives that differ in a member with a fixed value. */
export interface TaggedCases {
  readonly name: string;
  readonly cases: readonly { readonly value: unknown; readonly schema: JsonSchema }[];
}

/** The alternative that fits the value by its type, without keywords beside the alternatives; `undefined` when none fits. */
export function schemaFor(schema: JsonSchema | undefined, value: unknown): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const tagged = taggedCases(schema);
  if (tagged !== undefined && isPlainObject(value)) {
    const found = tagged.cases.find((one) => one.value === value[tagged.name]);
    if (found !== undefined) return found.schema;
  }
  return alternativesOf(schema).find((one) => fits(one, value));
}

/** The alternatives as cases by tag; `undefined` when they have no common tag. */
export function taggedCases(schema: JsonSchema | undefined): TaggedCases | undefined {
  if (schema === undefined) return undefined;
  const alternatives = alternativesOf(schema).filter(({ properties }) => properties !== undefined);
  const [first] = alternatives;
  if (first === undefined || alternatives.length < 2) return undefined;
  const name = Object.keys(first.properties ?? {}).find((member) =>
    alternatives.every(({ properties }) => fixedValue(properties?.[member]) !== undefined),
  );
  if (name === undefined) return undefined;
  const cases = alternatives.map((one) => ({ value: fixedValue(one.properties?.[name]), schema: one }));
  return { name, cases };
}

/** A schema as a list of schemas without alternatives. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const all = [rest, ...(allOf ?? [])].reduce(merged);
  const given = anyOf ?? oneOf;
  return given === undefined ? [all] : given.flatMap(alternativesOf).map((one) => merged(all, one));
}

/** Whether a value is a plain data object: no class instance, date or set. */
export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function merged(a: JsonSchema, b: JsonSchema): JsonSchema {
  return {
    ...a,
    ...b,
    ...(a.properties === undefined && b.properties === undefined
      ? {}
      : { properties: { ...a.properties, ...b.properties } }),
    ...(a.required === undefined && b.required === undefined
      ? {}
      : { required: [...(a.required ?? []), ...(b.required ?? [])] }),
  };
}

function fixedValue(schema: JsonSchema | undefined): unknown {
  if (schema === undefined) return undefined;
  return schema.const ?? (schema.enum?.length === 1 ? schema.enum[0] : undefined);
}

function fits({ type, enum: values, const: fixed }: JsonSchema, value: unknown): boolean {
  if (fixed !== undefined) return fixed === value;
  if (values !== undefined) return values.includes(value);
  if (type === undefined) return true;
  return (typeof type === "string" ? [type] : type).some((one) => isOfType(one, value));
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isPlainObject(value);
  if (type === "integer") return typeof value === "number";
  return typeof value === type;
}
