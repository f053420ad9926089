/**
 * Objects whose keys come from outside: `toString` and `__proto__` are keys like any other.
 */

/** The value of a key of its own. */
export function ownOf<Value>(
  from: { readonly [key: string]: Value } | undefined,
  key: string,
): Value | undefined {
  return from !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
}
