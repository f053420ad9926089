/**
 * Checks the parameters of a verb against its declaration. They come from command lines and agents, so they may be anything.
 */
import { describeValue } from "../../ecs/index.ts";
import { isRecord, suggest } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import type { AnyVerb } from "../verb.ts";
import type { ParameterSchema, ParameterType } from "./schema.ts";

/** @throws VerbError `verbs/invalid-parameters` */
export function checkParameters(verb: AnyVerb, given: unknown): { readonly [name: string]: unknown } {
  const refuse = (why: string, option?: string, value?: unknown) =>
    new VerbError(`Cannot run ${verb.name}: ${why}`, "verbs/invalid-parameters", {
      verb: verb.name,
      option,
      value,
    });
  if (!isRecord(given))
    throw refuse(`parameters are an object, got ${describeValue(given)}.`, undefined, given);
  const known = Object.keys(verb.parameters);
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      throw refuse(`it has no parameter ${describeValue(name)}. ${suggest(name, known, "parameters")}`, name);
    }
  }
  for (const name of known) {
    const value = given[name];
    if (value === undefined) {
      if (verb.required.includes(name)) {
        throw refuse(`${name} is missing. ${verb.parameters[name]?.description ?? ""}`, name);
      }
      continue;
    }
    const why = misfit(verb.parameters[name] as ParameterSchema, value);
    if (why !== undefined) throw refuse(`${name} ${why}, got ${describeValue(value)}.`, name, value);
  }
  return given;
}

function misfit(schema: ParameterSchema, value: unknown): string | undefined {
  const { type, minimum, minItems, items } = schema;
  const types = type === undefined ? [] : typeof type === "string" ? [type] : type;
  if (types.length > 0 && !types.some((one) => isOf(one, value)))
    return `is ${types.map(worded).join(" or ")}`;
  if (schema.enum !== undefined && typeof value === "string" && !schema.enum.includes(value)) {
    return `is one of ${schema.enum.map(describeValue).join(", ")}`;
  }
  if (minimum !== undefined && typeof value === "number" && value < minimum) return `is at least ${minimum}`;
  if (!Array.isArray(value)) return undefined;
  if (minItems !== undefined && value.length < minItems) return `has at least ${minItems} items`;
  if (items !== undefined && !value.every((item) => isOf(items.type, item)))
    return `holds items that are ${worded(items.type)}`;
  return undefined;
}

function isOf(type: ParameterType, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function worded(type: ParameterType): string {
  if (type === "null") return "null";
  return `${["array", "object", "integer"].includes(type) ? "an" : "a"} ${type}`;
}
