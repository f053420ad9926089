/**
 * Drawn forms: rectangles, circles, polygons, lines.
 */
import {
  type Component,
  component,
  type Field,
  type Init,
  type InputOf,
  named,
  object,
  u8,
} from "../../ecs/index.ts";
import { type ColorField, color } from "./color.ts";
import { type DrawNumber, number } from "./draw-number.ts";
import { type Gradient, wrongGradient } from "./gradient.ts";

/** The values of `Shape.kind`. */
export const shapeKinds = {
  rect: 0,
  roundedRect: 1,
  circle: 2,
  ellipse: 3,
  polygon: 4,
  line: 5,
} as const;

/** The fields of `Shape`. */
export type ShapeSchema = {
  /** One of `shapeKinds`. */
  kind: Field<number, "u8">;
  /** The width of a rectangle or an ellipse. */
  width: DrawNumber;
  /** The height of a rectangle or an ellipse. */
  height: DrawNumber;
  /** The radius of a circle, or of rounded corners. */
  radius: DrawNumber;
  /** The points of a polygon or a line: x, y, x, y, … */
  points: Field<readonly number[], "object">;
  /** The colour inside. */
  fill: ColorField;
  /** How opaque the fill is, from 0 to 1. */
  fillAlpha: DrawNumber;
  /** The colour of the outline. */
  stroke: ColorField;
  /** How opaque the outline is, from 0 to 1. */
  strokeAlpha: DrawNumber;
  /** The width of the outline; 0 draws none. */
  strokeWidth: DrawNumber;
  /** Used in place of `fill`; `null` for none. */
  gradient: Field<Gradient | null, "object">;
  /** The opacity of the whole shape, from 0 to 1. */
  alpha: DrawNumber;
  /** The scale of the drawing along x. Children do not inherit it. */
  scaleX: DrawNumber;
  /** The scale of the drawing along y. Children do not inherit it. */
  scaleY: DrawNumber;
};

/**
 * A form around the entity's origin, in its own coordinates. `rect`, `roundedRect` and `ellipse` have `width` and `height`
 * and are centred; `circle` and `roundedRect` use `radius`; `polygon` (closed) and `line` (open) have `points` x, y, x, y, …
 * A `gradient` replaces `fill`. A `strokeWidth` of 0 draws no stroke, except for a line, which is at least one unit wide.
 * Scale is for drawing only: children do not inherit it.
 */
export const Shape: Component<ShapeSchema> = /* @__PURE__ */ component("Shape", {
  kind: /* @__PURE__ */ named(/* @__PURE__ */ u8(0), [
    "rect",
    "roundedRect",
    "circle",
    "ellipse",
    "polygon",
    "line",
  ]),
  width: /* @__PURE__ */ number(1),
  height: /* @__PURE__ */ number(1),
  radius: /* @__PURE__ */ number(0.5),
  points: /* @__PURE__ */ object((): readonly number[] => [], wrongPoints),
  fill: /* @__PURE__ */ color(0xffffff),
  fillAlpha: /* @__PURE__ */ number(1),
  stroke: /* @__PURE__ */ color(0x000000),
  strokeAlpha: /* @__PURE__ */ number(1),
  strokeWidth: /* @__PURE__ */ number(0),
  gradient: /* @__PURE__ */ object((): Gradient | null => null, wrongGradient),
  alpha: /* @__PURE__ */ number(1),
  scaleX: /* @__PURE__ */ number(1),
  scaleY: /* @__PURE__ */ number(1),
});

/** Fill, stroke and the like of a shape: every field that is not its form. */
export type ShapeStyle = Omit<InputOf<ShapeSchema>, "kind" | "points">;

/** A rectangle around the origin: `world.spawn(rect(40, 20, { fill: 0xff8800 }))`. */
export function rect(width: number, height: number, style: ShapeStyle = {}): Init<ShapeSchema> {
  return Shape({ ...style, kind: shapeKinds.rect, width, height });
}

/** A rectangle with round corners. */
export function roundedRect(
  width: number,
  height: number,
  radius: number,
  style: ShapeStyle = {},
): Init<ShapeSchema> {
  return Shape({ ...style, kind: shapeKinds.roundedRect, width, height, radius });
}

/** A circle around the origin. */
export function circle(radius: number, style: ShapeStyle = {}): Init<ShapeSchema> {
  return Shape({ ...style, kind: shapeKinds.circle, radius });
}

/** An ellipse around the origin. */
export function ellipse(width: number, height: number, style: ShapeStyle = {}): Init<ShapeSchema> {
  return Shape({ ...style, kind: shapeKinds.ellipse, width, height });
}

/** A closed polygon through x, y, x, y, … */
export function polygon(points: readonly number[], style: ShapeStyle = {}): Init<ShapeSchema> {
  return Shape({ ...style, kind: shapeKinds.polygon, points });
}

/** An open line through x, y, x, y, … */
export function line(points: readonly number[], style: ShapeStyle = {}): Init<ShapeSchema> {
  return Shape({ ...style, kind: shapeKinds.line, points });
}

function wrongPoints(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "takes an array of numbers x, y, x, y, …";
  if (value.length % 2 !== 0) return "takes an even number of coordinates: x, y, x, y, …";
  return value.every(Number.isFinite) ? undefined : "takes finite numbers";
}
