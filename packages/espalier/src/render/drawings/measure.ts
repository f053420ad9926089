/**
 * The sizes of drawings, in their own coordinates.
 */
import { expectArguments, explainThrown, type ValueOf } from "../../ecs/index.ts";
import { type Bounds, clearBounds, setBounds } from "../bounds/bounds.ts";
import type { Size } from "../cameras/camera-view.ts";
import { asDrawing, type Drawing } from "./drawing.ts";
import { type ShapeSchema, shapeKinds } from "./shape.ts";
import type { SpriteSchema } from "./sprite.ts";
import type { TextBlockSchema } from "./text-block.ts";

/** The side of the square that replaces a missing texture. */
export const PLACEHOLDER_SIZE = 32;

/** The measurements that sizes of drawings depend on, besides their values. */
export interface Measures {
  /** The size of a texture, or of one of its frames; `undefined` while it is missing. */
  measureTexture(texture: string, frame: string): Size | undefined;
  /** The size of a text as it would be drawn. */
  measureText(text: ValueOf<TextBlockSchema>): Size;
}

/**
 * The anchor to draw a sprite with. A flip mirrors the picture in its rectangle: as the matrix mirrors at the entity, the
 * anchor goes to the other side.
 */
export function spriteAnchor(sprite: ValueOf<SpriteSchema>): {
  x: number;
  y: number;
} {
  const { anchorX, anchorY, flipX, flipY } = Object(sprite) as ValueOf<SpriteSchema>;
  if (typeof anchorX !== "number" || typeof anchorY !== "number")
    expectArguments("anchor a sprite", ["the sprite", sprite, ["anchorX", "anchorY"]]);
  return { x: flipX ? 1 - anchorX : anchorX, y: flipY ? 1 - anchorY : anchorY };
}

/** The bounds of a drawing in its own coordinates, into `out`. Particles and external nodes are measured elsewhere. */
export function measureDrawing(drawing: Drawing, measures: Measures, out: Bounds): Bounds {
  try {
    return measure(drawing, measures, out);
  } catch (error) {
    throw explainThrown(error, "measure a drawing", asDrawing(drawing), [
      "what measures",
      measures,
      { expected: "an object with measureTexture and measureText", fits: isMeasures },
    ]);
  }
}

function isMeasures(measures: unknown): boolean {
  const { measureTexture, measureText } = Object(measures) as Partial<Measures>;
  return typeof measureTexture === "function" && typeof measureText === "function";
}

function measure(drawing: Drawing, measures: Measures, out: Bounds): Bounds {
  switch (drawing.kind) {
    case "sprite": {
      const { value } = drawing;
      const size = measures.measureTexture(value.texture, value.frame);
      const width = size?.width ?? PLACEHOLDER_SIZE;
      const height = size?.height ?? PLACEHOLDER_SIZE;
      const { anchorX, anchorY, flipX, flipY } = value;
      return anchored(out, width, height, flipX ? 1 - anchorX : anchorX, flipY ? 1 - anchorY : anchorY);
    }
    case "nineSlice": {
      const { width, height, anchorX, anchorY } = drawing.value;
      return anchored(out, width, height, anchorX, anchorY);
    }
    case "tilemap": {
      const { columns, rows, tileWidth, tileHeight, anchorX, anchorY } = drawing.value;
      return anchored(out, columns * tileWidth, rows * tileHeight, anchorX, anchorY);
    }
    case "text": {
      const { width, height } = measures.measureText(drawing.value);
      return anchored(out, width, height, drawing.value.anchorX, drawing.value.anchorY);
    }
    case "shape":
      return measureShape(drawing.value, out);
    default:
      return clearBounds(out);
  }
}

/** The bounds of a shape, stroke included. */
export function measureShape(shape: ValueOf<ShapeSchema>, out: Bounds): Bounds {
  const edge = strokeOf(shape) / 2;
  switch (shape.kind) {
    case shapeKinds.circle:
      return around(out, Math.abs(shape.radius) + edge, Math.abs(shape.radius) + edge);
    case shapeKinds.polygon:
    case shapeKinds.line: {
      clearBounds(out);
      const { points } = shape;
      for (let k = 0; k + 1 < points.length; k += 2) {
        out.minX = Math.min(out.minX, points[k] - edge);
        out.maxX = Math.max(out.maxX, points[k] + edge);
        out.minY = Math.min(out.minY, points[k + 1] - edge);
        out.maxY = Math.max(out.maxY, points[k + 1] + edge);
      }
      return out;
    }
    default:
      return around(out, Math.abs(shape.width) / 2 + edge, Math.abs(shape.height) / 2 + edge);
  }
}

/** How wide the stroke of a shape is drawn. */
export function strokeOf(shape: ValueOf<ShapeSchema>): number {
  if (typeof shape !== "object" || shape === null)
    expectArguments("measure a shape", ["it", shape, "object"]);
  const { kind, strokeWidth, strokeAlpha } = shape;
  if (strokeAlpha <= 0) return 0;
  const width = Math.max(strokeWidth, 0);
  return kind === shapeKinds.line && width === 0 ? 1 : width;
}

function around(out: Bounds, halfX: number, halfY: number): Bounds {
  return setBounds(out, -halfX, -halfY, halfX, halfY);
}

function anchored(out: Bounds, width: number, height: number, anchorX: number, anchorY: number): Bounds {
  const x = -anchorX * width;
  const y = -anchorY * height;
  return setBounds(
    out,
    Math.min(x, x + width),
    Math.min(y, y + height),
    Math.max(x, x + width),
    Math.max(y, y + height),
  );
}
