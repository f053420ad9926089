/**
 * Geometry in three dimensions. A matrix is 12 numbers: three columns of the linear part, then the position.
 */
import type { SlotNumbers } from "../../inherit/internal.ts";
import { areNumbers, outError, requireNumbers } from "../checks/arguments.ts";
import { ROTATION, SCALE } from "../spaces/inherit-mask.ts";

/** A point or a direction in space. */
export interface Vector3 {
  x: number;
  y: number;
  z: number;
}

/** A rotation in space. */
export interface Quaternion {
  qx: number;
  qy: number;
  qz: number;
  qw: number;
}

/** The fields of a local transform in three dimensions. */
export interface Local3D extends Vector3, Quaternion {
  scaleX: number;
  scaleY: number;
  scaleZ: number;
}

/**
 * The local record at `local[l]` (x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ) as a matrix. The quaternion is normalised on
 * the way; one of zeros, or of numbers so small that their proportions are lost, turns nothing.
 */
export function writeMatrix(local: ArrayLike<number>, l: number, out: Float64Array): void {
  const qx = local[l + 3];
  const qy = local[l + 4];
  const qz = local[l + 5];
  const qw = local[l + 6];
  const scaleX = local[l + 7];
  const scaleY = local[l + 8];
  const scaleZ = local[l + 9];
  const square = qx * qx + qy * qy + qz * qz + qw * qw;
  // Much slower, but without overflow and underflow.
  const length = square > 1e-200 && square < 1e200 ? Math.sqrt(square) : Math.hypot(qx, qy, qz, qw);
  const factor = length < 1e-300 ? 0 : 1 / length;
  const x = qx * factor;
  const y = qy * factor;
  const z = qz * factor;
  const w = qw * factor;
  out[0] = (1 - 2 * (y * y + z * z)) * scaleX;
  out[1] = 2 * (x * y + w * z) * scaleX;
  out[2] = 2 * (x * z - w * y) * scaleX;
  out[3] = 2 * (x * y - w * z) * scaleY;
  out[4] = (1 - 2 * (x * x + z * z)) * scaleY;
  out[5] = 2 * (y * z + w * x) * scaleY;
  out[6] = 2 * (x * z + w * y) * scaleZ;
  out[7] = 2 * (y * z - w * x) * scaleZ;
  out[8] = (1 - 2 * (x * x + y * y)) * scaleZ;
  out[9] = local[l];
  out[10] = local[l + 1];
  out[11] = local[l + 2];
}

/** The matrix of a local transform. */
export function matrixOf(local: Local3D): Float64Array {
  const { x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ } = local;
  const out = new Float64Array(12);
  writeMatrix([x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ], 0, out);
  return out;
}

/** The inverse; nothing where the matrix has none. */
export function invert3D(m: Float64Array, at: number): Float64Array | undefined {
  const [a, b, c, d, e, f, g, h, i] = m.subarray(at, at + 9);
  const determinant = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
  const size = Math.max(...m.subarray(at, at + 9).map(Math.abs));
  if (!(Math.abs(determinant) > size * size * size * 1e-14)) return undefined;
  const out = new Float64Array(12);
  out[0] = (e * i - f * h) / determinant;
  out[1] = (c * h - b * i) / determinant;
  out[2] = (b * f - c * e) / determinant;
  out[3] = (f * g - d * i) / determinant;
  out[4] = (a * i - c * g) / determinant;
  out[5] = (c * d - a * f) / determinant;
  out[6] = (d * h - e * g) / determinant;
  out[7] = (b * g - a * h) / determinant;
  out[8] = (a * e - b * d) / determinant;
  for (let row = 0; row < 3; row++) {
    out[9 + row] = -(out[row] * m[at + 9] + out[3 + row] * m[at + 10] + out[6 + row] * m[at + 11]);
  }
  return out;
}

/**
 * The rotation of a matrix as three axes at right angles, nine numbers: its x axis, what the y axis adds to it, and the
 * axis across both. The x axis of a mirrored matrix is turned round, as if x were mirrored.
 */
