/**
 * Values of components as JSON: values without a JSON form are left out or named, and nesting is limited.
 */
import type { Json } from "../../scene/index.ts";

/** How deeply objects inside values are followed, and how many parts of a value are returned. */
const deepest = 16;
const most = 10_000;

/** A value as JSON. Numbers that JSON lacks become strings, and values that are too deep or too long end in "…". */
export function plainJson(value: unknown): Json {
  let left = most;
  const convert = (part: unknown, depth: number): Json => {
    if (left-- <= 0 || depth > deepest) return "…";
    if (part === null || typeof part === "boolean" || typeof part === "string") return part;
    if (typeof part === "number") return Number.isFinite(part) ? part : String(part);
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "object") return null;
    if (Array.isArray(part) || part instanceof Set || isTypedArray(part)) {
      const list: Json[] = [];
      for (const each of part) {
        list.push(convert(each, depth + 1));
        if (left < 0) break;
      }
      return list;
    }
    const pairs: [string, Json][] = [];
    for (const [key, each] of part instanceof Map ? part : Object.entries(part)) {
      if (typeof each === "function" || each === undefined) continue;
      pairs.push([String(key), convert(each, depth + 1)]);
      if (left < 0) break;
    }
    return Object.fromEntries(pairs);
  };
  return convert(value, 0);
}

function isTypedArray(value: object): value is Iterable<unknown> & object {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}
