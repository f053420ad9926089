/**
 * Geometry in three dimensions. A matrix is 12 numbers: three columns of the linear part, then the position.
 */
import type { SlotNumbers } from "../../inherit/internal.ts";
import { areNumbers, outError, requireNumbers } from "../checks/arguments.ts";
import { multiply3D } from "../kernels/run-3d.ts";
import { ROTATION, SCALE } from "../spaces/inherit-mask.ts";

/** A point or a direction in space. */
export interface Vector3 {
  /** Along, or about, the x axis. */
  x: number;
  /** Along, or about, the y axis. */
  y: number;
  /** Along, or about, the z axis. */
  z: number;
}

/** A rotation in space. */
export interface Quaternion {
  /** The x of the unit quaternion. */
  qx: number;
  /** The y of the unit quaternion. */
  qy: number;
  /** The z of the unit quaternion. */
  qz: number;
  /** The w of the unit quaternion; 1 without a rotation. */
  qw: number;
}

/** The fields of a local transform in three dimensions. */
export interface Local3D extends Vector3, Quaternion {
  /** The scale along its own x axis. */
  scaleX: number;
  /** The scale along its own y axis. */
  scaleY: number;
  /** The scale along its own z axis. */
  scaleZ: number;
}

export const identity3D: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

/** The matrix of a local transform, written into `out` if given. */
export function matrixOf(local: Local3D, out: Float64Array = new Float64Array(12)): Float64Array {
  record[0] = local.x;
  record[1] = local.y;
  record[2] = local.z;
  record[3] = local.qx;
  record[4] = local.qy;
  record[5] = local.qz;
  record[6] = local.qw;
  record[7] = local.scaleX;
  record[8] = local.scaleY;
  record[9] = local.scaleZ;
  return writeMatrix(record, out);
}

/** The same of a local record. */
export function writeMatrix(local: Float64Array, out: Float64Array): Float64Array {
  multiply3D(local, 0, unit, 0, out, 0);
  return out;
}

const unit = /* @__PURE__ */ Float64Array.from(identity3D);

const record = /* @__PURE__ */ new Float64Array(10);
const scratch = /* @__PURE__ */ new Float64Array(12);

/** The inverse, written into `out` if given; nothing where the matrix has none. */
export function invert3D(
  m: Float64Array,
  out: Float64Array = new Float64Array(12),
): Float64Array | undefined {
  const determinant = determinantOf(m, 0);
  let size = 0;
  for (let k = 0; k < 9; k++) size = Math.max(size, Math.abs(m[k]));
  if (!(Math.abs(determinant) > size * size * size * 1e-14)) return undefined;
  // By index and not taken apart: that goes through the iterator of the array.
  out[0] = (m[4] * m[8] - m[5] * m[7]) / determinant;
  out[1] = (m[2] * m[7] - m[1] * m[8]) / determinant;
  out[2] = (m[1] * m[5] - m[2] * m[4]) / determinant;
  out[3] = (m[5] * m[6] - m[3] * m[8]) / determinant;
  out[4] = (m[0] * m[8] - m[2] * m[6]) / determinant;
  out[5] = (m[2] * m[3] - m[0] * m[5]) / determinant;
  out[6] = (m[3] * m[7] - m[4] * m[6]) / determinant;
  out[7] = (m[1] * m[6] - m[0] * m[7]) / determinant;
  out[8] = (m[0] * m[4] - m[1] * m[3]) / determinant;
  for (let row = 0; row < 3; row++)
    out[9 + row] = -(out[row] * m[9] + out[3 + row] * m[10] + out[6 + row] * m[11]);
  return out;
}

/**
 * The rotation of a matrix as three axes at right angles, nine numbers: its x axis, what the y axis adds to it, and the
 * axis across both. The x axis of a mirrored matrix is turned round, as if x were mirrored.
 */
