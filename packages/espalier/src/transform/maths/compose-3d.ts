/**
 * One world record of three dimensions from one parent record, with masks and ghosts, and the way back. The usual case does
 * exactly what the kernels do, bit for bit.
 */
import type { SlotNumbers } from "../../inherit/internal.ts";
import { SingularTransformError, UnrepresentableTransformError } from "../errors.ts";
import { multiply3D } from "../kernels/run-3d.ts";
import { EVERYTHING, GHOST, POSITION } from "../spaces/inherit-mask.ts";
import { invert3D, type Local3D, mapPoint, writeMasked3D, writeRotationAndScale } from "./matrix3d.ts";

/** A local record: x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ. */
export const LOCAL_WIDTH_3D = 10;
/** A world record: three columns of the linear part, then the position. */
export const WORLD_WIDTH_3D = 12;

/** The residue, relative to the size of the matrix, above which a transform counts as not writable. */
const TOLERANCE = 1e-9;

const taken = /* @__PURE__ */ new Float64Array(WORLD_WIDTH_3D);
const back = /* @__PURE__ */ new Float64Array(WORLD_WIDTH_3D);
const linear = /* @__PURE__ */ new Float64Array(WORLD_WIDTH_3D);
const local = /* @__PURE__ */ new Float64Array(LOCAL_WIDTH_3D);

export function compose3DRecord(
  local: SlotNumbers,
  l: number,
  parent: SlotNumbers,
  p: number,
  out: SlotNumbers,
  o: number,
  flags: number,
): void {
  if (flags & GHOST) {
    for (let k = 0; k < WORLD_WIDTH_3D; k++) out[o + k] = parent[p + k];
    return;
  }
  if (flags === EVERYTHING) {
    multiply3D(local, l, parent, p, out, o);
    return;
  }
  writeTaken3D(parent, p, flags, taken);
  multiply3D(local, l, taken, 0, out, o);
  if (flags & POSITION) return;
  for (let k = 0; k < 3; k++) out[o + 9 + k] = local[l + k];
}

/** Writes what a child with these flags takes over from a parent's record. */
function writeTaken3D(parent: SlotNumbers, p: number, flags: number, out: Float64Array): void {
  writeMasked3D(parent, p, flags, out);
  for (let k = 9; k < 12; k++) out[k] = flags & POSITION ? parent[p + k] : 0;
}

/** The inverse of what a child with these flags takes over from a parent's record, for use at once; nothing where that has none. */
export function inverseTaken3D(parent: SlotNumbers, p: number, flags: number): Float64Array | undefined {
  if (flags === EVERYTHING) for (let k = 0; k < WORLD_WIDTH_3D; k++) taken[k] = parent[p + k];
  else writeTaken3D(parent, p, flags, taken);
  return invert3D(taken, back);
}

/**
 * The local values that give a wanted world record under a parent's.
 * @throws SingularTransformError or UnrepresentableTransformError, with the reason alone.
 */
export function localFor3D(
  parent: SlotNumbers,
  p: number,
  wanted: ArrayLike<number>,
  flags: number,
): Local3D {
  const inverse = inverseTaken3D(parent, p, flags);
  if (inverse === undefined) {
    throw new SingularTransformError(
      "the world scale of the parent is 0 along some axis, so its transform has no inverse. Give it a scale that is not 0, or pick another parent.",
    );
  }
  for (let column = 0; column < 9; column += 3) {
    const x = wanted[column];
    const y = wanted[column + 1];
    const z = wanted[column + 2];
    linear[column] = inverse[0] * x + inverse[3] * y + inverse[6] * z;
    linear[column + 1] = inverse[1] * x + inverse[4] * y + inverse[7] * z;
    linear[column + 2] = inverse[2] * x + inverse[5] * y + inverse[8] * z;
  }
  const at = { x: wanted[9], y: wanted[10], z: wanted[11] };
  const { x, y, z } = flags & POSITION ? mapPoint(inverse, 0, at.x, at.y, at.z) : at;
  decompose(linear, local);
  return {
    x,
    y,
    z,
    qx: local[3],
    qy: local[4],
    qz: local[5],
    qw: local[6],
    scaleX: local[7],
    scaleY: local[8],
    scaleZ: local[9],
  };
}

/** Writes rotation and scale that give the linear part, or throws an error that says how far the nearest are off. */
function decompose(m: Float64Array, out: Float64Array): void {
  const residue = writeRotationAndScale(m, 0, out);
  const size = Math.max(Math.abs(out[7]), Math.abs(out[8]), Math.abs(out[9]));
  if (!(residue > TOLERANCE * size)) return;
  throw new UnrepresentableTransformError(
    `position, rotation and scale cannot express it, because its axes are not at right angles (off by ${residue}). Give the parents a uniform scale, or keep the local values.`,
    { residue },
  );
}
