/**
 * The linear part a, b, c, d of a local matrix in the plane, derived from the fields. It is computed once for all that was
 * written since the last pass, before the next one, so that the pass over the tree only multiplies.
 *
 * Sine and cosine come from polynomials on a quarter turn: within one unit in the last place of a 32-bit float, at a
 * third of the cost of `Math.sin` and `Math.cos`, and with the same bits as the WebAssembly kernel.
 */

import type { SlotNumbers } from "../../inherit/internal.ts";

/** Numbers per slot in local records: x, y, rotation, scaleX, scaleY, skew, and the linear part a, b, c, d. */
export const LOCAL_WIDTH = 10;

/** From here on `Math.sin` and `Math.cos` are used. */
export const LARGE = 1e5;

export interface LocalMatrix {
  /** Computes a, b, c, d of the local record at `l`. */
  compose(l: number): void;
  /** The same for slots from..to - 1. */
  composeAll(from: number, to: number): void;
  /** The same for those of the slots that are marked as `TURNED`. */
  composeMarked(slots: Int32Array, count: number, marked: Uint8Array): void;
  /** Writes rows of `width` fields to the records of slots, and computes what follows from them. */
  writeRows(slots: Int32Array, rows: SlotNumbers, width: number): void;
}

/**
 * Makes the functions for these records: the plain twin of the WebAssembly kernel.
 * @param isExact Whether `Math.sin` and `Math.cos` are used for all angles: the polynomials are for 32 bits.
 */
export function createLocalMatrix(records: SlotNumbers, isExact: boolean): LocalMatrix {
  const local = records;
  const twoOverPi = 2 / Math.PI;
  // Adding and subtracting it rounds to an integer.
  const round = 1.5 * 2 ** 52;
  // Half of pi in two parts, so that subtracting multiples of it loses nothing up to LARGE.
  const halfPiHigh = 1.5707963267341256;
  const halfPiLow = 6.077100506506192e-11;
  // Polynomials of smallest error on an eighth of a turn to either side: below 2^-34 of the result.
  const S1 = -0.16666666641626524;
  const S2 = 0.008333329385889463;
  const S3 = -0.00019839334836096632;
  const S4 = 0.0000027183114939898219;
  const C1 = -0.499999997251031;
  const C2 = 0.04166662332373906;
  const C3 = -0.001388676377460993;
  const C4 = 0.000024390448796277409;
  // By quarter: cosine = c * along + s * across, sine = s * along - c * across. Cheaper than mispredicted branches.
  const along = Float64Array.of(1, 0, -1, 0);
  const across = Float64Array.of(0, -1, 0, 1);

  const largest = isExact ? -1 : 1e5;

  function write(l: number, angle: number, scaleX: number, scaleY: number, skew: number): void {
    const quarter = angle * twoOverPi + round - round;
    const r = angle - quarter * halfPiHigh - quarter * halfPiLow;
    const z = r * r;
    const zz = z * z;
    const s = r + r * z * (S1 + z * S2 + zz * (S3 + z * S4));
    const c = 1 + z * C1 + zz * (C2 + z * C3 + zz * C4);
    const turn = quarter & 3;
    const cos = c * along[turn] + s * across[turn];
    const sin = s * along[turn] - c * across[turn];
    local[l + 6] = cos * scaleX;
    local[l + 7] = sin * scaleX;
    local[l + 8] = (skew * cos - sin) * scaleY;
    local[l + 9] = (skew * sin + cos) * scaleY;
    if (angle >= largest || angle <= -largest) writeExact(l, angle, scaleX, scaleY, skew);
  }

  function writeExact(l: number, angle: number, scaleX: number, scaleY: number, skew: number): void {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    local[l + 6] = cos * scaleX;
    local[l + 7] = sin * scaleX;
    local[l + 8] = (skew * cos - sin) * scaleY;
    local[l + 9] = (skew * sin + cos) * scaleY;
  }

  function compose(l: number): void {
    write(l, local[l + 2], local[l + 3], local[l + 4], local[l + 5]);
  }

  return {
    compose,
    composeAll(from, to) {
      for (let l = from * 10; l < to * 10; l += 10) compose(l);
    },
    composeMarked(slots, count, marked) {
      for (let k = 0; k < count; k++) if (marked[slots[k]] & 4) compose(slots[k] * 10);
    },
    writeRows(slots, rows, width) {
      for (let k = 0, at = 0; k < slots.length; k++, at += width) {
        const l = slots[k] * 10;
        local[l] = rows[at];
        local[l + 1] = rows[at + 1];
        if (width === 2) continue;
        // Values are passed on: reading back what has just been written would wait for the store.
        const rotation = rows[at + 2];
        const scaleX = width === 3 ? local[l + 3] : rows[at + 3];
        const scaleY = width === 3 ? local[l + 4] : rows[at + 4];
        const skew = width === 6 ? rows[at + 5] : local[l + 5];
        local[l + 2] = rotation;
        local[l + 3] = scaleX;
        local[l + 4] = scaleY;
        local[l + 5] = skew;
        write(l, rotation, scaleX, scaleY, skew);
      }
    },
  };
}
