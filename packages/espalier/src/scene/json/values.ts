/**
 * Comparing, merging and classifying JSON values. Nothing recurses: values come from files, and files may be
 * nested as deep as their author likes.
 */

import { deepEqual, setOwn } from "../../history/internal.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** Whether two values are equal. The order of keys does not matter; 0 and -0 differ. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  return deepEqual(a, b, Number.POSITIVE_INFINITY);
}

/** The one key of an object that replaces a value instead of being merged into it. */
const REPLACE = "$replace";

/**
 * `over` merged into `base`: objects key by key, everything else is replaced. `{ "$replace": value }` stands for the value itself,
 * which replaces an object as a whole. Merging into nothing is merging into an empty object. Neither argument is changed; the result
 * may share parts with both.
 */
export function mergeJson(base: Json | undefined, over: Json): Json {
  if (!isJsonObject(over)) return over;
  if (isReplacement(over)) return over[REPLACE];
  const result = copyOf(base);
  const stack: [into: { [key: string]: Json }, over: JsonObject][] = [[result, over]];
  while (stack.length > 0) {
    const [into, from] = stack.pop() as [{ [key: string]: Json }, JsonObject];
    for (const key of Object.keys(from)) {
      const item = from[key];
      if (isReplacement(item)) setOwn(into, key, item[REPLACE]);
      else if (isJsonObject(item)) {
        const merged = copyOf(Object.hasOwn(into, key) ? into[key] : undefined);
        setOwn(into, key, merged);
        stack.push([merged, item]);
      } else setOwn(into, key, item);
    }
  }
  return result;
}

/** A copy of an object, to merge into; an empty one of anything else. */
function copyOf(base: Json | undefined): { [key: string]: Json } {
  return isJsonObject(base) ? { ...base } : {};
}

/** What must be merged into `undefined` to get `value`: the value itself, unless part of it would be taken for a replacement. */
export function asMerged(value: Json): Json {
  const stack: Json[] = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isJsonObject(next)) continue;
    if (isReplacement(next)) return { [REPLACE]: value };
    for (const key of Object.keys(next)) stack.push(next[key]);
  }
  return value;
}

/** What must be merged into `base` to get `value`; `undefined` when they are equal. */
export function diffJson(base: Json | undefined, value: Json): Json | undefined {
  if (!isJsonObject(value)) return equalJson(base, value) ? undefined : value;
  if (!isJsonObject(base) || mustReplace(base, value)) {
    return equalJson(base, value) ? undefined : { [REPLACE]: value };
  }
  const result: { [key: string]: Json } = {};
  const stack: [into: { [key: string]: Json }, base: JsonObject, value: JsonObject][] = [
    [result, base, value],
  ];
  const made: [into: { [key: string]: Json }, key: string, inner: object][] = [];
  while (stack.length > 0) {
    const [into, from, to] = stack.pop() as [{ [key: string]: Json }, JsonObject, JsonObject];
    for (const key of Object.keys(to)) {
      const was = Object.hasOwn(from, key) ? from[key] : undefined;
      const is = to[key];
      if (!isJsonObject(is)) {
        if (!equalJson(was, is)) setOwn(into, key, is);
      } else if (!isJsonObject(was) || mustReplace(was, is)) {
        if (!equalJson(was, is)) setOwn(into, key, { [REPLACE]: is });
      } else {
        const inner = {};
        setOwn(into, key, inner);
        made.push([into, key, inner]);
        stack.push([inner, was, is]);
      }
    }
  }
  // Objects that stayed empty have no differences. Inner ones were created later.
  for (const [into, key, inner] of made.reverse()) if (Object.keys(inner).length === 0) delete into[key];
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Whether it is `{ "$replace": … }`. */
export function isReplacement(value: Json): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, REPLACE) && Object.keys(value).length === 1;
}

/**
 * Whether merging cannot turn `base` into `value`: merging can add keys but not remove one, and the difference could be taken for a
 * replacement.
 */
function mustReplace(base: JsonObject, value: JsonObject): boolean {
  return Object.hasOwn(value, REPLACE) || Object.keys(base).some((key) => !Object.hasOwn(value, key));
}
