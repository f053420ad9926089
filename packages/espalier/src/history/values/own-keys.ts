/**
 * Objects whose keys come from outside: `toString` and `__proto__` are keys like any other.
 */

/** The value of an own key. */
export function ownOf<Value>(
  from: { readonly [key: string]: Value } | undefined,
  key: string,
): Value | undefined {
  return from !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
}

/** Assigning to `__proto__` would not make a property of that name. */
export function setOwn(into: object, key: string, value: unknown): void {
  if (key !== "__proto__") (into as { [key: string]: unknown })[key] = value;
  else Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
}
