/**
 * Whether a drawing covers a point: rectangles for pictures and text, the form itself for shapes.
 */
import { explainThrown, type ValueOf } from "../../ecs/index.ts";
import { asDrawing, type Drawing } from "../drawings/drawing.ts";
import { strokeOf } from "../drawings/measure.ts";
import { type ShapeSchema, shapeKinds } from "../drawings/shape.ts";
import { EMPTY_TILE } from "../drawings/tilemap.ts";
import { asBounds, type Bounds, holdsPoint } from "./bounds.ts";

/** Whether the point, in the drawing's own coordinates, is on it. `bounds` are its own bounds. */
export function coversPoint(drawing: Drawing, bounds: Bounds, x: number, y: number): boolean {
  try {
    if (!holdsPoint(bounds, x, y)) return false;
    if (drawing.kind === "shape") return shapeCovers(drawing.value, x, y);
    if (drawing.kind === "tilemap") {
      const { columns, tileWidth, tileHeight, tiles } = drawing.value;
      const column = Math.floor((x - bounds.minX) / tileWidth);
      const row = Math.floor((y - bounds.minY) / tileHeight);
      return column < columns && (tiles[row * columns + column] ?? EMPTY_TILE) >= 0;
    }
    return true;
  } catch (error) {
    throw explainThrown(
      error,
      "look for a point in a drawing",
      asDrawing(drawing),
      asBounds(bounds, "its bounds"),
      ["x", x, "number"],
      ["y", y, "number"],
    );
  }
}

function shapeCovers(shape: ValueOf<ShapeSchema>, x: number, y: number): boolean {
  const edge = strokeOf(shape) / 2;
  const halfX = Math.abs(shape.width) / 2 + edge;
  const halfY = Math.abs(shape.height) / 2 + edge;
  switch (shape.kind) {
    case shapeKinds.circle:
      return Math.hypot(x, y) <= Math.abs(shape.radius) + edge;
    case shapeKinds.ellipse:
      return halfX > 0 && halfY > 0 && (x / halfX) ** 2 + (y / halfY) ** 2 <= 1;
    case shapeKinds.roundedRect: {
      const radius = Math.min(Math.abs(shape.radius) + edge, halfX, halfY);
      const outX = Math.max(Math.abs(x) - (halfX - radius), 0);
      const outY = Math.max(Math.abs(y) - (halfY - radius), 0);
      return Math.hypot(outX, outY) <= radius || outX === 0 || outY === 0;
    }
    case shapeKinds.polygon:
      return isInside(shape.points, x, y) || (edge > 0 && isNear(shape.points, true, x, y, edge));
    case shapeKinds.line:
      return isNear(shape.points, false, x, y, edge);
    default:
      return true;
  }
}

/** Even-odd: how often a ray to the right crosses the outline. */
function isInside(points: readonly number[], x: number, y: number): boolean {
  let inside = false;
  const last = points.length - 2;
  for (let k = 0, before = last; k + 1 < points.length; before = k, k += 2) {
    const [y0, y1] = [points[before + 1], points[k + 1]];
    if (y0 > y === y1 > y) continue;
    const crossing = points[before] + ((y - y0) / (y1 - y0)) * (points[k] - points[before]);
    if (x < crossing) inside = !inside;
  }
  return inside;
}

/** Whether the point is at most `reach` away from the line through `points`. */
function isNear(points: readonly number[], closed: boolean, x: number, y: number, reach: number): boolean {
  const count = points.length / 2;
  for (let k = 0; k < (closed ? count : count - 1); k++) {
    const [a, b] = [k * 2, ((k + 1) % count) * 2];
    const [dx, dy] = [points[b] - points[a], points[b + 1] - points[a + 1]];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : ((x - points[a]) * dx + (y - points[a + 1]) * dy) / length;
    const t = Math.min(1, Math.max(0, along));
    if (Math.hypot(x - points[a] - t * dx, y - points[a + 1] - t * dy) <= reach) return true;
  }
  return false;
}
