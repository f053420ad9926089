/**
 * Validates the values of keys. Another program, or a broken one, may have written anything: invalid values are
 * ignored, so that one of them does not end the session for everyone.
 */
import { describeValue, type Field, fieldTypeOf } from "espalier";
import { fromJson, type Json } from "espalier/history";
import { ID, KEPT, NAME, OF, PART, type Plain, PREFAB } from "./keys.ts";
import type { SharedField, SharedSchema } from "./shared-schema.ts";

/** Numbers that JSON lacks, as patches write them. */
const numbers: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["NaN", "Infinity", "-Infinity", "-0"]);

/** The maximum depth of the text of a codec, and of what was kept. */
const MAX_NESTING = 1000;

/** Why the value of a key is invalid; `undefined` if it is valid. Unknown keys may have any value. */
export function misfitOf(schema: SharedSchema, key: string, value: Plain): string | undefined {
  const wrong = (takes: string) => `${key} takes ${takes}, and the document has ${describeValue(value)}`;
  if (key.startsWith("+")) return value === true ? undefined : wrong("true");
  switch (key) {
    case NAME:
    case PREFAB:
    case PART:
    case OF:
      return typeof value === "string" && value !== "" ? undefined : wrong("a string that is not empty");
    case ID:
      return typeof value === "string" && value !== "" && !value.includes("/")
        ? undefined
        : wrong('a string that is not empty, without "/"');
    case KEPT:
      return isKept(shallow(parsed(value))) ? undefined : wrong("what was kept, as JSON");
  }
  const field = schema.fieldAt.get(key);
  return field === undefined || fits(field, value) ? undefined : wrong(takes(field));
}

function takes({ form, declared }: SharedField): string {
  switch (form) {
    case "plain":
      return fieldTypeOf(declared).takes;
    case "reference":
      return "a node or null";
    case "references":
      return "a list of nodes as JSON";
    case "json":
      return "a value as JSON";
  }
}

function fits({ form, declared, isCoded }: SharedField, value: Plain): boolean {
  switch (form) {
    case "plain": {
      const type = fieldTypeOf(declared);
      const isNumber = type.valueKind === "number" && numbers.has(value);
      return type.misfit(declared, isNumber ? Number(value) : value) === undefined;
    }
    case "reference":
      return value === null || typeof value === "string";
    case "references": {
      const items = parsed(value);
      return Array.isArray(items) && items.every((item) => isPair(item, declared.data ?? {}));
    }
    case "json":
      return isCoded ? shallow(parsed(value)) !== undefined : isObjectValue(parsed(value));
  }
}

/** Whether JSON is the value of an object field: not nested too deep, and of kinds that patches know. */
function isObjectValue(json: unknown): boolean {
  if (json === undefined) return false;
  try {
    fromJson(json as Json);
    return true;
  } catch {
    return false;
  }
}

/** A node, or one with data of the relation. */
function isPair(item: unknown, data: { readonly [name: string]: Field }): boolean {
  if (typeof item === "string") return true;
  const { target, ...rest } = Object(item) as { readonly [name: string]: unknown };
  return (
    typeof target === "string" &&
    Object.entries(rest).every(([name, value]) => {
      const field = Object.hasOwn(data, name) ? data[name] : undefined;
      return field !== undefined && fieldTypeOf(field).misfit(field, value) === undefined;
    })
  );
}

/** Whether a value has the form that `setKept` takes. */
function isKept(kept: unknown): boolean {
  if (!isRecord(kept)) return false;
  const { components = {}, keys = {}, references = {}, ...rest } = kept;
  const isSound = [components, keys, references].every(isRecord) && Object.keys(rest).length === 0;
  return isSound && Object.values(references as object).every(isRecord);
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `undefined` for JSON that is nested too deep: writing it again recurses. */
function shallow(json: unknown): unknown {
  let level = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return undefined;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return json;
}

/** `undefined` for invalid JSON. */
function parsed(value: Plain): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : undefined;
  } catch {
    return undefined;
  }
}