export function writeAxes(m: SlotNumbers, at: number, out: Float64Array): void {
  const length = lengthOf(m[at], m[at + 1], m[at + 2]);
  const sign = determinantOf(m, at) < 0 ? -1 : 1;
  // Without loops: all of this is one step of setters that take half as long for it.
  out[0] = length === 0 ? 1 : (sign * m[at]) / length;
  out[1] = length === 0 ? 0 : (sign * m[at + 1]) / length;
  out[2] = length === 0 ? 0 : (sign * m[at + 2]) / length;
  const along = out[0] * m[at + 3] + out[1] * m[at + 4] + out[2] * m[at + 5];
  out[3] = m[at + 3] - along * out[0];
  out[4] = m[at + 4] - along * out[1];
  out[5] = m[at + 5] - along * out[2];
  const rest = lengthOf(out[3], out[4], out[5]);
  if (rest > 1e-12 * Math.abs(along) && rest > 0) {
    out[3] /= rest;
    out[4] /= rest;
    out[5] /= rest;
  } else {
    // No y axis of its own: any at right angles will do, best the one of no rotation.
    const isAlongY = Math.abs(out[1]) > 0.9;
    const dot = isAlongY ? out[2] : out[1];
    for (let k = 0; k < 3; k++) out[3 + k] = (k === (isAlongY ? 2 : 1) ? 1 : 0) - dot * out[k];
    const size = lengthOf(out[3], out[4], out[5]);
    for (let k = 3; k < 6; k++) out[k] /= size;
  }
  out[6] = out[1] * out[5] - out[2] * out[4];
  out[7] = out[2] * out[3] - out[0] * out[5];
  out[8] = out[0] * out[4] - out[1] * out[3];
}

/** The length of a vector; a third of the time of `Math.hypot`, which is needed only against overflow and underflow. */
export function lengthOf(x: number, y: number, z: number): number {
  const square = x * x + y * y + z * z;
  return square > 1e-200 && square < 1e200 ? Math.sqrt(square) : Math.hypot(x, y, z);
}

function determinantOf(m: SlotNumbers, at: number): number {
  return (
    m[at] * (m[at + 4] * m[at + 8] - m[at + 5] * m[at + 7]) -
    m[at + 3] * (m[at + 1] * m[at + 8] - m[at + 2] * m[at + 7]) +
    m[at + 6] * (m[at + 1] * m[at + 5] - m[at + 2] * m[at + 4])
  );
}

const axes = /* @__PURE__ */ new Float64Array(9);

/** Of a matrix what the flags name (see `inherit-mask.ts`): rotation, scale, both or neither; without the position. */
export function writeMasked3D(m: SlotNumbers, at: number, flags: number, out: Float64Array): void {
  const hasScale = (flags & SCALE) !== 0;
  writeAxes(m, at, axes);
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) {
      let value = column === row ? 1 : 0;
      if (flags & ROTATION) value = hasScale ? m[at + column * 3 + row] : axes[column * 3 + row];
      else if (hasScale) {
        value = 0;
        for (let k = 0; k < 3; k++) value += axes[row * 3 + k] * m[at + column * 3 + k];
      }
      out[column * 3 + row] = value;
    }
  }
}

/**
 * Rotation and scale of a matrix. `residue` is how far the scaled rotation is from the linear part: 0 where its axes are
 * at right angles. A mirrored matrix has a negative x scale.
 */
export function matrixToQuaternion(
  m: SlotNumbers,
  at: number,
): { rotation: Quaternion; scale: Vector3; residue: number } {
  const residue = writeRotationAndScale(m, at, parts);
  return {
    rotation: { qx: parts[3], qy: parts[4], qz: parts[5], qw: parts[6] },
    scale: { x: parts[7], y: parts[8], z: parts[9] },
    residue,
  };
}

const parts = /* @__PURE__ */ new Float64Array(10);

/** The same into a local record: x, y and z become 0. Gives the residue. */
export function writeRotationAndScale(m: SlotNumbers, at: number, out: Float64Array): number {
  writeAxes(m, at, axes);
  out[0] = 0;
  out[1] = 0;
  out[2] = 0;
  writeQuaternion(axes, out, 3);
  writeScale(m, at, out, 7);
  writeMatrix(out, scratch);
  let residue = 0;
  for (let k = 0; k < 9; k++) residue = Math.max(residue, Math.abs(scratch[k] - m[at + k]));
  return residue;
}

/** The lengths of the three axes, the first one negative for a mirrored matrix. */
export function writeScale(m: SlotNumbers, at: number, out: Float64Array, o: number): void {
  const length = lengthOf(m[at], m[at + 1], m[at + 2]);
  out[o] = determinantOf(m, at) < 0 ? -length : length;
  out[o + 1] = lengthOf(m[at + 3], m[at + 4], m[at + 5]);
  out[o + 2] = lengthOf(m[at + 6], m[at + 7], m[at + 8]);
}

/** The quaternion of three axes at right angles, as columns. */
function quaternionOf(axes: Float64Array): Quaternion {
  writeQuaternion(axes, quaternion, 0);
  return { qx: quaternion[0], qy: quaternion[1], qz: quaternion[2], qw: quaternion[3] };
}

const quaternion = /* @__PURE__ */ new Float64Array(4);

