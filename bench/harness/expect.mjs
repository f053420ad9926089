/** Checks of a case's own result. A subject that fails one is reported, never timed. */
export class WrongResult extends Error {
  name = "WrongResult";
}

/**
 * Thrown by a subject that cannot do a case at all, with the reason in a few words ("too slow"). Reported
 * in place of a number; not a failure, except for Espalier itself.
 */
export class Unable extends Error {
  name = "Unable";
}

export function expectEqual(actual, expected, what) {
  if (!Object.is(actual, expected)) {
    throw new WrongResult(`${what} is ${actual}, expected ${expected}`);
  }
}

export function expectTrue(condition, what) {
  if (!condition) throw new WrongResult(what);
}

/** Compares two lists of numbers, or two sets of them where `ordered` is false. */
export function expectSame(actual, expected, what, ordered = true) {
  const [a, b] = ordered ? [actual, expected] : [inOrder(actual), inOrder(expected)];
  expectEqual(a.length, b.length, `length of ${what}`);
  const at = b.findIndex((number, i) => number !== a[i]);
  if (at >= 0) expectEqual(a[at], b[at], `entry ${at} of ${what}`);
}

function inOrder(numbers) {
  return Array.from(numbers).sort((a, b) => a - b);
}

/** `actual` may differ from `expected` by `tolerance` of its size, or of 1 where it is smaller. */
export function expectNear(actual, expected, tolerance, what) {
  const difference = Math.abs(actual - expected);
  if (!(difference <= tolerance * Math.max(1, Math.abs(expected)))) {
    throw new WrongResult(`${what} is ${actual}, expected ${expected}`);
  }
}
