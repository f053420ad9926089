/**
 * One world record from one parent record, with all the special cases: masks, ghosts, top-level nodes, the rule without
 * shear. The usual case does exactly what the kernels do, bit for bit.
 */
import { EVERYTHING, GHOST, POSITION, ROTATION, SCALE, TOP_LEVEL } from "./inherit-mask.ts";

const f = Math.fround;

/** Six numbers: the parent's matrix as far as the child takes it over. */
const masked = /* @__PURE__ */ new Float64Array(6);

export function composeRecord(
  local: Float32Array,
  l: number,
  parent: Float32Array,
  p: number,
  out: Float32Array,
  o: number,
  flags: number,
  separable: boolean,
): void {
  if (flags & GHOST) {
    for (let k = 0; k < 8; k++) out[o + k] = parent[p + k];
    return;
  }
  if (separable) {
    composeSeparable(local, l, parent, p, out, o, flags);
    return;
  }
  let pa = parent[p];
  let pb = parent[p + 1];
  let pc = parent[p + 2];
  let pd = parent[p + 3];
  let px = parent[p + 4];
  let py = parent[p + 5];
  if (flags !== EVERYTHING) {
    maskMatrix(pa, pb, pc, pd, px, py, flags, masked);
    pa = f(masked[0]);
    pb = f(masked[1]);
    pc = f(masked[2]);
    pd = f(masked[3]);
    px = f(masked[4]);
    py = f(masked[5]);
  }
  const x = local[l];
  const y = local[l + 1];
  const scaleX = local[l + 3];
  const scaleY = local[l + 4];
  const skew = local[l + 5];
  const cos = local[l + 6];
  const sin = local[l + 7];
  const a = f(cos * scaleX);
  const b = f(sin * scaleX);
  const c = f(f(f(skew * cos) - sin) * scaleY);
  const d = f(f(f(skew * sin) + cos) * scaleY);
  out[o] = f(f(pa * a) + f(pc * b));
  out[o + 1] = f(f(pb * a) + f(pd * b));
  out[o + 2] = f(f(pa * c) + f(pc * d));
  out[o + 3] = f(f(pb * c) + f(pd * d));
  if (flags & POSITION) {
    out[o + 4] = f(f(f(pa * x) + f(pc * y)) + px);
    out[o + 5] = f(f(f(pb * x) + f(pd * y)) + py);
  } else {
    out[o + 4] = x;
    out[o + 5] = y;
  }
}

/** The part of a parent's matrix that a child with these flags takes over. */
export function maskMatrix(
  a: number,
  b: number,
  c: number,
  d: number,
  x: number,
  y: number,
  flags: number,
  out: Float64Array,
): void {
  const inherits = flags & TOP_LEVEL ? 0 : flags;
  const length = Math.hypot(a, b);
  // The rotation that the first axis shows; a parent without a first axis shows it by its second.
  const cos = length === 0 ? (Math.hypot(c, d) === 0 ? 1 : d / Math.hypot(c, d)) : a / length;
  const sin = length === 0 ? (Math.hypot(c, d) === 0 ? 0 : -c / Math.hypot(c, d)) : b / length;
  if (inherits & SCALE) {
    out[0] = inherits & ROTATION ? a : cos * a + sin * b;
    out[1] = inherits & ROTATION ? b : cos * b - sin * a;
    out[2] = inherits & ROTATION ? c : cos * c + sin * d;
    out[3] = inherits & ROTATION ? d : cos * d - sin * c;
  } else {
    out[0] = inherits & ROTATION ? cos : 1;
    out[1] = inherits & ROTATION ? sin : 0;
    out[2] = inherits & ROTATION ? -sin : 0;
    out[3] = inherits & ROTATION ? cos : 1;
  }
  out[4] = inherits & POSITION ? x : 0;
  out[5] = inherits & POSITION ? y : 0;
}

/**
 * Rotations add, scales multiply, nothing leans: what results is again a rotation and a scale. The world's rotation is
 * kept in the seventh number, because a mirrored matrix alone does not tell it.
 */
function composeSeparable(
  local: Float32Array,
  l: number,
  parent: Float32Array,
  p: number,
  out: Float32Array,
  o: number,
  flags: number,
): void {
  const inherits = flags & TOP_LEVEL ? 0 : flags;
  const parentRotation = parent[p + 6];
  const turn = inherits & ROTATION ? parentRotation : 0;
  const cosP = Math.cos(parentRotation);
  const sinP = Math.sin(parentRotation);
  const scaleX = inherits & SCALE ? parent[p] * cosP + parent[p + 1] * sinP : 1;
  const scaleY = inherits & SCALE ? parent[p + 3] * cosP - parent[p + 2] * sinP : 1;
  const rotation = turn + local[l + 2];
  const sx = scaleX * local[l + 3];
  const sy = scaleY * local[l + 4];
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  out[o] = cos * sx;
  out[o + 1] = sin * sx;
  out[o + 2] = -sin * sy;
  out[o + 3] = cos * sy;
  out[o + 6] = rotation;
  if (inherits & POSITION) {
    const x = local[l] * scaleX;
    const y = local[l + 1] * scaleY;
    const cosT = inherits & ROTATION ? cosP : 1;
    const sinT = inherits & ROTATION ? sinP : 0;
    out[o + 4] = cosT * x - sinT * y + parent[p + 4];
    out[o + 5] = sinT * x + cosT * y + parent[p + 5];
  } else {
    out[o + 4] = local[l];
    out[o + 5] = local[l + 1];
  }
}