/** The same as x, y, z, w. */
export function writeQuaternion(
  m: Float64Array,
  out: Float32Array | Float64Array | number[],
  o: number,
): void {
  const trace = m[0] + m[4] + m[8];
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2;
    out[o] = (m[5] - m[7]) / s;
    out[o + 1] = (m[6] - m[2]) / s;
    out[o + 2] = (m[1] - m[3]) / s;
    out[o + 3] = s / 4;
    return;
  }
  // From the axis that turns least, and the two behind it in the circle x, y, z.
  const i = m[0] > m[4] && m[0] > m[8] ? 0 : m[4] > m[8] ? 1 : 2;
  const j = (i + 1) % 3;
  const k = (i + 2) % 3;
  const s = Math.sqrt(1 + m[i * 4] - m[j * 4] - m[k * 4]) * 2;
  out[o + i] = s / 4;
  out[o + j] = (m[j * 3 + i] + m[i * 3 + j]) / s;
  out[o + k] = (m[k * 3 + i] + m[i * 3 + k]) / s;
  out[o + 3] = across(m, i) / s;
}

/** The part of a rotation's matrix that turns about axis `i`: the difference of the two numbers across the diagonal. */
function across(m: Float64Array, i: number): number {
  const j = (i + 1) % 3;
  const k = (i + 2) % 3;
  return m[j * 3 + k] - m[k * 3 + j];
}

/** First `b`, then `a`. */
export function multiplyQuaternions(a: Quaternion, b: Quaternion): Quaternion {
  return {
    qx: a.qw * b.qx + a.qx * b.qw + a.qy * b.qz - a.qz * b.qy,
    qy: a.qw * b.qy - a.qx * b.qz + a.qy * b.qw + a.qz * b.qx,
    qz: a.qw * b.qz + a.qx * b.qy - a.qy * b.qx + a.qz * b.qw,
    qw: a.qw * b.qw - a.qx * b.qx - a.qy * b.qy - a.qz * b.qz,
  };
}

/** The rotation that turns the x axis to a direction and the z axis as near to `up` as that allows. */
export function facing(x: number, y: number, z: number, up: Vector3): Quaternion {
  writeFacing(x, y, z, up.x, up.y, up.z, axes);
  return quaternionOf(axes);
}

/** The same as three axes at right angles. */
export function writeFacing(
  x: number,
  y: number,
  z: number,
  upX: number,
  upY: number,
  upZ: number,
  out: Float64Array,
): void {
  // The direction, and the axis across it and up; any third one that makes no mirror of it.
  scratch[0] = x;
  scratch[1] = y;
  scratch[2] = z;
  scratch[3] = upY * z - upZ * y;
  scratch[4] = upZ * x - upX * z;
  scratch[5] = upX * y - upY * x;
  scratch[6] = y * scratch[5] - z * scratch[4];
  scratch[7] = z * scratch[3] - x * scratch[5];
  scratch[8] = x * scratch[4] - y * scratch[3];
  writeAxes(scratch, 0, out);
}

/** A point through the matrix at `m[at]`. */
export function mapPoint(
  m: SlotNumbers,
  at: number,
  x: number,
  y: number,
  z: number,
  out?: Vector3,
): Vector3 {
  const point = mapDirection(m, at, x, y, z, out);
  point.x += m[at + 9];
  point.y += m[at + 10];
  point.z += m[at + 11];
  return point;
}

/** A direction through the matrix at `m[at]`: the position does not count. */
export function mapDirection(
  m: SlotNumbers,
  at: number,
  x: number,
  y: number,
  z: number,
  out: Vector3 = { x: 0, y: 0, z: 0 },
): Vector3 {
  if (!areNumbers(x, y) || typeof z !== "number") refusePoint(x, y, z);
  try {
    out.x = m[at] * x + m[at + 3] * y + m[at + 6] * z;
    out.y = m[at + 1] * x + m[at + 4] * y + m[at + 7] * z;
    out.z = m[at + 2] * x + m[at + 5] * y + m[at + 8] * z;
  } catch (error) {
    throw vectorError(out, error);
  }
  return out;
}

const vectorFields = ["x", "y", "z"];

/** What to throw when writing a vector threw: see `outError`. */
export function vectorError(out: Vector3, error: unknown): unknown {
  return outError(out, vectorFields, "write a point", error);
}

// Apart, so that the short functions above stay small enough to be compiled into their callers.
function refusePoint(x: number, y: number, z: number): void {
  requireNumbers({ x, y, z }, vectorFields, "transform a point", "it");
}
