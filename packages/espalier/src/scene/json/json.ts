import { describeValue, shortText } from "../../ecs/internal.ts";

/** What a scene file is made of once it is parsed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object as JSON has it. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** One step of a path into a JSON value: a key of an object or an index of an array. */
export type JsonStep = string | number;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `entities[3].components.Health`: a path as people write it. Long ones lose their middle. */
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
