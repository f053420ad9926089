/**
 * Shapes on a 2D context.
 */
import type { ValueOf } from "../ecs/index.ts";
import {
  type Bounds,
  cssColor,
  emptyBounds,
  type Gradient,
  isEmptyBounds,
  measureShape,
  multiplyColors,
  type ShapeSchema,
  shapeKinds,
  strokeOf,
  type YAxis,
} from "../render/index.ts";
import type { Context2D } from "./context.ts";

type ShapeValue = ValueOf<ShapeSchema>;

/** Draws a shape around 0, 0. Alpha is the context's. */
export function drawShape(context: Context2D, shape: ShapeValue, tint: number, yAxis: YAxis): void {
  context.beginPath();
  trace(context, shape);
  if (shape.kind !== shapeKinds.line && shape.fillAlpha > 0) {
    context.fillStyle =
      shape.gradient === null
        ? cssColor(multiplyColors(shape.fill, tint), shape.fillAlpha)
        : gradientStyle(context, shape.gradient, shape, tint, yAxis);
    context.fill();
  }
  const width = strokeOf(shape);
  if (width <= 0) return;
  context.strokeStyle = cssColor(multiplyColors(shape.stroke, tint), shape.strokeAlpha);
  context.lineWidth = width;
  context.lineJoin = "round";
  context.lineCap = "round";
  context.stroke();
}

function trace(context: Context2D, shape: ShapeValue): void {
  const [width, height, radius] = [Math.abs(shape.width), Math.abs(shape.height), Math.abs(shape.radius)];
  switch (shape.kind) {
    case shapeKinds.circle:
      context.arc(0, 0, radius, 0, 2 * Math.PI);
      break;
    case shapeKinds.ellipse:
      context.ellipse(0, 0, width / 2, height / 2, 0, 0, 2 * Math.PI);
      break;
    case shapeKinds.roundedRect:
      context.roundRect(-width / 2, -height / 2, width, height, Math.min(radius, width / 2, height / 2));
      break;
    case shapeKinds.polygon:
    case shapeKinds.line: {
      const { points } = shape;
      for (let k = 0; k + 1 < points.length; k += 2) {
        if (k === 0) context.moveTo(points[k], points[k + 1]);
        else context.lineTo(points[k], points[k + 1]);
      }
      if (shape.kind === shapeKinds.polygon) context.closePath();
      break;
    }
    default:
      context.rect(-width / 2, -height / 2, width, height);
  }
}

function gradientStyle(
  context: Context2D,
  gradient: Gradient,
  shape: ShapeValue,
  tint: number,
  yAxis: YAxis,
): CanvasGradient | string {
  const bounds: Bounds = measureShape({ ...shape, strokeWidth: 0, strokeAlpha: 0 }, emptyBounds());
  if (isEmptyBounds(bounds)) return cssColor(shape.fill, shape.fillAlpha);
  const width = bounds.maxX - bounds.minX;
  const height = bounds.maxY - bounds.minY;
  const x = (part: number) => bounds.minX + part * width;
  const y = (part: number) => (yAxis === "up" ? bounds.maxY - part * height : bounds.minY + part * height);
  const { x0, y0, x1, y1 } = gradient;
  const style =
    gradient.kind === "linear"
      ? context.createLinearGradient(x(x0), y(y0), x(x1), y(y1))
      : context.createRadialGradient(x(x0), y(y0), 0, x(x0), y(y0), Math.abs(x1) * Math.max(width, height));
  for (const { offset, color, alpha = 1 } of gradient.stops)
    style.addColorStop(offset, cssColor(multiplyColors(color, tint), alpha * shape.fillAlpha));
  return style;
}
