/**
 * One world record of the plane from one parent record, with all the special cases: masks, ghosts, the rule without shear.
 * The usual case does exactly what the kernels do, bit for bit.
 */
import type { SlotNumbers } from "../../inherit/internal.ts";
import { multiplyRecord2D } from "../kernels/run-2d.ts";
import { EVERYTHING, GHOST, POSITION, ROTATION, SCALE } from "../spaces/inherit-mask.ts";

/**
 * What a child takes over from its parent: a matrix a, b, c, d, x, y, and for the rule without shear its rotation and
 * scales by themselves.
 */
export const TAKEN = 9;
export const TURN = 6;
export const SCALE_X = 7;
export const SCALE_Y = 8;

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
  if (flags === EVERYTHING && !separable) {
    multiplyRecord2D(local, l, parent, p, out, o);
    return;
  }
  writeTaken(parent, p, flags, separable, taken);
  multiplyRecord2D(local, l, taken, 0, out, o);
  if (!(flags & POSITION)) {
    out[o + 4] = local[l];
    out[o + 5] = local[l + 1];
  }
  if (!separable) return;
  // Rotations add, scales multiply. The sum is read back as it is stored: what is below takes over that.
  out[o + TURN] = taken[TURN] + local[l + 2];
  const cos = Math.cos(out[o + TURN]);
  const sin = Math.sin(out[o + TURN]);
  const scaleX = taken[SCALE_X] * local[l + 3];
  const scaleY = taken[SCALE_Y] * local[l + 4];
  out[o] = cos * scaleX;
  out[o + 1] = sin * scaleX;
  out[o + 2] = -sin * scaleY;
  out[o + 3] = cos * scaleY;
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
  const turn = parent[p + TURN];
  // The x axis shows the rotation. What is mirrored is mirrored in x: its x axis points backwards.
  let cos = a;
  let sin = b;
  let length = Math.hypot(a, b);
  if (separable) {
    // The rotation as the parent has it, not as its matrix shows it: they differ where it is mirrored.
    cos = Math.cos(turn);
    sin = Math.sin(turn);
    length = 1;
  } else if (length === 0) {
    cos = d;
    sin = -c;
    length = Math.hypot(c, d);
  } else if (a * d - b * c < 0) length = -length;
  cos = length === 0 ? 1 : cos / length;
  sin = length === 0 ? 0 : sin / length;
  const isTurned = (flags & ROTATION) !== 0;
  const isScaled = (flags & SCALE) !== 0;
  // What is left without the rotation; without the scale, too, nothing.
  const xx = isScaled ? cos * a + sin * b : 1;
  const xy = isScaled ? cos * b - sin * a : 0;
  const yx = isScaled ? cos * c + sin * d : 0;
  const yy = isScaled ? cos * d - sin * c : 1;
  const isWhole = isTurned && isScaled;
  out[0] = isWhole ? a : isTurned ? cos : xx;
  out[1] = isWhole ? b : isTurned ? sin : xy;
  out[2] = isWhole ? c : isTurned ? -sin : yx;
  out[3] = isWhole ? d : isTurned ? cos : yy;
  out[4] = flags & POSITION ? parent[p + 4] : 0;
  out[5] = flags & POSITION ? parent[p + 5] : 0;
  out[TURN] = isTurned ? turn : 0;
  out[SCALE_X] = xx;
  out[SCALE_Y] = yy;
}
