/**
 * Copies of values in object fields. Nothing recurses, and parts shared inside a value stay shared.
 */
import { setOwn } from "../../history/internal.ts";

/** Plain objects, arrays, maps, sets, dates and buffers are copied; everything else, including class instances, is shared. */
export function copyValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copies = new Map<object, object>();
  const todo: object[] = [];
  const copyOf = (item: unknown): unknown => {
    if (typeof item !== "object" || item === null) return item;
    const known = copies.get(item);
    if (known !== undefined) return known;
    const made = emptyCopy(item);
    if (made === undefined) return item;
    copies.set(item, made);
    todo.push(item);
    return made;
  };
  const copy = copyOf(value);
  while (todo.length > 0) {
    const from = todo.pop() as object;
    const to = copies.get(from) as object;
    if (from instanceof Map)
      for (const [key, item] of from) (to as Map<unknown, unknown>).set(copyOf(key), copyOf(item));
    else if (from instanceof Set) for (const item of from) (to as Set<unknown>).add(copyOf(item));
    else if (Array.isArray(from))
      for (let k = 0; k < from.length; k++) (to as unknown[])[k] = copyOf(from[k]);
    else if (isPlain(from))
      for (const key of Reflect.ownKeys(from)) setOwn(to, key as string, copyOf(Reflect.get(from, key)));
  }
  return copy;
}

/** A copy that is still to be filled, or complete if there is nothing to fill in; `undefined` for shared values. */
function emptyCopy(item: object): object | undefined {
  if (Array.isArray(item)) return new Array(item.length);
  if (isPlain(item)) return Object.create(Object.getPrototypeOf(item));
  const prototype = Object.getPrototypeOf(item);
  if (prototype === Map.prototype) return new Map();
  if (prototype === Set.prototype) return new Set();
  if (prototype === Date.prototype) return new Date(item as Date);
  if (prototype === ArrayBuffer.prototype) return (item as ArrayBuffer).slice(0);
  if (ArrayBuffer.isView(item) && !(item instanceof DataView)) return (item as Uint8Array).slice();
  return undefined;
}

function isPlain(item: object): boolean {
  const prototype = Object.getPrototypeOf(item);
  return prototype === null || prototype === Object.prototype;
}
