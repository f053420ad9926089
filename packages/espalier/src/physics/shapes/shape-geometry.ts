/**
 * From a shape in the space of its entity to a form in the space of its body, in metres.
 */
import type { Affine2D } from "../../transform/index.ts";
import type { EngineGeometry } from "../engine.ts";
import type { ColliderShape } from "./shape.ts";

/**
 * The form of a shape under a matrix. Circles and rounded corners have one radius, so under a non-uniform scale they use
 * the larger one. `undefined` if the matrix is degenerate.
 */
export function geometryOf(
  shape: ColliderShape,
  matrix: Affine2D,
  metresPerUnit: number,
): EngineGeometry | undefined {
  const { a, b, c, d } = matrix;
  const determinant = a * d - b * c;
  const scale = Math.max(Math.hypot(a, b), Math.hypot(c, d)) * metresPerUnit;
  if (!(Math.abs(determinant) * metresPerUnit * metresPerUnit > 1e-12)) return undefined;
  const at = (points: readonly number[]) => moved(points, matrix, metresPerUnit);
  switch (shape.type) {
    case "circle": {
      const [x, y] = at([shape.x ?? 0, shape.y ?? 0]);
      return { type: "circle", x, y, radius: shape.radius * scale };
    }
    case "capsule":
      return {
        type: "capsule",
        points: at([shape.x1, shape.y1, shape.x2, shape.y2]),
        radius: shape.radius * scale,
      };
    case "segment":
      return { type: "segment", points: at([shape.x1, shape.y1, shape.x2, shape.y2]), radius: 0 };
    case "box":
      return { type: "polygon", points: at(corners(shape)), radius: (shape.radius ?? 0) * scale };
    case "polygon":
      return { type: "polygon", points: at(flat(shape.points)), radius: (shape.radius ?? 0) * scale };
    case "chain": {
      // A mirrored chain would be solid from the other side.
      const points = determinant < 0 ? [...shape.points].reverse() : shape.points;
      return { type: "chain", points: at(flat(points)), loop: shape.loop ?? false };
    }
  }
}

function corners(box: {
  width: number;
  height: number;
  x?: number;
  y?: number;
  rotation?: number;
}): number[] {
  const { x = 0, y = 0, rotation = 0 } = box;
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  const points: number[] = [];
  for (const [u, v] of [
    [-box.width / 2, -box.height / 2],
    [box.width / 2, -box.height / 2],
    [box.width / 2, box.height / 2],
    [-box.width / 2, box.height / 2],
  ]) {
    points.push(x + cos * u - sin * v, y + sin * u + cos * v);
  }
  return points;
}

function flat(points: readonly { readonly x: number; readonly y: number }[]): number[] {
  return points.flatMap(({ x, y }) => [x, y]);
}

function moved(points: readonly number[], { a, b, c, d, x, y }: Affine2D, metresPerUnit: number): number[] {
  const out: number[] = [];
  for (let k = 0; k < points.length; k += 2) {
    const u = points[k];
    const v = points[k + 1];
    out.push((a * u + c * v + x) * metresPerUnit, (b * u + d * v + y) * metresPerUnit);
  }
  return out;
}
