/**
 * Whether two values are equal as data.
 */

const MOST_STEPS = 1_000_000;

/**
 * Structural equality: values that snapshots and patches can hold are compared by content, everything else by identity.
 *
 * @param mostSteps - A limit for values that contain themselves, which cannot be written either.
 */
export function deepEqual(a: unknown, b: unknown, mostSteps = MOST_STEPS): boolean {
  // Pairs still to compare; a list instead of recursion, so that depth does not matter.
  const pairs: unknown[] = [a, b];
  for (let steps = 0; pairs.length > 0; steps++) {
    const right = pairs.pop();
    const left = pairs.pop();
    if (Object.is(left, right)) continue;
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
      return false;
    if (steps > mostSteps || Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
    if (!parts(left, right, pairs)) return false;
  }
  return true;
}

/** Pushes the pairs that must be equal; returns `false` when the two differ already. */
function parts(left: object, right: object, pairs: unknown[]): boolean {
  if (left instanceof Date) return Object.is(left.getTime(), (right as Date).getTime());
  if (left instanceof Set) return listed([...left], [...(right as Set<unknown>)], pairs);
  if (left instanceof Map)
    return listed([...left].flat(1), [...(right as Map<unknown, unknown>)].flat(1), pairs);
  if (left instanceof ArrayBuffer) {
    return listed(new Uint8Array(left), new Uint8Array(right as ArrayBuffer), pairs);
  }
  if (Array.isArray(left) || (ArrayBuffer.isView(left) && "length" in left)) {
    return listed(left as ArrayLike<unknown>, right as ArrayLike<unknown>, pairs);
  }
  const prototype = Object.getPrototypeOf(left) as object | null;
  if (prototype !== Object.prototype && prototype !== null) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key)) return false;
    pairs.push((left as { [key: string]: unknown })[key], (right as { [key: string]: unknown })[key]);
  }
  return true;
}

function listed(left: ArrayLike<unknown>, right: ArrayLike<unknown>, pairs: unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let k = 0; k < left.length; k++) pairs.push(left[k], right[k]);
  return true;
}