export function writeAxes(m: SlotNumbers, at: number, out: Float64Array): void {
  const length = Math.hypot(m[at], m[at + 1], m[at + 2]);
  const sign = determinantOf(m, at) < 0 ? -1 : 1;
  for (let k = 0; k < 3; k++) out[k] = length === 0 ? (k === 0 ? 1 : 0) : (sign * m[at + k]) / length;
  const along = out[0] * m[at + 3] + out[1] * m[at + 4] + out[2] * m[at + 5];
  for (let k = 0; k < 3; k++) out[3 + k] = m[at + 3 + k] - along * out[k];
  const rest = Math.hypot(out[3], out[4], out[5]);
  if (rest > 1e-12 * Math.abs(along) && rest > 0) {
    for (let k = 3; k < 6; k++) out[k] /= rest;
  } else {
    // No y axis of its own: any at right angles will do, best the one of no rotation.
    const isAlongY = Math.abs(out[1]) > 0.9;
    const dot = isAlongY ? out[2] : out[1];
    for (let k = 0; k < 3; k++) out[3 + k] = (k === (isAlongY ? 2 : 1) ? 1 : 0) - dot * out[k];
    const size = Math.hypot(out[3], out[4], out[5]);
    for (let k = 3; k < 6; k++) out[k] /= size;
  }
  out[6] = out[1] * out[5] - out[2] * out[4];
  out[7] = out[2] * out[3] - out[0] * out[5];
  out[8] = out[0] * out[4] - out[1] * out[3];
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
  const own = new Float64Array(9);
  writeAxes(m, at, own);
  const axis = (k: number): Axis => [own[k * 3], own[k * 3 + 1], own[k * 3 + 2]];
  const rotation = quaternionOf(axis(0), axis(1), axis(2));
  const size = (k: number) => Math.hypot(m[at + k * 3], m[at + k * 3 + 1], m[at + k * 3 + 2]);
  const scale = { x: determinantOf(m, at) < 0 ? -size(0) : size(0), y: size(1), z: size(2) };
  const scales = { scaleX: scale.x, scaleY: scale.y, scaleZ: scale.z };
  const rebuilt = matrixOf({ x: 0, y: 0, z: 0, ...rotation, ...scales });
  let residue = 0;
  for (let k = 0; k < 9; k++) residue = Math.max(residue, Math.abs(rebuilt[k] - m[at + k]));
  return { rotation, scale, residue };
}

export type Axis = readonly [number, number, number];

/** The quaternion of three axes at right angles. */
export function quaternionOf(x: Axis, y: Axis, z: Axis): Quaternion {
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2;
    return { qw: s / 4, qx: (y[2] - z[1]) / s, qy: (z[0] - x[2]) / s, qz: (x[1] - y[0]) / s };
  }
  if (x[0] > y[1] && x[0] > z[2]) {
    const s = Math.sqrt(1 + x[0] - y[1] - z[2]) * 2;
    return { qw: (y[2] - z[1]) / s, qx: s / 4, qy: (y[0] + x[1]) / s, qz: (z[0] + x[2]) / s };
  }
  if (y[1] > z[2]) {
    const s = Math.sqrt(1 + y[1] - x[0] - z[2]) * 2;
    return { qw: (z[0] - x[2]) / s, qx: (y[0] + x[1]) / s, qy: s / 4, qz: (z[1] + y[2]) / s };
  }
  const s = Math.sqrt(1 + z[2] - x[0] - y[1]) * 2;
  return { qw: (x[1] - y[0]) / s, qx: (z[0] + x[2]) / s, qy: (z[1] + y[2]) / s, qz: s / 4 };
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
  // Columns: the direction, what is left of it as seen from up, and the axis across both.
  const columns = Float64Array.of(
    x,
    y,
    z,
    up.y * z - up.z * y,
    up.z * x - up.x * z,
    up.x * y - up.y * x,
    0,
    0,
    0,
  );
  const out = new Float64Array(9);
  // Any third column that makes no mirror of it.
  columns[6] = y * columns[5] - z * columns[4];
  columns[7] = z * columns[3] - x * columns[5];
  columns[8] = x * columns[4] - y * columns[3];
  writeAxes(columns, 0, out);
  return quaternionOf([out[0], out[1], out[2]], [out[3], out[4], out[5]], [out[6], out[7], out[8]]);
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
  if (!areNumbers(x, y) || typeof z !== "number") refusePlace(x, y, z);
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
function refusePlace(x: number, y: number, z: number): void {
  requireNumbers({ x, y, z }, vectorFields, "transform a point", "it");
}
