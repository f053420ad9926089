/**
 * Problems with the shapes of a collider, as text. Checked when a collider is added or set, when a scene is loaded,
 * and again, in every build, before shapes reach the engine.
 */
import { describeValue } from "../../ecs/index.ts";
import type { ColliderShape, ShapePoint } from "../shapes/shape.ts";

/** The maximum number of points of a polygon, for all engines. */
export const MAX_POLYGON_POINTS = 8;

/** Why `shapes` is not a list of shapes; `undefined` when it is. */
export function shapesProblem(shapes: unknown): string | undefined {
  if (!Array.isArray(shapes)) return 'takes an array of shapes, such as [{ type: "circle", radius: 1 }]';
  for (let k = 0; k < shapes.length; k++) {
    const why = shapeProblem(shapes[k]);
    if (why !== undefined) return `cannot take shapes[${k}]: ${why}`;
  }
  return undefined;
}

type Loose = { readonly [key: string]: unknown };

/** The required number fields of each type, besides the fields that all may have. */
const needed: { readonly [type: string]: readonly string[] } = {
  box: ["width", "height"],
  circle: ["radius"],
  capsule: ["x1", "y1", "x2", "y2", "radius"],
  polygon: [],
  segment: ["x1", "y1", "x2", "y2"],
  chain: [],
};

const numbers = ["x", "y", "rotation", "radius", "density", "friction", "restitution", "group"];
const atLeastZero = ["radius", "density", "friction", "restitution"];

/** Why `shape` is not a valid shape; `undefined` when it is. */
export function shapeProblem(shape: unknown): string | undefined {
  if (typeof shape !== "object" || shape === null) return "it is not an object";
  const loose = shape as Loose;
  const fields =
    typeof loose.type === "string" && Object.hasOwn(needed, loose.type) ? needed[loose.type] : undefined;
  if (fields === undefined)
    return `its type is ${describeValue(loose.type)}, not one of ${Object.keys(needed).join(", ")}`;
  const field = numberProblem(loose, fields) ?? materialProblem(loose);
  return field ?? formProblem(shape as ColliderShape);
}

function numberProblem(shape: Loose, fields: readonly string[]): string | undefined {
  for (const name of fields)
    if (!isFinite32(shape[name])) return `${name} must be a finite number, got ${describeValue(shape[name])}`;
  for (const name of numbers) {
    if (shape[name] !== undefined && !isFinite32(shape[name]))
      return `${name} must be a finite number, got ${describeValue(shape[name])}`;
  }
  for (const name of atLeastZero) {
    if ((shape[name] as number) < 0) return `${name} must not be negative, got ${describeValue(shape[name])}`;
  }
  return undefined;
}

function materialProblem(shape: Loose): string | undefined {
  const { layer, collidesWith, sensor, group } = shape;
  if (layer !== undefined && typeof layer !== "string") return "layer must be the name of a layer";
  if (sensor !== undefined && typeof sensor !== "boolean") return "sensor must be true or false";
  if (group !== undefined && !Number.isInteger(group)) return "group must be an integer";
  if (collidesWith === undefined) return undefined;
  if (Array.isArray(collidesWith) && collidesWith.every((name) => typeof name === "string")) return undefined;
  return "collidesWith must be an array of layer names";
}

function formProblem(shape: ColliderShape): string | undefined {
  switch (shape.type) {
    case "box":
      return shape.width > 0 && shape.height > 0 ? undefined : "a box needs a width and a height above 0";
    case "circle":
      return shape.radius > 0 ? undefined : "a circle needs a radius above 0";
    case "capsule":
      return shape.radius > 0 ? undefined : "a capsule needs a radius above 0";
    case "polygon":
      return pointsProblem(shape.points, 3) ?? polygonProblem(shape.points);
    case "segment":
      return shape.x1 === shape.x2 && shape.y1 === shape.y2 ? "its two ends are one point" : undefined;
    case "chain":
      if (shape.sensor) return "a chain cannot be a sensor; use a polygon or segments";
      return pointsProblem(shape.points, shape.loop ? 3 : 2) ?? repeatedPoint(shape.points);
  }
}

function pointsProblem(points: unknown, least: number): string | undefined {
  if (!Array.isArray(points) || points.length < least) return `it needs an array of at least ${least} points`;
  const bad = points.findIndex((point) => !isFinite32(point?.x) || !isFinite32(point?.y));
  return bad < 0 ? undefined : `points[${bad}] must have finite x and y`;
}

/** Why points are not a convex outline with an area, as the engine requires; `undefined` when they are. */
export function polygonProblem(points: readonly ShapePoint[]): string | undefined {
  if (points.length > MAX_POLYGON_POINTS) {
    return `a polygon has at most ${MAX_POLYGON_POINTS} points, got ${points.length}; split it into several shapes`;
  }
  let left = 0;
  let right = 0;
  for (let k = 0; k < points.length; k++) {
    const a = points[k] as ShapePoint;
    const b = points[(k + 1) % points.length] as ShapePoint;
    const c = points[(k + 2) % points.length] as ShapePoint;
    const cross = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    // Relative to the sides, so that a large straight outline does not count as bent by rounding.
    const scale = Math.hypot(b.x - a.x, b.y - a.y) * Math.hypot(c.x - b.x, c.y - b.y);
    if (cross > scale * 1e-6) left++;
    else if (cross < -scale * 1e-6) right++;
  }
  if (left > 0 && right > 0) return "a polygon must be convex; split it into several shapes";
  return left + right < 3 ? "the polygon has no area" : undefined;
}

function repeatedPoint(points: readonly ShapePoint[]): string | undefined {
  const at = points.findIndex(
    (point, k) => k > 0 && point.x === points[k - 1]!.x && point.y === points[k - 1]!.y,
  );
  return at < 0 ? undefined : `points[${at}] repeats the point before it`;
}

function isFinite32(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(Math.fround(value));
}
