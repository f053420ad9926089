/**
 * Text to JSON values, with comments and trailing commas accepted. Nothing recurses, here or in `JSON.parse`.
 */
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

type Container = { [key: string]: Json } | Json[];

function parseSlowly(text: string): Parsed {
  const repeated: Fault[] = [];
  const open: Container[] = [];
  const keys: string[] = [];
  let value: Json = null;
  const put = (item: Json) => {
    const into = open[open.length - 1];
    if (into === undefined) value = item;
    else if (Array.isArray(into)) into.push(item);
    else setOwn(into, keys[keys.length - 1] as string, item);
  };
  const close = () => {
    if (!Array.isArray(open.pop())) keys.pop();
  };
  const faults = scanJson(text, {
    objectStart: () => {
      const made: { [key: string]: Json } = {};
      put(made);
      open.push(made);
      keys.push("");
    },
    objectEnd: close,
    arrayStart: () => {
      const made: Json[] = [];
      put(made);
      open.push(made);
    },
    arrayEnd: close,
    key: (name, offset) => {
      keys[keys.length - 1] = name;
      if (Object.hasOwn(open[open.length - 1] as object, name)) {
        repeated.push({ offset, message: `The key "${name}" stands twice in the same object. Remove one.` });
      }
    },
    scalar: put,
  });
  return { value, faults: [...faults, ...repeated].sort((a, b) => a.offset - b.offset) };
}

/** The value of a key of its own: `toString` of an object from a file is nothing, unless the file says so. */
export function ownOf<Value>(
  from: { readonly [key: string]: Value } | undefined,
  key: string,
): Value | undefined {
  return from !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
}

/** Like `JSON.parse`: a key named `__proto__` is a key like any other. */
export function setOwn(into: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key !== "__proto__") into[key] = value;
  else Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}
