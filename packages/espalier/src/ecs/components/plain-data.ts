/**
 * Objects of fields whose component is shared: plain data is held as a read-only copy, so that no entity can change what others
 * read, and is equal to other data by its contents.
 */

/** The contents as text, of every copy that was made here. */
const texts = /* @__PURE__ */ new WeakMap<object, string>();

/**
 * What the column holds: a frozen copy of plain data (objects, arrays, strings, numbers, booleans, null and undefined; no object
 * twice, which could make the text endless). Anything else is held as it is and is equal to nothing but itself. Never throws.
 */
export function heldData(value: unknown): unknown {
  if (typeof value !== "object" || value === null || texts.has(value)) return value;
  try {
    return copyOf(value) ?? value;
  } catch {
    // What cannot be read to its end is not plain data: a proxy that throws, or more text than a string can hold.
    return value;
  }
}

/** A key for maps, equal for equal data. */
export function dataKey(held: unknown): unknown {
  if (typeof held === "object" && held !== null) return texts.get(held) ?? held;
  // Not what an object has for its text.
  return typeof held === "string" ? `"${held}` : valueKey(held);
}

/** A key for maps of a value that is not an object. `-0` is not `0`. */
export function valueKey(held: unknown): unknown {
  return Object.is(held, -0) ? negativeZero : held;
}

const negativeZero = /* @__PURE__ */ Symbol("-0");

/** Whether two values are equal as data, whether or not they are copies. */
export function isSameData(a: unknown, b: unknown): boolean {
  return Object.is(dataKey(heldData(a)), dataKey(heldData(b)));
}

type Item = { [key: string | number]: unknown };

/** A frozen copy with its text noted; nothing for what is not plain data. Not recursive: data may be deep. */
function copyOf(value: object): object | undefined {
  const root = emptyLike(value);
  if (root === undefined) return undefined;
  const parts: string[] = [];
  const seen = new Set<object>([value]);
  const copies: Item[] = [];
  /** What is still to be written, last one first: text, or an object to copy. */
  const stack: (string | { readonly from: Item; readonly to: Item })[] = [{ from: value as Item, to: root }];
  while (stack.length > 0) {
    const next = stack.pop() as (typeof stack)[number];
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const { from, to } = next;
    copies.push(to);
    const isArray = Array.isArray(from);
    parts.push(isArray ? "[" : "{");
    const inside: typeof stack = [];
    for (const key of Object.keys(from)) {
      const item = from[key];
      if (!isArray) inside.push(JSON.stringify(key), ":");
      if (typeof item === "object" && item !== null) {
        const copy = seen.has(item) ? undefined : emptyLike(item);
        if (copy === undefined) return undefined;
        seen.add(item);
        put(to, key, copy);
        inside.push({ from: item as Item, to: copy });
      } else {
        const text = textOf(item);
        if (text === undefined) return undefined;
        put(to, key, item);
        inside.push(text);
      }
      inside.push(",");
    }
    stack.push(isArray ? "]" : "}");
    // What is pushed last comes first.
    for (let k = inside.length - 1; k >= 0; k--) stack.push(inside[k] as (typeof stack)[number]);
  }
  for (const copy of copies) Object.freeze(copy);
  texts.set(root, parts.join(""));
  return root;
}

/** An empty array or object of the same kind; nothing for what is neither, or has more to it than its values. */
function emptyLike(value: object): Item | undefined {
  const prototype = Object.getPrototypeOf(value);
  const isArray = Array.isArray(value);
  if (isArray ? prototype !== Array.prototype : prototype !== Object.prototype && prototype !== null) {
    return undefined;
  }
  // An array with holes or with names of its own, symbols, getters: not what files could carry.
  const keys = Reflect.ownKeys(value);
  // The indices come first, then the length.
  if (isArray && (keys.length !== value.length + 1 || keys[value.length] !== "length")) return undefined;
  for (const key of keys) {
    if (isArray && key === "length") continue;
    const { enumerable, get } = Object.getOwnPropertyDescriptor(value, key) as PropertyDescriptor;
    if (typeof key === "symbol" || enumerable !== true || get !== undefined) return undefined;
  }
  return (isArray ? [] : Object.create(prototype)) as Item;
}

/** Other text for any other value; nothing for functions, symbols and big integers. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return JSON.stringify(value);
  if (Object.is(value, -0)) return "-0";
  const isPlain =
    typeof value === "number" || typeof value === "boolean" || value === null || value === undefined;
  return isPlain ? String(value) : undefined;
}

/** A key such as `__proto__` must not become the prototype. */
function put(to: Item, key: string, value: unknown): void {
  Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true });
}
