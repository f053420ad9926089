/**
 * The linear part a, b, c, d of a local matrix in the plane, derived from the fields. It is computed once for all that was
 * written since the last pass, before the next one, so that the pass over the tree only multiplies.
 *
 * Sine and cosine come from polynomials on a quarter turn: within one unit in the last place of a 32-bit float, at a
 * third of the cost of `Math.sin` and `Math.cos`, and with the same bits as the WebAssembly kernel.
 */
import { SHORT_RUN, type SlotNumbers } from "../../inherit/internal.ts";
import type { DerivedNumbers } from "./geometry.ts";

/** Numbers per slot in local records: x, y, rotation, scaleX, scaleY, skew, and the linear part a, b, c, d. */
export const LOCAL_WIDTH = 10;

/** From here on `Math.sin` and `Math.cos` are used. */
const LARGE = 1e5;

// By quarter: cosine = c * along + s * across, sine = s * along - c * across. Cheaper than mispredicted branches.
const along = /* @__PURE__ */ Float64Array.of(1, 0, -1, 0);
const across = /* @__PURE__ */ Float64Array.of(0, -1, 0, 1);

/**
 * How linear parts are derived: the plain twin of the WebAssembly kernel.
 * @param isExact Whether `Math.sin` and `Math.cos` are used for all angles: the polynomials are for 32 bits.
 */
export function createLocalMatrix(isExact: boolean): DerivedNumbers {
  const limit = isExact ? 0 : LARGE;
  return {
    from: 2,
    compute: (local, l) => computeMatrix(local, l, limit),
    computeRange(local, from, to, exports) {
      const isPlain = exports === undefined || to - from < SHORT_RUN;
      const hasLarge = isPlain || exports.composeAll(local.byteOffset, from, to) !== 0;
      if (!hasLarge) return;
      for (let l = from * 10; l < to * 10; l += 10) {
        // Some angles are too large for the kernel.
        if (isPlain || Math.abs(local[l + 2]) >= LARGE) computeMatrix(local, l, limit);
      }
    },
  };
}

function computeMatrix(local: SlotNumbers, l: number, limit: number): void {
  const angle = local[l + 2];
  let cos: number;
  let sin: number;
  if (Math.abs(angle) < limit) {
    // Adding and subtracting 1.5 * 2 ** 52 rounds to an integer.
    const quarter = angle * 0.6366197723675814 + 6755399441055744 - 6755399441055744;
    // Half of pi in two parts, so that subtracting multiples of it loses nothing up to LARGE.
    const r = angle - quarter * 1.5707963267341256 - quarter * 6.077100506506192e-11;
    const z = r * r;
    const zz = z * z;
    // Polynomials of smallest error on an eighth of a turn to either side: below 2^-34 of the result.
    const sineLow = -0.16666666641626524 + z * 0.008333329385889463;
    const sineHigh = -0.00019839334836096632 + z * 0.0000027183114939898219;
    const s = r + r * z * (sineLow + zz * sineHigh);
    const cosineHigh = 0.04166662332373906 + z * -0.001388676377460993 + zz * 0.000024390448796277409;
    const c = 1 + z * -0.499999997251031 + zz * cosineHigh;
    const turn = quarter & 3;
    cos = c * along[turn] + s * across[turn];
    sin = s * along[turn] - c * across[turn];
  } else {
    cos = Math.cos(angle);
    sin = Math.sin(angle);
  }
  const scaleX = local[l + 3];
  const scaleY = local[l + 4];
  const skew = local[l + 5];
  local[l + 6] = cos * scaleX;
  local[l + 7] = sin * scaleX;
  local[l + 8] = (skew * cos - sin) * scaleY;
  local[l + 9] = (skew * sin + cos) * scaleY;
}
