/**
 * Rectangles with sides along the axes. An empty one has its minimum above its maximum.
 */
import { type ExpectedArgument, explainThrown } from "../../ecs/index.ts";
import type { Affine2D } from "../../transform/index.ts";

/** A box along the axes, by its corners. */
export interface Bounds {
  /** The least x. */
  minX: number;
  /** The least y. */
  minY: number;
  /** The greatest x. */
  maxX: number;
  /** The greatest y. */
  maxY: number;
}

const sides = ["minX", "minY", "maxX", "maxY"];

/** The expected form of bounds, for messages about invalid ones. */
export function asBounds(bounds: unknown, what = "it"): ExpectedArgument {
  return [what, bounds, sides];
}

/** The expected form of an output object. */
function asOut(out: unknown): ExpectedArgument {
  const expected = "an object that takes bounds. Pass what emptyBounds() returned";
  return ["out", out, { expected, fits: isWritable }];
}

function isWritable(out: unknown): boolean {
  return typeof out === "object" && out !== null && !Object.isFrozen(out);
}

/** Empty bounds: united with others they give the others. */
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
  try {
    return !(bounds.minX <= bounds.maxX && bounds.minY <= bounds.maxY);
  } catch (error) {
    throw explainThrown(error, "look at bounds", asBounds(bounds));
  }
}

/** Makes `out` empty. */
export function clearBounds(out: Bounds): Bounds {
  try {
    out.minX = out.minY = Number.POSITIVE_INFINITY;
    out.maxX = out.maxY = Number.NEGATIVE_INFINITY;
    return out;
  } catch (error) {
    throw explainThrown(error, "clear bounds", asOut(out));
  }
}

/** Sets all four sides and returns the same object. */
export function setBounds(out: Bounds, minX: number, minY: number, maxX: number, maxY: number): Bounds {
  try {
    out.minX = minX;
    out.minY = minY;
    out.maxX = maxX;
    out.maxY = maxY;
    return out;
  } catch (error) {
    throw explainThrown(error, "set bounds", asOut(out));
  }
}

/** Extends `out` so that it contains `other` too. */
export function unite(out: Bounds, other: Bounds): void {
  try {
    if (other.minX < out.minX) out.minX = other.minX;
    if (other.minY < out.minY) out.minY = other.minY;
    if (other.maxX > out.maxX) out.maxX = other.maxX;
    if (other.maxY > out.maxY) out.maxY = other.maxY;
  } catch (error) {
    throw explainThrown(error, "unite bounds", asBounds(out, "out"), asBounds(other, "the other"));
  }
}

/** Whether the two have a point in common. Empty ones never do. */
export function overlaps(a: Bounds, b: Bounds): boolean {
  try {
    return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
  } catch (error) {
    throw explainThrown(error, "compare bounds", asBounds(a, "the first"), asBounds(b, "the second"));
  }
}

/** Whether a point is inside, including the edge. */
export function holdsPoint(bounds: Bounds, x: number, y: number): boolean {
  try {
    return x >= bounds.minX && x <= bounds.maxX && y >= bounds.minY && y <= bounds.maxY;
  } catch (error) {
    throw explainThrown(error, "look for a point", asBounds(bounds), ["x", x, "number"], ["y", y, "number"]);
  }
}

/** Whether `outer` contains all of `inner`. */
export function holdsBounds(outer: Bounds, inner: Bounds): boolean {
  try {
    return (
      inner.minX >= outer.minX &&
      inner.maxX <= outer.maxX &&
      inner.minY >= outer.minY &&
      inner.maxY <= outer.maxY
    );
  } catch (error) {
    throw explainThrown(error, "compare bounds", asBounds(outer, "the outer"), asBounds(inner, "the inner"));
  }
}

/** The bounds of a transformed rectangle, into `out`, which may be `from`. */
export function transformBounds(m: Affine2D, from: Bounds, out: Bounds): Bounds {
  try {
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
  } catch (error) {
    const matrix: ExpectedArgument = ["the matrix", m, ["a", "b", "c", "d", "x", "y"]];
    throw explainThrown(error, "transform bounds", matrix, asBounds(from, "what is transformed"), asOut(out));
  }
}
