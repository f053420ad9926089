/**
 * The linear part a, b, c, d of a local matrix in the plane, derived from the fields. It is computed once for all that was
 * written since the last pass, before the next one, so that the pass over the tree only multiplies.
 *
 * Sine and cosine come from polynomials on a quarter turn: within one unit in the last place of a 32-bit float, at a
 * third of the cost of `Math.sin` and `Math.cos`, and with the same bits as the WebAssembly kernel.
 */
import { type KernelExports, SHORT_RUN, type SlotNumbers } from "../../inherit/internal.ts";
import type { DerivedNumbers } from "./geometry.ts";

/** Numbers per slot in local records: x, y, rotation, scaleX, scaleY, skew, and the linear part a, b, c, d. */
export const LOCAL_WIDTH = 10;

/** From here on `Math.sin` and `Math.cos` are used. */
const LARGE = 1e5;

// By quarter: cosine = c * along + s * across, sine = s * along - c * across. Cheaper than mispredicted branches.
const along = /* @__PURE__ */ Float64Array.of(1, 0, -1, 0);
const across = /* @__PURE__ */ Float64Array.of(0, -1, 0, 1);

/** The linear parts of 32-bit records: the plain twin of the WebAssembly kernel. */
export const localMatrix: DerivedNumbers = {
  from: 2,
  compute: computeMatrix,
  computeRange(local, from, to, exports: KernelExports | undefined) {
    if (exports === undefined || to - from < SHORT_RUN) {
      for (let l = from * 10; l < to * 10; l += 10) computeMatrix(local, l);
    } else if (exports.composeAll(local.byteOffset, from, to) !== 0) {
      // Some angles are too large for the kernel.
      for (let l = from * 10; l < to * 10; l += 10) {
        if (Math.abs(local[l + 2]) >= LARGE) computeExact(local, l);
      }
    }
  },
};

/** The linear parts of 64-bit records. */
export const exactLocalMatrix: DerivedNumbers = {
  from: 2,
  compute: computeExact,
  computeRange(local, from, to) {
    for (let slot = from; slot < to; slot++) computeExact(local, slot * LOCAL_WIDTH);
  },
};

function computeMatrix(local: SlotNumbers, l: number): void {
  const angle = local[l + 2];
  if (!(Math.abs(angle) < LARGE)) {
    computeExact(local, l);
    return;
  }
  // Adding and subtracting 1.5 * 2 ** 52 rounds to an integer.
  const quarter = angle * 0.6366197723675814 + 6755399441055744 - 6755399441055744;
  // Half of pi in two parts, so that subtracting multiples of it loses nothing up to LARGE.
  const r = angle - quarter * 1.5707963267341256 - quarter * 6.077100506506192e-11;
  const z = r * r;
  const zz = z * z;
  // Polynomials of smallest error on an eighth of a turn to either side: below 2^-34 of the result.
  const s =
    r +
    r *
      z *
      (-0.16666666641626524 +
        z * 0.008333329385889463 +
        zz * (-0.00019839334836096632 + z * 0.0000027183114939898219));
  const c =
    1 +
    z * -0.499999997251031 +
    zz * (0.04166662332373906 + z * -0.001388676377460993 + zz * 0.000024390448796277409);
  const turn = quarter & 3;
  const cos = c * along[turn] + s * across[turn];
  const sin = s * along[turn] - c * across[turn];
  const scaleX = local[l + 3];
  const scaleY = local[l + 4];
  const skew = local[l + 5];
  local[l + 6] = cos * scaleX;
  local[l + 7] = sin * scaleX;
  local[l + 8] = (skew * cos - sin) * scaleY;
  local[l + 9] = (skew * sin + cos) * scaleY;
}

function computeExact(local: SlotNumbers, l: number): void {
  const cos = Math.cos(local[l + 2]);
  const sin = Math.sin(local[l + 2]);
  const scaleX = local[l + 3];
  const scaleY = local[l + 4];
  const skew = local[l + 5];
  local[l + 6] = cos * scaleX;
  local[l + 7] = sin * scaleX;
  local[l + 8] = (skew * cos - sin) * scaleY;
  local[l + 9] = (skew * sin + cos) * scaleY;
}
