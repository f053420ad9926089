/**
 * Space geometry. A matrix is 12 numbers: three columns of the linear part, then the position.
 */
export interface Vector3 {
  x: number;
  y: number;
  z: number;
}

export interface Quaternion {
  qx: number;
  qy: number;
  qz: number;
  qw: number;
}

interface Local3D extends Quaternion {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly scaleZ: number;
}

/** Position, rotation and scale as a matrix. The quaternion is normalised on the way. */
export function writeMatrix(local: Local3D, out: Float64Array): void {
  const length = Math.hypot(local.qx, local.qy, local.qz, local.qw) || 1;
  const x = local.qx / length;
  const y = local.qy / length;
  const z = local.qz / length;
  const w = local.qw / length;
  out[0] = (1 - 2 * (y * y + z * z)) * local.scaleX;
  out[1] = 2 * (x * y + w * z) * local.scaleX;
  out[2] = 2 * (x * z - w * y) * local.scaleX;
  out[3] = 2 * (x * y - w * z) * local.scaleY;
  out[4] = (1 - 2 * (x * x + z * z)) * local.scaleY;
  out[5] = 2 * (y * z + w * x) * local.scaleY;
  out[6] = 2 * (x * z + w * y) * local.scaleZ;
  out[7] = 2 * (y * z - w * x) * local.scaleZ;
  out[8] = (1 - 2 * (x * x + y * y)) * local.scaleZ;
  out[9] = local.x;
  out[10] = local.y;
  out[11] = local.z;
}

/** The inverse, or nothing where the matrix squashes space. */
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
 * Rotation and scale of a matrix. `residue` is how far the scaled rotation is from the linear part: 0 where its axes are
 * at right angles. A mirrored matrix has a negative x scale.
 */
export function matrixToQuaternion(
  m: Float64Array,
  at: number,
): { rotation: Quaternion; scale: Vector3; residue: number } {
  const axis = (k: number) =>
    [m[at + k * 3], m[at + k * 3 + 1], m[at + k * 3 + 2]] as [number, number, number];
  const [x, y, z] = [axis(0), axis(1), axis(2)];
  const determinant =
    x[0] * (y[1] * z[2] - y[2] * z[1]) -
    y[0] * (x[1] * z[2] - x[2] * z[1]) +
    z[0] * (x[1] * y[2] - x[2] * y[1]);
  const scale = { x: Math.hypot(...x), y: Math.hypot(...y), z: Math.hypot(...z) };
  if (determinant < 0) scale.x = -scale.x;
  const ux = unit(x, scale.x, [1, 0, 0]);
  // At right angles to the first: what is left over is the residue.
  const along = dot(unit(y, scale.y, [0, 1, 0]), ux);
  const uy = normal(sub(unit(y, scale.y, [0, 1, 0]), ux, along), ux);
  const uz = cross(ux, uy);
  const rotation = quaternionOf(ux, uy, uz);
  const rebuilt = new Float64Array(12);
  writeMatrix({ x: 0, y: 0, z: 0, ...rotation, scaleX: scale.x, scaleY: scale.y, scaleZ: scale.z }, rebuilt);
  let residue = 0;
  for (let k = 0; k < 9; k++) residue = Math.max(residue, Math.abs(rebuilt[k] - m[at + k]));
  return { rotation, scale, residue };
}

type Axis = [number, number, number];

function unit(axis: Axis, length: number, fallback: Axis): Axis {
  return length === 0 ? fallback : [axis[0] / length, axis[1] / length, axis[2] / length];
}

function dot(a: Axis, b: Axis): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function sub(a: Axis, b: Axis, factor: number): Axis {
  return [a[0] - b[0] * factor, a[1] - b[1] * factor, a[2] - b[2] * factor];
}

function cross(a: Axis, b: Axis): Axis {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** `axis` with length 1, or any axis at right angles to `other` where it has none. */
function normal(axis: Axis, other: Axis): Axis {
  const length = Math.hypot(...axis);
  if (length > 1e-12) return unit(axis, length, axis);
  const helper: Axis = Math.abs(other[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const across = cross(other, helper);
  return unit(across, Math.hypot(...across), [0, 1, 0]);
}

function quaternionOf(x: Axis, y: Axis, z: Axis): Quaternion {
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
