/**
 * Whether two scene files say the same. Written by itself, so that a fault in the comparison of the exporter shows: equal values, keys
 * and order; numbers to six digits, because fields hold 32 bits.
 */
export function sameScene(a, b) {
  const stack = [[a, b]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [x, y] = pair;
    if (Object.is(x, y)) continue;
    if (typeof x === "number" && typeof y === "number") {
      if (Math.abs(x - y) > 1e-6 * Math.max(Math.abs(x), Math.abs(y))) return false;
      continue;
    }
    if (typeof x !== "object" || typeof y !== "object" || x === null || y === null) return false;
    if (Array.isArray(x) !== Array.isArray(y)) return false;
    const keys = Object.keys(x);
    if (keys.length !== Object.keys(y).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(y, key)) return false;
      stack.push([x[key], y[key]]);
    }
  }
  return true;
}
