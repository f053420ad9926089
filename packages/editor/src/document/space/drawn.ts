/**
 * What is drawn of an entity, in its own coordinates: the values of the drawing components, found by name in the format of
 * the document, so that a scene without them needs nothing of the renderer.
 */
import type { Component, Entity, Schema } from "espalier";
import type { EditorDocument } from "../document.ts";
import type { Rect } from "./rect.ts";
import type { TextStyle } from "./text-style.ts";

interface ShapeValues {
  readonly kind: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly points: readonly number[];
  readonly strokeWidth: number;
  readonly scaleX: number;
  readonly scaleY: number;
}

interface AnchoredValues {
  readonly anchorX: number;
  readonly anchorY: number;
  readonly scaleX: number;
  readonly scaleY: number;
}

interface TextValues extends AnchoredValues, TextStyle {
  readonly text: string;
  readonly lineHeight: number;
}

/** The values of a component by its name; `undefined` where the format or the entity does not have it. */
export function valuesOf<Values>(document: EditorDocument, entity: Entity, name: string): Values | undefined {
  const component = document.format.component(name) as Component<Schema> | undefined;
  if (component === undefined || !document.world.has(entity, component)) return undefined;
  return document.world.get(entity, component) as Values;
}

/** The rectangle of what is drawn; `undefined` where nothing is. */
export function localBounds(document: EditorDocument, entity: Entity): Rect | undefined {
  const shape = valuesOf<ShapeValues>(document, entity, "Shape");
  if (shape !== undefined) return scaled(shapeBounds(shape), shape);
  const sprite = valuesOf<AnchoredValues & { texture: string }>(document, entity, "Sprite");
  if (sprite !== undefined) {
    const { width, height } = document.textureSize(sprite.texture);
    return scaled(anchored(width, height, sprite), sprite);
  }
  const text = valuesOf<TextValues>(document, entity, "TextBlock");
  if (text !== undefined) {
    const lines = text.text.split("\n");
    const width = lines.reduce((most, line) => Math.max(most, document.textWidth(line, text)), 0);
    return scaled(anchored(width, lines.length * text.size * text.lineHeight, text), text);
  }
  return undefined;
}

function shapeBounds({ kind, width, height, radius, points, strokeWidth }: ShapeValues): Rect {
  const half = strokeWidth / 2;
  if (kind === 2) return around(radius * 2 + strokeWidth, radius * 2 + strokeWidth);
  if (kind < 4 || points.length < 2) return around(width + strokeWidth, height + strokeWidth);
  // A loop: the points of a long line are too many for the arguments of one call.
  const rect = {
    left: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (let k = 0; k + 1 < points.length; k += 2) {
    const [x, y] = [points[k] as number, points[k + 1] as number];
    rect.left = Math.min(rect.left, x - half);
    rect.right = Math.max(rect.right, x + half);
    rect.top = Math.min(rect.top, y - half);
    rect.bottom = Math.max(rect.bottom, y + half);
  }
  return rect;
}

function around(width: number, height: number): Rect {
  return { left: -width / 2, right: width / 2, top: -height / 2, bottom: height / 2 };
}

function anchored(width: number, height: number, { anchorX, anchorY }: AnchoredValues): Rect {
  return {
    left: -anchorX * width,
    right: (1 - anchorX) * width,
    top: -anchorY * height,
    bottom: (1 - anchorY) * height,
  };
}

function scaled(rect: Rect, { scaleX, scaleY }: { readonly scaleX: number; readonly scaleY: number }): Rect {
  const xs = [rect.left * scaleX, rect.right * scaleX];
  const ys = [rect.top * scaleY, rect.bottom * scaleY];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
