import { describeValue, shortText } from "../../ecs/internal.ts";

/** A parsed JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** One step of a path into a JSON value: a key of an object or an index of an array. */
export type JsonStep = string | number;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `entities[3].components.Health`: a path as text. Long ones are shortened in the middle. */
export function formatPath(path: readonly JsonStep[]): string {
  const longest = 24;
  if (path.length > longest) {
    const half = longest / 2;
    return `${formatPath(path.slice(0, half))}…${formatPath(path.slice(-half))}`;
  }
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) text += `${text === "" ? "" : "."}${shortText(step)}`;
    else text += `[${describeValue(step)}]`;
  }
  return text;
}
