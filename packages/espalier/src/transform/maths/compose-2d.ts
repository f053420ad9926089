/**
 * One world record of the plane from one parent record, with all the special cases: masks, ghosts, the rule without shear.
 * The usual case does exactly what the kernels do, bit for bit.
 */
import type { SlotNumbers } from "../../inherit/internal.ts";
import { EVERYTHING, GHOST, POSITION, ROTATION, SCALE } from "../spaces/inherit-mask.ts";

/**
 * What a child takes over from its parent: a matrix a, b, c, d, x, y, and for the rule without shear its rotation and
 * scales by themselves.
 */
export const TAKEN = 9;
const TURN = 6;
const SCALE_X = 7;
const SCALE_Y = 8;

const taken = /* @__PURE__ */ new Float64Array(TAKEN);

export function compose2DRecord(
  local: SlotNumbers,
  l: number,
  parent: SlotNumbers,
  p: number,
  out: SlotNumbers,
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
    writeTaken(parent, p, flags, false, taken);
    pa = taken[0];
    pb = taken[1];
    pc = taken[2];
    pd = taken[3];
    px = taken[4];
    py = taken[5];
  }
  const x = local[l];
  const y = local[l + 1];
  const a = local[l + 6];
  const b = local[l + 7];
  const c = local[l + 8];
  const d = local[l + 9];
  out[o] = pa * a + pc * b;
  out[o + 1] = pb * a + pd * b;
  out[o + 2] = pa * c + pc * d;
  out[o + 3] = pb * c + pd * d;
  if (flags & POSITION) {
    out[o + 4] = pa * x + pc * y + px;
    out[o + 5] = pb * x + pd * y + py;
  } else {
    out[o + 4] = x;
    out[o + 5] = y;
  }
}

/** Writes what a child with these flags takes over from a parent's record. */
export function writeTaken(
  parent: SlotNumbers,
  p: number,
  flags: number,
  separable: boolean,
  out: Float64Array,
): void {
  const a = parent[p];
  const b = parent[p + 1];
  const c = parent[p + 2];
  const d = parent[p + 3];
  if (separable) {
    writeSeparableTaken(a, b, c, d, parent[p + 6], flags, out);
  } else if (flags & ROTATION && flags & SCALE) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
  } else {
    writeMasked(a, b, c, d, flags, out);
  }
  out[4] = flags & POSITION ? parent[p + 4] : 0;
  out[5] = flags & POSITION ? parent[p + 5] : 0;
}

/** The rotation alone, the rest without the rotation, or nothing. */
function writeMasked(a: number, b: number, c: number, d: number, flags: number, out: Float64Array): void {
  // The x axis shows the rotation. What is mirrored is mirrored in x: its x axis points backwards.
  let cos = a;
  let sin = b;
  let length = Math.hypot(a, b);
  if (length === 0) {
    cos = d;
    sin = -c;
    length = Math.hypot(c, d);
  } else if (a * d - b * c < 0) length = -length;
  cos = length === 0 ? 1 : cos / length;
  sin = length === 0 ? 0 : sin / length;
  if (flags & ROTATION) {
    out[0] = cos;
    out[1] = sin;
    out[2] = -sin;
    out[3] = cos;
  } else if (flags & SCALE) {
    out[0] = cos * a + sin * b;
    out[1] = cos * b - sin * a;
    out[2] = cos * c + sin * d;
    out[3] = cos * d - sin * c;
  } else {
    out[0] = 1;
    out[1] = 0;
    out[2] = 0;
    out[3] = 1;
  }
}

/** Rotation and scales as the parent has them, not as its matrix shows them: they differ where it is mirrored. */
function writeSeparableTaken(
  a: number,
  b: number,
  c: number,
  d: number,
  rotation: number,
  flags: number,
  out: Float64Array,
): void {
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  const scaleX = flags & SCALE ? a * cos + b * sin : 1;
  const scaleY = flags & SCALE ? d * cos - c * sin : 1;
  const cosTurn = flags & ROTATION ? cos : 1;
  const sinTurn = flags & ROTATION ? sin : 0;
  out[0] = cosTurn * scaleX;
  out[1] = sinTurn * scaleX;
  out[2] = -sinTurn * scaleY;
  out[3] = cosTurn * scaleY;
  out[TURN] = flags & ROTATION ? rotation : 0;
  out[SCALE_X] = scaleX;
  out[SCALE_Y] = scaleY;
}

/**
 * Rotations add, scales multiply, nothing is sheared: what results is again a rotation and a scale. The world's rotation is
 * kept in the seventh number.
 */
function composeSeparable(
  local: SlotNumbers,
  l: number,
  parent: SlotNumbers,
  p: number,
  out: SlotNumbers,
  o: number,
  flags: number,
): void {
  writeTaken(parent, p, flags, true, taken);
  // Read back as it is stored: what is below takes over that.
  out[o + 6] = taken[TURN] + local[l + 2];
  const rotation = out[o + 6];
  const scaleX = taken[SCALE_X] * local[l + 3];
  const scaleY = taken[SCALE_Y] * local[l + 4];
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  out[o] = cos * scaleX;
  out[o + 1] = sin * scaleX;
  out[o + 2] = -sin * scaleY;
  out[o + 3] = cos * scaleY;
  const x = local[l];
  const y = local[l + 1];
  if (flags & POSITION) {
    out[o + 4] = taken[0] * x + taken[2] * y + taken[4];
    out[o + 5] = taken[1] * x + taken[3] * y + taken[5];
  } else {
    out[o + 4] = x;
    out[o + 5] = y;
  }
}
