/**
 * Rectangles with sides along the axes. An empty one has its minimum above its maximum.
 */
import type { Affine2D } from "../../transform/index.ts";

/** A box along the axes, by its corners. */
export interface Bounds {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Bounds that hold nothing: united with others they give the others. */
export function emptyBounds(): Bounds {
  return {
    minX: Number.POSITIVE_INFINITY,
    minY: Number.POSITIVE_INFINITY,
    maxX: Number.NEGATIVE_INFINITY,
    maxY: Number.NEGATIVE_INFINITY,
  };
}

/** Whether nothing is inside. */
export function isEmptyBounds(bounds: Bounds): boolean {
  return !(bounds.minX <= bounds.maxX && bounds.minY <= bounds.maxY);
}

/** Makes `out` empty. */
export function clearBounds(out: Bounds): Bounds {
  out.minX = out.minY = Number.POSITIVE_INFINITY;
  out.maxX = out.maxY = Number.NEGATIVE_INFINITY;
  return out;
}

/** Sets all four sides and gives the same object. */
export function setBounds(out: Bounds, minX: number, minY: number, maxX: number, maxY: number): Bounds {
  out.minX = minX;
  out.minY = minY;
  out.maxX = maxX;
  out.maxY = maxY;
  return out;
}

/** Grows `out` so that it holds `other` too. */
export function unite(out: Bounds, other: Bounds): void {
  if (other.minX < out.minX) out.minX = other.minX;
  if (other.minY < out.minY) out.minY = other.minY;
  if (other.maxX > out.maxX) out.maxX = other.maxX;
  if (other.maxY > out.maxY) out.maxY = other.maxY;
}

/** Whether the two have a point in common. Empty ones never do. */
export function overlaps(a: Bounds, b: Bounds): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}

/** Whether a place is inside, the edge included. */
export function holdsPoint(bounds: Bounds, x: number, y: number): boolean {
  return x >= bounds.minX && x <= bounds.maxX && y >= bounds.minY && y <= bounds.maxY;
}

/** Whether all of `inner` lies in `outer`. */
export function holdsBounds(outer: Bounds, inner: Bounds): boolean {
  return (
    inner.minX >= outer.minX &&
    inner.maxX <= outer.maxX &&
    inner.minY >= outer.minY &&
    inner.maxY <= outer.maxY
  );
}

/** The bounds of a transformed rectangle, into `out`, which may be `from`. */
export function transformBounds(m: Affine2D, from: Bounds, out: Bounds): Bounds {
  if (isEmptyBounds(from)) return clearBounds(out);
  const centerX = (from.minX + from.maxX) / 2;
  const centerY = (from.minY + from.maxY) / 2;
  const halfX = (from.maxX - from.minX) / 2;
  const halfY = (from.maxY - from.minY) / 2;
  const x = m.a * centerX + m.c * centerY + m.x;
  const y = m.b * centerX + m.d * centerY + m.y;
  const reachX = Math.abs(m.a) * halfX + Math.abs(m.c) * halfY;
  const reachY = Math.abs(m.b) * halfX + Math.abs(m.d) * halfY;
  return setBounds(out, x - reachX, y - reachY, x + reachX, y + reachY);
}
