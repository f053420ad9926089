/**
 * From the words of a command line to the parameters of a verb.
 */
import type { Json } from "espalier/scene";
import type { AnyVerb, ParameterSchema } from "espalier/verbs";
import { exitCodes, Stop } from "../exit-codes.ts";

type Parameters = { [name: string]: Json };

/** `keep-world` for `keepWorld`. */
export function optionName(parameter: string): string {
  return parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function isFlag({ type }: ParameterSchema): boolean {
  return type === "boolean";
}

export function takesMany({ type }: ParameterSchema): boolean {
  return type === "array" || type === "object";
}

/** The parameters that were passed, by position and by name. */
export function parametersOf(
  verb: AnyVerb,
  operands: readonly (string | readonly string[] | undefined)[],
  options: { readonly [name: string]: unknown },
): Parameters {
  const given: Parameters = {};
  const put = (name: string, words: unknown) => {
    const schema = verb.parameters[name] as ParameterSchema;
    given[name] = parsedValue(verb.name, name, schema, words as string | readonly string[] | boolean);
  };
  verb.operands.forEach((name, k) => {
    const words = operands[k];
    if (words !== undefined && words.length > 0) put(name, words);
  });
  for (const name of Object.keys(verb.parameters)) {
    if (options[name] !== undefined && !(name in given)) put(name, options[name]);
  }
  return given;
}

function parsedValue(
  verb: string,
  name: string,
  schema: ParameterSchema,
  words: string | readonly string[] | boolean,
): Json {
  if (typeof words === "boolean") return words;
  const { type, form } = schema;
  const types: readonly string[] = type === undefined ? [] : typeof type === "string" ? [type] : type;
  if (form === "scene") return typeof words === "string" ? words : (words[0] as string);
  if (typeof words !== "string") {
    return types.includes("object") ? objectOf(verb, name, words) : [...words];
  }
  if (types.includes("null") && words === "null") return null;
  if (types.includes("string")) return words;
  if (types.includes("integer") || types.includes("number")) {
    const number = Number(words);
    if (words.trim() !== "" && Number.isFinite(number)) return number;
    throw new Stop(exitCodes.usage, `Cannot run ${verb}: ${name} is a number, got ${JSON.stringify(words)}.`);
  }
  return jsonOrText(words);
}

/** `Health.hp=50`, or one word that is an object in JSON. */
function objectOf(verb: string, name: string, words: readonly string[]): Json {
  const [first = ""] = words;
  if (words.length === 1 && first.trimStart().startsWith("{")) {
    try {
      return JSON.parse(first) as Json;
    } catch (error) {
      throw new Stop(
        exitCodes.usage,
        `Cannot run ${verb}: ${name} is not JSON: ${(error as Error).message}.`,
      );
    }
  }
  const result = new Map<string, Json>();
  for (const word of words) {
    const at = word.indexOf("=");
    const steps = (at < 0 ? word : word.slice(0, at)).split(".");
    const [component = "", field] = steps;
    if (component === "" || steps.length > 2 || (at < 0 && field !== undefined)) {
      throw new Stop(
        exitCodes.usage,
        `Cannot run ${verb}: write ${name} as Component.field=value, got ${JSON.stringify(word)}. Values inside others are given as JSON.`,
      );
    }
    const value = at < 0 ? {} : jsonOrText(word.slice(at + 1));
    const former = result.get(component);
    // As entries, so that a name never means an inherited property.
    result.set(
      component,
      field === undefined ? value : Object.fromEntries([...Object.entries(former ?? {}), [field, value]]),
    );
  }
  return Object.fromEntries(result);
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
