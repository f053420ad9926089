/**
 * One world record of three dimensions from one parent record, with masks and ghosts, and the way back. The usual case does
 * exactly what the kernels do, bit for bit.
 */
import type { SlotNumbers } from "../../inherit/internal.ts";
import { SingularTransformError, UnrepresentableTransformError } from "../errors.ts";
import { GHOST, POSITION, ROTATION, SCALE } from "../spaces/inherit-mask.ts";
import {
  invert3D,
  type Local3D,
  mapPoint,
  matrixToQuaternion,
  writeMasked3D,
  writeMatrix,
} from "./matrix3d.ts";

/** A local record: x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ. */
export const LOCAL_WIDTH_3D = 10;
/** A world record: three columns of the linear part, then the position. */
export const WORLD_WIDTH_3D = 12;

/** The residue, relative to the size of the matrix, above which a place counts as not writable. */
const TOLERANCE = 1e-9;

const linear = /* @__PURE__ */ new Float64Array(WORLD_WIDTH_3D);
const masked = /* @__PURE__ */ new Float64Array(WORLD_WIDTH_3D);

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
  const isWhole = (flags & ROTATION) !== 0 && (flags & SCALE) !== 0;
  if (!isWhole) writeMasked3D(parent, p, flags, masked);
  const m = isWhole ? parent : masked;
  const at = isWhole ? p : 0;
  writeMatrix(local, l, linear);
  // Numbers, not the array: `out` may be the same one.
  const xx = m[at];
  const xy = m[at + 1];
  const xz = m[at + 2];
  const yx = m[at + 3];
  const yy = m[at + 4];
  const yz = m[at + 5];
  const zx = m[at + 6];
  const zy = m[at + 7];
  const zz = m[at + 8];
  for (let column = 0; column < 9; column += 3) {
    const x = linear[column];
    const y = linear[column + 1];
    const z = linear[column + 2];
    out[o + column] = xx * x + yx * y + zx * z;
    out[o + column + 1] = xy * x + yy * y + zy * z;
    out[o + column + 2] = xz * x + yz * y + zz * z;
  }
  const px = local[l];
  const py = local[l + 1];
  const pz = local[l + 2];
  if (flags & POSITION) {
    out[o + 9] = xx * px + yx * py + zx * pz + parent[p + 9];
    out[o + 10] = xy * px + yy * py + zy * pz + parent[p + 10];
    out[o + 11] = xz * px + yz * py + zz * pz + parent[p + 11];
  } else {
    out[o + 9] = px;
    out[o + 10] = py;
    out[o + 11] = pz;
  }
}

/** The inverse of what a child with these flags takes over from a parent's record; nothing where that has none. */
export function inverseTaken3D(parent: SlotNumbers, p: number, flags: number): Float64Array | undefined {
  const taken = new Float64Array(WORLD_WIDTH_3D);
  writeMasked3D(parent, p, flags, taken);
  if (flags & POSITION) for (let k = 9; k < 12; k++) taken[k] = parent[p + k];
  return invert3D(taken);
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
      [],
    );
  }
  const local = new Float64Array(WORLD_WIDTH_3D);
  for (let column = 0; column < 9; column += 3) {
    for (let row = 0; row < 3; row++) {
      for (let k = 0; k < 3; k++) local[column + row] += inverse[k * 3 + row] * wanted[column + k];
    }
  }
  const [x, y, z] = [wanted[9], wanted[10], wanted[11]];
  return { ...(flags & POSITION ? mapPoint(inverse, 0, x, y, z) : { x, y, z }), ...decomposed(local) };
}

/** Rotation and scale that give the linear part, or an error that says how far the nearest are off. */
function decomposed(m: Float64Array): Omit<Local3D, "x" | "y" | "z"> {
  const { rotation, scale, residue } = matrixToQuaternion(m, 0);
  const size = Math.max(Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z));
  if (residue > TOLERANCE * size) {
    throw new UnrepresentableTransformError(
      `position, rotation and scale cannot express it, because its axes are not at right angles (off by ${residue}). Give the parents a uniform scale, or keep the local values.`,
      [],
      residue,
    );
  }
  return { ...rotation, scaleX: scale.x, scaleY: scale.y, scaleZ: scale.z };
}
