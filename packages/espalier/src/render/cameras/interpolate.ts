/**
 * Interpolates between two world matrices. Rotation and scale are interpolated separately, along the shorter arc; mixing the
 * numbers of two rotations would shrink what is drawn.
 */
import { type Affine2D, decompose2D } from "../../transform/index.ts";

/**
 * The matrix at `t` between `from` and `to`, written into `out`. `from` holds a, b, c, d, x, y from index `at` on. If only one
 * of the two is
 * mirrored, they cannot be interpolated: then the result is `to` with the interpolated position.
 */
export function interpolate2D(
  from: Float32Array,
  at: number,
  to: Affine2D,
  t: number,
  out: Affine2D,
): Affine2D {
  const [a, b, c, d, x, y] = [from[at], from[at + 1], from[at + 2], from[at + 3], from[at + 4], from[at + 5]];
  const isTurned = a !== to.a || b !== to.b || c !== to.c || d !== to.d;
  const isMirrored = a * d - b * c < 0 !== to.a * to.d - to.b * to.c < 0;
  const turned = isTurned && !isMirrored && t < 1;
  const [toX, toY] = [to.x, to.y];
  if (turned) between(decompose2D({ a, b, c, d, x, y }), decompose2D(to), t, out);
  else {
    out.a = to.a;
    out.b = to.b;
    out.c = to.c;
    out.d = to.d;
  }
  out.x = x + (toX - x) * t;
  out.y = y + (toY - y) * t;
  return out;
}

type Parts = ReturnType<typeof decompose2D>;

function between(from: Parts, to: Parts, t: number, out: Affine2D): void {
  let turn = (to.rotation - from.rotation) % (2 * Math.PI);
  if (turn > Math.PI) turn -= 2 * Math.PI;
  else if (turn < -Math.PI) turn += 2 * Math.PI;
  const rotation = from.rotation + turn * t;
  const scaleX = from.scaleX + (to.scaleX - from.scaleX) * t;
  const scaleY = from.scaleY + (to.scaleY - from.scaleY) * t;
  const skew = from.skew + (to.skew - from.skew) * t;
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  out.a = cos * scaleX;
  out.b = sin * scaleX;
  out.c = (skew * cos - sin) * scaleY;
  out.d = (skew * sin + cos) * scaleY;
}
