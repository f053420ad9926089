/**
 * Plane geometry. A matrix maps (u, v) to (a u + c v + x, b u + d v + y); a positive rotation turns +x towards +y.
 */
import { areNumbers, outError, requireNumbers } from "../checks/arguments.ts";

/** A 2x3 affine matrix. */
export interface Affine2D {
  /** The x of the image of (1, 0). */
  a: number;
  /** The y of the image of (1, 0). */
  b: number;
  /** The x of the image of (0, 1). */
  c: number;
  /** The y of the image of (0, 1). */
  d: number;
  /** The x of the image of the origin. */
  x: number;
  /** The y of the image of the origin. */
  y: number;
}

/** The fields of a local transform. */
export interface Local2D {
  /** The x as seen from the parent. */
  x: number;
  /** The y as seen from the parent. */
  y: number;
  /** In radians. */
  rotation: number;
  /** The scale along its own x axis. */
  scaleX: number;
  /** The scale along its own y axis. */
  scaleY: number;
  /** How far +y leans towards +x: the tangent of the angle. */
  skew: number;
}

/** A point or a direction in the plane. */
export interface Point {
  /** Along the x axis. */
  x: number;
  /** Along the y axis. */
  y: number;
}

/** The fields of a matrix. */
export const affineFields = ["a", "b", "c", "d", "x", "y"] as const;

/** @throws InvalidArgumentError for what is not a matrix of the plane. */
function requireAffine(m: Affine2D, doing: string, what: string): void {
  if (!areNumbers(m?.a, m?.b) || !areNumbers(m.c, m.d) || !areNumbers(m.x, m.y))
    requireNumbers(m, affineFields, doing, what);
}

const localFields = ["x", "y", "rotation", "scaleX", "scaleY", "skew"];
const pointFields = ["x", "y"];

export const identity2D = (): Affine2D => ({ a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 });

/** `parent * local`: first the local matrix, then the parent's. */
export function multiply2D(parent: Affine2D, local: Affine2D): Affine2D {
  requireAffine(parent, "multiply matrices", "the first");
  requireAffine(local, "multiply matrices", "the second");
  return {
    a: parent.a * local.a + parent.c * local.b,
    b: parent.b * local.a + parent.d * local.b,
    c: parent.a * local.c + parent.c * local.d,
    d: parent.b * local.c + parent.d * local.d,
    x: parent.a * local.x + parent.c * local.y + parent.x,
    y: parent.b * local.x + parent.d * local.y + parent.y,
  };
}

/** The matrix of a local transform: scale, then shear, then turn, then move. */
export function compose2D(local: Local2D): Affine2D {
  if (
    !areNumbers(local?.x, local?.y) ||
    !areNumbers(local.rotation, local.skew) ||
    !areNumbers(local.scaleX, local.scaleY)
  )
    requireNumbers(local, localFields, "compose a matrix", "the local transform");
  const cos = Math.cos(local.rotation);
  const sin = Math.sin(local.rotation);
  return {
    a: cos * local.scaleX,
    b: sin * local.scaleX,
    c: (local.skew * cos - sin) * local.scaleY,
    d: (local.skew * sin + cos) * local.scaleY,
    x: local.x,
    y: local.y,
  };
}

/** The inverse; nothing where the matrix has none. */
export function invert2D(m: Affine2D): Affine2D | undefined {
  requireAffine(m, "invert a matrix", "it");
  return writeInverse2D(m, identity2D());
}

/** `invert2D` with a matrix that is known to be one, into `out`, which may be `m` itself. */
export function writeInverse2D(m: Affine2D, out: Affine2D): Affine2D | undefined {
  const determinant = m.a * m.d - m.b * m.c;
  const size = Math.max(Math.abs(m.a), Math.abs(m.b), Math.abs(m.c), Math.abs(m.d));
  if (!(Math.abs(determinant) > size * size * 1e-12)) return undefined;
  const a = m.d / determinant;
  const b = -m.b / determinant;
  const c = -m.c / determinant;
  const d = m.a / determinant;
  const x = -(a * m.x + c * m.y);
  const y = -(b * m.x + d * m.y);
  out.a = a;
  out.b = b;
  out.c = c;
  out.d = d;
  out.x = x;
  out.y = y;
  return out;
}

/**
 * The local transform with this matrix. Exact, because skew is kept. A mirrored matrix has a negative `scaleX`. `residue`
 * is what cannot be written: only where the matrix flattens the plane onto a line that its first column does not give.
 */
export function decompose2D(m: Affine2D): Local2D & { residue: number } {
  requireAffine(m, "decompose a matrix", "it");
  const determinant = m.a * m.d - m.b * m.c;
  const length = Math.hypot(m.a, m.b);
  const scaleX = determinant < 0 ? -length : length;
  const scaleY = length === 0 ? Math.hypot(m.c, m.d) : determinant / scaleX;
  const shear = length === 0 ? 0 : (m.a * m.c + m.b * m.d) / scaleX;
  const isFlat = Math.abs(scaleY) <= Math.abs(shear) * 1e-12;
  return {
    x: m.x,
    y: m.y,
    rotation: rotation2D(m),
    scaleX,
    scaleY: isFlat ? 0 : scaleY,
    skew: isFlat ? 0 : shear / scaleY + 0,
    residue: isFlat ? Math.abs(shear) : 0,
  };
}

/** The rotation of `decompose2D` alone. */
export function rotation2D({ a, b, c, d }: Affine2D): number {
  // Adding 0 makes of -0 what it is. Without a first column the second one alone gives the rotation.
  if (a === 0 && b === 0) return Math.atan2(-c + 0, d + 0);
  return a * d - b * c < 0 ? Math.atan2(-b + 0, -a) : Math.atan2(b + 0, a);
}

/** Where a point of the inner space is in the outer one. */
export function transformPoint(m: Affine2D, x: number, y: number, out?: Point): Point {
  requireAffine(m, "transform a point", "the matrix");
  return mapPoint2D(m, x, y, out);
}

/** Turns and scales a direction; unlike a point it is not moved. */
export function transformDirection(m: Affine2D, x: number, y: number, out?: Point): Point {
  requireAffine(m, "transform a direction", "the matrix");
  return mapDirection2D(m, x, y, out);
}

/** `transformPoint` with a matrix that is known to be one. */
export function mapPoint2D(m: Affine2D, x: number, y: number, out?: Point): Point {
  // Before: the matrix itself may be what is written.
  const { x: offsetX, y: offsetY } = m;
  const point = mapDirection2D(m, x, y, out);
  point.x += offsetX;
  point.y += offsetY;
  return point;
}

/** `transformDirection` with a matrix that is known to be one. */
export function mapDirection2D(m: Affine2D, x: number, y: number, out: Point = { x: 0, y: 0 }): Point {
  if (!areNumbers(x, y)) refusePoint(x, y);
  try {
    out.x = m.a * x + m.c * y;
    out.y = m.b * x + m.d * y;
  } catch (error) {
    throw pointError(out, error);
  }
  return out;
}

/** What to throw when writing a point threw: see `outError`. */
export function pointError(out: Point, error: unknown): unknown {
  return outError(out, pointFields, "write a point", error);
}

// Apart, so that the short functions above stay small enough to be compiled into their callers.
function refusePoint(x: number, y: number): void {
  requireNumbers({ x, y }, pointFields, "transform a point", "it");
}
