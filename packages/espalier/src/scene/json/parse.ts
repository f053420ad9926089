/**
 * Text to JSON values, with comments and trailing commas accepted. Nothing recurses, here or in `JSON.parse`.
 */
import { describeValue } from "../../ecs/index.ts";
import { setOwn } from "../../history/internal.ts";
import type { Json } from "./json.ts";
import { deepest, scanJson } from "./scan.ts";
import type { Fault } from "./tokens.ts";

export interface Parsed {
  readonly value: Json;
  readonly faults: readonly Fault[];
}

/**
 * @param thorough - Also find duplicate keys in an object, of which `JSON.parse` silently takes the last.
 */
export function parseJson(text: string, thorough = false): Parsed {
  if (!thorough && !isTooDeep(text)) {
    try {
      return { value: JSON.parse(text) as Json, faults: [] };
    } catch {
      // Comments, trailing commas, or real errors: the scanner distinguishes them.
    }
  }
  return parseSlowly(text);
}

/** Whether `JSON.parse` would use up all memory: it keeps every level of a text of nothing but brackets before it refuses it. */
function isTooDeep(text: string): boolean {
  if (text.length <= deepest) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > deepest) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth--;
    } else if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) {
        if (text.charCodeAt(at) === BACKSLASH) at++;
      }
    }
  }
  return false;
}

const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function parseSlowly(text: string): Parsed {
  const repeated: Fault[] = [];
  // The open containers, and the last key in each. A list is created with its first item: one that grows from empty takes
  // five times as much memory, and all lists of a deep text are open at once.
  const open: (object | undefined)[] = [];
  const keys: string[] = [];
  let value: Json = null;
  const put = (item: Json) => {
    const last = open.length - 1;
    const into = open[last];
    if (last < 0) value = item;
    else if (into === undefined) open[last] = [item];
    else if (Array.isArray(into)) into.push(item);
    else setOwn(into, keys[last], item);
  };
  const faults = scanJson(text, {
    open: (isList) => open.push(isList ? undefined : {}),
    close: () => put((open.pop() ?? []) as Json),
    key: (name, offset) => {
      keys[open.length - 1] = name;
      if (Object.hasOwn(open[open.length - 1] as object, name)) {
        repeated.push({
          offset,
          message: `The key ${describeValue(name)} appears twice in the same object. Remove one.`,
        });
      }
    },
    scalar: put,
  });
  return { value, faults: [...faults, ...repeated].sort((a, b) => a.offset - b.offset) };
}
