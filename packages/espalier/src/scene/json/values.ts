/**
 * Comparing, merging and telling apart JSON values. Nothing recurses: values come from files, and files may be
 * nested as deep as their author likes.
 */

import { same, setOwn } from "../../history/internal.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** Whether two values say the same. The order of keys does not matter; 0 and -0 differ. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  return same(a, b, Number.POSITIVE_INFINITY);
}

/** The one key of an object that replaces a value instead of being merged into it. */
const REPLACE = "$replace";

/**
 * `over` merged into `base`: objects key by key, everything else is replaced. `{ "$replace": value }` replaces an
 * object as a whole. Neither argument is changed; the result may share parts with both.
 */
export function mergeJson(base: Json | undefined, over: Json): Json {
  if (!isJsonObject(over)) return over;
  if (isReplacement(over)) return over[REPLACE];
  if (!isJsonObject(base)) return over;
  const result: { [key: string]: Json } = { ...base };
  const stack: [into: { [key: string]: Json }, over: JsonObject][] = [[result, over]];
  while (stack.length > 0) {
    const [into, from] = stack.pop() as [{ [key: string]: Json }, JsonObject];
    for (const key of Object.keys(from)) {
      const item = from[key];
      const there = Object.hasOwn(into, key) ? into[key] : undefined;
      if (isReplacement(item)) setOwn(into, key, item[REPLACE]);
      else if (isJsonObject(item) && isJsonObject(there)) {
        const merged = { ...there };
        setOwn(into, key, merged);
        stack.push([merged, item]);
      } else setOwn(into, key, item);
    }
  }
  return result;
}

/** What must be merged into `base` to get `value`; nothing when they are equal. */
export function diffJson(base: Json | undefined, value: Json): Json | undefined {
  if (!isJsonObject(value)) return equalJson(base, value) ? undefined : value;
  if (!isJsonObject(base) || isReplacement(value) || lacksKey(value, base)) {
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
      } else if (!isJsonObject(was) || isReplacement(is) || lacksKey(is, was)) {
        if (!equalJson(was, is)) setOwn(into, key, { [REPLACE]: is });
      } else {
        const inner = {};
        setOwn(into, key, inner);
        made.push([into, key, inner]);
        stack.push([inner, was, is]);
      }
    }
  }
  // Where nothing was put in, nothing differs. Inner ones were made later.
  for (const [into, key, inner] of made.reverse()) if (Object.keys(inner).length === 0) delete into[key];
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Whether it is `{ "$replace": … }`. */
export function isReplacement(value: Json): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, REPLACE) && Object.keys(value).length === 1;
}

/** Whether `base` has a key that `value` has not: merging can add keys and never takes one away. */
function lacksKey(value: JsonObject, base: JsonObject): boolean {
  return Object.keys(base).some((key) => !Object.hasOwn(value, key));
}
