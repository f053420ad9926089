/**
 * Text to JSON values, with comments and trailing commas accepted. Nothing recurses, here or in `JSON.parse`.
 */
import { setOwn } from "../../history/internal.ts";
import type { Json } from "./json.ts";
import { scanJson } from "./scan.ts";
import type { Fault } from "./tokens.ts";

export interface Parsed {
  readonly value: Json;
  readonly faults: readonly Fault[];
}

/**
 * @param thorough - Also find keys that stand twice in one object, of which `JSON.parse` takes the last in silence.
 */
export function parseJson(text: string, thorough = false): Parsed {
  if (!thorough) {
    try {
      return { value: JSON.parse(text) as Json, faults: [] };
    } catch {
      // Comments, trailing commas, or real faults: the scanner tells them apart.
    }
  }
  return parseSlowly(text);
}

function parseSlowly(text: string): Parsed {
  const repeated: Fault[] = [];
  // What is open, and the key in each of it that was met last.
  const open: object[] = [];
  const keys: string[] = [];
  let value: Json = null;
  const put = (item: Json) => {
    const into = open[open.length - 1];
    if (into === undefined) value = item;
    else if (Array.isArray(into)) into.push(item);
    else setOwn(into, keys[open.length - 1], item);
  };
  const faults = scanJson(text, {
    open: (isList) => {
      const made = isList ? [] : {};
      put(made);
      open.push(made);
    },
    close: () => open.pop(),
    key: (name, offset) => {
      keys[open.length - 1] = name;
      if (Object.hasOwn(open[open.length - 1], name)) {
        repeated.push({ offset, message: `The key "${name}" stands twice in the same object. Remove one.` });
      }
    },
    scalar: put,
  });
  return { value, faults: [...faults, ...repeated].sort((a, b) => a.offset - b.offset) };
}
