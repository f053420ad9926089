/**
 * Text on a 2D context.
 */
import type { ValueOf } from "../ecs/index.ts";
import {
  cssColor,
  fontName,
  multiplyColors,
  type Size,
  type TextBlockSchema,
  textAligns,
} from "../render/index.ts";
import type { Context2D } from "./context.ts";

type TextValue = ValueOf<TextBlockSchema>;

/** The font of a text in the form for a 2D context. */
export function fontOf({ font, size, bold, italic }: TextValue, fallback: string): string {
  const name = fontName(font);
  const family = name === "" ? fallback : `"${name}", ${fallback}`;
  return `${italic ? "italic " : ""}${bold ? "bold " : ""}${Math.max(size, 0)}px ${family}`;
}

/** The size of a drawn text. */
export function measureText(context: Context2D, text: TextValue, fallback: string): Size {
  context.font = fontOf(text, fallback);
  const lines = text.text.split("\n");
  let width = 0;
  for (const line of lines) width = Math.max(width, context.measureText(line).width);
  return { width, height: lines.length * lineHeightOf(text) };
}

/** Draws a text with its anchor at 0, 0. Alpha is the context's. */
export function drawText(context: Context2D, text: TextValue, tint: number, fallback: string): void {
  if (text.text === "" || text.size <= 0) return;
  const { width, height } = measureText(context, text, fallback);
  const [left, top] = [-text.anchorX * width, -text.anchorY * height];
  const lineHeight = lineHeightOf(text);
  const isRight = text.align === textAligns.right;
  const isCentred = text.align === textAligns.center;
  context.fillStyle = cssColor(multiplyColors(text.color, tint), 1);
  context.textBaseline = "middle";
  context.textAlign = isCentred ? "center" : isRight ? "right" : "left";
  const x = left + (isCentred ? width / 2 : isRight ? width : 0);
  for (const [k, line] of text.text.split("\n").entries())
    context.fillText(line, x, top + (k + 0.5) * lineHeight);
}

function lineHeightOf({ size, lineHeight }: TextValue): number {
  return Math.max(size, 0) * Math.max(lineHeight, 0);
}
