import type { SlotNumbers } from "../../inherit/internal.ts";

/**
 * Whether all numbers are finite as they will be stored, in 32 bits or in 64. Multiplying by 0 gives 0 for every finite number;
 * four sums at a time, because each waits for its last addition.
 */
export function areFinite(values: SlotNumbers, isSingle: boolean): boolean {
  return isSingle && values instanceof Float64Array ? areFloats(values) : areNumbers(values);
}

function areNumbers(values: SlotNumbers): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const end = values.length & -4;
  for (let k = 0; k < end; k += 4) {
    a += values[k] * 0;
    b += values[k + 1] * 0;
    c += values[k + 2] * 0;
    d += values[k + 3] * 0;
  }
  for (let k = end; k < values.length; k++) a += values[k] * 0;
  return a + b + c + d === 0;
}

/** Large doubles become infinities when they are rounded. */
function areFloats(values: Float64Array): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(Math.fround(values[k]))) return false;
  return true;
}
