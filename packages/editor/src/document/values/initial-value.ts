/**
 * The smallest value that a JSON Schema allows, for items and members that are added.
 */
import { alternativesOf, type JsonSchema } from "./json-schema.ts";

/** Its default, or what follows from its type. Optional members are left out. */
export function initialOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return structuredClone(schema.default);
  const alternatives = alternativesOf(schema);
  const one = alternatives.find(({ type }) => type !== "null") ?? alternatives[0] ?? {};
  if (one.default !== undefined) return structuredClone(one.default);
  if (one.const !== undefined) return one.const;
  if (one.enum !== undefined) return one.enum[0];
  const type = typeof one.type === "string" ? one.type : one.type?.find((name) => name !== "null");
  switch (type) {
    case "number":
    case "integer":
      return leastNumber(one);
    case "string":
      return "";
    case "boolean":
      return false;
    case "array":
      return Array.from({ length: one.minItems ?? 0 }, () => (one.items ? initialOf(one.items) : null));
    case "object":
      return groupOf(one);
    default:
      return one.properties === undefined ? null : groupOf(one);
  }
}

function groupOf({ properties = {}, required = [] }: JsonSchema): unknown {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, member]) => [name, initialOf(member)]),
  );
}

/** The number closest to 0 that is allowed. */
function leastNumber({ minimum, exclusiveMinimum, maximum }: JsonSchema): number {
  if (exclusiveMinimum !== undefined && exclusiveMinimum >= 0) return exclusiveMinimum + 1;
  if (minimum !== undefined && minimum > 0) return minimum;
  return maximum !== undefined && maximum < 0 ? maximum : 0;
}
