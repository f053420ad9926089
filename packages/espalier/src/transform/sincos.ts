/**
 * Sine and cosine together, to the precision of a 32-bit float, at about a third of the cost of the two calls.
 * Polynomials on a quarter turn; large angles go to `Math.sin` and `Math.cos`.
 */
const TWO_OVER_PI = 2 / Math.PI;
// pi / 2 in two parts, so that subtracting multiples of it loses nothing up to LARGE.
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_LOW = 6.077100506506192e-11;
const LARGE = 1e5;

/** Writes cos and sin of `angle` to `out[at]` and `out[at + 1]`. */
export function writeCosSin(angle: number, out: Float32Array, at: number): void {
  if (angle === 0) {
    out[at] = 1;
    out[at + 1] = 0;
    return;
  }
  if (!(angle < LARGE && angle > -LARGE)) {
    out[at] = Math.cos(angle);
    out[at + 1] = Math.sin(angle);
    return;
  }
  const quarter = Math.round(angle * TWO_OVER_PI);
  const r = angle - quarter * HALF_PI_HIGH - quarter * HALF_PI_LOW;
  const z = r * r;
  const sin =
    r + r * z * (-0.16666666666 + z * (0.00833333331 + z * (-0.000198412595 + z * 0.0000027525562)));
  const cos =
    1 - 0.5 * z + z * z * (0.0416666666 + z * (-0.00138888884 + z * (0.0000248010406 - z * 2.701e-7)));
  const turn = quarter & 3;
  if (turn === 0) {
    out[at] = cos;
    out[at + 1] = sin;
  } else if (turn === 1) {
    out[at] = -sin;
    out[at + 1] = cos;
  } else if (turn === 2) {
    out[at] = -cos;
    out[at + 1] = -sin;
  } else {
    out[at] = sin;
    out[at + 1] = -cos;
  }
}
