/**
 * Values of components as JSON: what has no form there is left out or named, and nothing nests without end.
 */
import type { Json } from "../../scene/index.ts";

/** How deep objects inside of values are followed, and how many parts of a value are given. */
const deepest = 16;
const most = 10_000;

/** A value as JSON. Numbers that JSON lacks become texts, and what is too deep or too long ends in "…". */
export function plainJson(value: unknown): Json {
  let left = most;
  const convert = (part: unknown, depth: number): Json => {
    if (left-- <= 0 || depth > deepest) return "…";
    if (part === null || typeof part === "boolean" || typeof part === "string") return part;
    if (typeof part === "number") return Number.isFinite(part) ? part : String(part);
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "object") return null;
    if (ArrayBuffer.isView(part) || Array.isArray(part) || part instanceof Set)
      return Array.from(part as unknown as Iterable<unknown>, (each) => convert(each, depth + 1));
    const entries = part instanceof Map ? [...part] : Object.entries(part);
    const kept = entries.filter(([, each]) => typeof each !== "function" && each !== undefined);
    return Object.fromEntries(kept.map(([key, each]) => [String(key), convert(each, depth + 1)]));
  };
  return convert(value, 0);
}
