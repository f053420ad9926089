/**
 * Whether two values are equal as data.
 */

const MOST_STEPS = 3_000_000;

/** Equal in structure: what snapshots and patches can carry compares by contents, everything else by identity. */
export function same(a: unknown, b: unknown): boolean {
  // Pairs still to compare; a list instead of calls, so that depth does not matter.
  const pairs: unknown[] = [a, b];
  for (let steps = 0; pairs.length > 0; steps++) {
    const right = pairs.pop();
    const left = pairs.pop();
    if (Object.is(left, right)) continue;
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
      return false;
    // Values that contain themselves never end; they cannot be written either.
    if (steps > MOST_STEPS || Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
    const own = partsOf(left);
    const others = partsOf(right);
    if (own === undefined || own.length !== others?.length) return false;
    for (let k = 0; k < own.length; k++) pairs.push(own[k], others[k]);
  }
  return true;
}

/** What makes a value what it is, in order; nothing when that cannot be told. */
function partsOf(value: object): ArrayLike<unknown> | undefined {
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value))
    return value as ArrayLike<unknown>;
  if (value instanceof Date) return [value.getTime()];
  if (value instanceof Set || value instanceof Map) return [...value];
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  return Object.keys(value)
    .sort()
    .flatMap((key) => [key, (value as { [key: string]: unknown })[key]]);
}
