/** Checks of a case's own result. A subject that fails one is reported, never timed. */
export class WrongResult extends Error {
  name = "WrongResult";
}

export function expectEqual(actual, expected, what) {
  if (!Object.is(actual, expected)) {
    throw new WrongResult(`${what} is ${actual}, expected ${expected}`);
  }
}

export function expectTrue(condition, what) {
  if (!condition) throw new WrongResult(what);
}
