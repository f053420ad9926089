/**
 * Shapes in Pixi: a `Graphics` each, rebuilt only when its form changed.
 */
import { FillGradient, Graphics } from "pixi.js";
import type { ValueOf } from "../ecs/index.ts";
import {
  cssColor,
  type Gradient,
  type ShapeSchema,
  shapeKinds,
  strokeOf,
  type YAxis,
} from "../render/index.ts";
import { createNode, type PixiNode } from "./pixi-node.ts";

type ShapeValue = ValueOf<ShapeSchema>;

export function createShapeNode(yAxis: YAxis): PixiNode {
  const graphics = new Graphics();
  let last: { value: ShapeValue; tint: number; alpha: number } | undefined;
  let gradient: FillGradient | undefined;

  function build(shape: ShapeValue): void {
    graphics.clear();
    gradient?.destroy();
    gradient = undefined;
    trace(graphics, shape);
    if (shape.kind !== shapeKinds.line && shape.fillAlpha > 0) {
      if (shape.gradient === null) graphics.fill({ color: shape.fill, alpha: shape.fillAlpha });
      else {
        gradient = gradientOf(shape.gradient, shape.fillAlpha, yAxis);
        graphics.fill(gradient);
      }
    }
    const width = limited(strokeOf(shape));
    if (width <= 0) return;
    graphics.stroke({ width, color: shape.stroke, alpha: shape.strokeAlpha, join: "round", cap: "round" });
  }

  return createNode(
    graphics,
    (drawing) => {
      if (drawing.kind !== "shape") return;
      // This is also called if no value differs: `world.touch` reports a change inside points or gradient.
      const { value, tint, alpha } = drawing;
      const isTouched = last?.tint === tint && last.alpha === alpha && isSame(last.value, value, []);
      if (last === undefined || isTouched || !isSame(last.value, value, drawnOnly)) build(value);
      last = { value, tint, alpha };
      graphics.tint = tint;
      graphics.alpha = alpha;
    },
    () => {
      graphics.destroy();
      gradient?.destroy();
    },
  );
}

/** Fields that are set without rebuilding. */
const drawnOnly = ["alpha", "scaleX", "scaleY"];

/** Whether two shapes have the same values, except some fields. */
function isSame(a: ShapeValue, b: ShapeValue, except: readonly string[]): boolean {
  const keys = Object.keys(a) as (keyof ShapeValue)[];
  return keys.every((key) => a[key] === b[key] || except.includes(key));
}

/** Pixi draws circles with a number of corners that grows with their size, and runs out of memory at some size. */
const LARGEST = 1e9;

const limited = (value: number) => Math.min(Math.max(value, -LARGEST), LARGEST);

function trace(graphics: Graphics, shape: ShapeValue): void {
  const [width, height, radius] = [shape.width, shape.height, shape.radius].map((size) =>
    Math.abs(limited(size)),
  );
  const points = shape.points.map(limited);
  switch (shape.kind) {
    case shapeKinds.circle:
      graphics.circle(0, 0, radius);
      break;
    case shapeKinds.ellipse:
      graphics.ellipse(0, 0, width / 2, height / 2);
      break;
    case shapeKinds.roundedRect:
      graphics.roundRect(-width / 2, -height / 2, width, height, Math.min(radius, width / 2, height / 2));
      break;
    case shapeKinds.polygon:
      if (points.length >= 6) graphics.poly(points, true);
      break;
    case shapeKinds.line:
      for (let k = 0; k + 1 < points.length; k += 2) {
        if (k === 0) graphics.moveTo(points[k], points[k + 1]);
        else graphics.lineTo(points[k], points[k + 1]);
      }
      break;
    default:
      graphics.rect(-width / 2, -height / 2, width, height);
  }
}

function gradientOf({ kind, x0, y0, x1, y1, stops }: Gradient, alpha: number, yAxis: YAxis): FillGradient {
  const y = (part: number) => (yAxis === "up" ? 1 - part : part);
  const colorStops = stops.map((stop) => ({
    offset: stop.offset,
    color: cssColor(stop.color, (stop.alpha ?? 1) * alpha),
  }));
  if (kind === "linear") {
    return new FillGradient({
      type: "linear",
      start: { x: x0, y: y(y0) },
      end: { x: x1, y: y(y1) },
      colorStops,
      textureSpace: "local",
    });
  }
  const center = { x: x0, y: y(y0) };
  return new FillGradient({
    type: "radial",
    center,
    outerCenter: center,
    innerRadius: 0,
    outerRadius: Math.abs(x1),
    colorStops,
    textureSpace: "local",
  });
}
