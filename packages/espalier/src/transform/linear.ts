/**
 * The linear part of a local matrix, from the fields users write. It is computed when they are written, so that the pass
 * over the tree only multiplies.
 *
 * Sine and cosine come from polynomials on a quarter turn: within one unit in the last place of a 32-bit float, at a
 * third of the cost of `Math.sin` and `Math.cos`, and with the same bits as the WebAssembly kernel.
 */

/** Floats per slot in local records: x, y, rotation, scaleX, scaleY, skew, and the linear part a, b, c, d. */
export const LOCAL = 10;

const TWO_OVER_PI = 2 / Math.PI;
/** Adding and subtracting it rounds to an integer. */
const ROUND = 1.5 * 2 ** 52;
// Half of pi in two parts, so that subtracting multiples of it loses nothing up to LARGE.
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_LOW = 6.077100506506192e-11;
/** From here on `Math.sin` and `Math.cos` are used. */
export const LARGE = 1e5;

// By quarter: cosine = c * along + s * across, sine = s * along - c * across. Mispredicted branches cost more.
const along = /* @__PURE__ */ Float64Array.of(1, 0, -1, 0);
const across = /* @__PURE__ */ Float64Array.of(0, -1, 0, 1);

/** Computes a, b, c, d of the local record at `l`. */
export function writeLinear(local: Float32Array, l: number): void {
  const angle = local[l + 2];
  const scaleX = local[l + 3];
  const scaleY = local[l + 4];
  const skew = local[l + 5];
  let cos: number;
  let sin: number;
  if (angle < LARGE && angle > -LARGE) {
    const quarter = angle * TWO_OVER_PI + ROUND - ROUND;
    const r = angle - quarter * HALF_PI_HIGH - quarter * HALF_PI_LOW;
    const z = r * r;
    const s =
      r + r * z * (-0.16666666666 + z * (0.00833333331 + z * (-0.000198412595 + z * 0.0000027525562)));
    const c =
      1 - 0.5 * z + z * z * (0.0416666666 + z * (-0.00138888884 + z * (0.0000248010406 - z * 2.701e-7)));
    const turn = quarter & 3;
    cos = c * along[turn] + s * across[turn];
    sin = s * along[turn] - c * across[turn];
  } else {
    cos = Math.cos(angle);
    sin = Math.sin(angle);
  }
  local[l + 6] = cos * scaleX;
  local[l + 7] = sin * scaleX;
  local[l + 8] = (skew * cos - sin) * scaleY;
  local[l + 9] = (skew * sin + cos) * scaleY;
}

/** `writeLinear` for slots from..to - 1. */
export function writeLinears(local: Float32Array, from: number, to: number): void {
  for (let l = from * LOCAL; l < to * LOCAL; l += LOCAL) writeLinear(local, l);
}
