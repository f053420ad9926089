/**
 * Text as Pixi draws it.
 */
import { CanvasTextMetrics, Text, TextStyle } from "pixi.js";
import type { ValueOf } from "../ecs/index.ts";
import { fontName, type Size, type TextBlockSchema } from "../render/index.ts";
import { createNode, type PixiNode } from "./pixi-node.ts";

type TextValue = ValueOf<TextBlockSchema>;

/** Texts smaller than this are drawn larger and scaled down: world units are often metres, not pixels. */
const SMALLEST = 16;

const aligns = ["left", "center", "right"] as const;

export function createTextNode(fallback: string): PixiNode {
  const text = new Text({ text: "" });
  let style: TextStyle | undefined;
  let styled = "";
  const node = createNode(
    text,
    (drawing) => {
      if (drawing.kind !== "text") return;
      const { value } = drawing;
      const density = densityOf(value);
      // The matrix that was set was for another density.
      if (density !== node.density) node.a = Number.NaN;
      node.density = density;
      text.text = value.size > 0 ? value.text : "";
      // A new style paints the text anew: only when it is another.
      const key = JSON.stringify({
        ...value,
        text: "",
        alpha: 0,
        anchorX: 0,
        anchorY: 0,
        scaleX: 0,
        scaleY: 0,
      });
      if (key !== styled) {
        const before = style;
        style = styleOf(value, fallback);
        styled = key;
        text.style = style;
        before?.destroy();
      }
      text.anchor.set(value.anchorX, value.anchorY);
      text.tint = drawing.tint;
      text.alpha = drawing.alpha;
    },
    () => text.destroy({ style: true, texture: true, textureSource: true }),
  );
  return node;
}

export function measurePixiText(value: TextValue, fallback: string): Size {
  if (value.text === "" || value.size <= 0) return { width: 0, height: 0 };
  const density = densityOf(value);
  const { width, height } = CanvasTextMetrics.measureText(value.text, styleOf(value, fallback));
  return { width: width / density, height: height / density };
}

function densityOf({ size }: TextValue): number {
  return size > 0 && size < SMALLEST ? (2 * SMALLEST) / size : 1;
}

function styleOf(value: TextValue, fallback: string): TextStyle {
  const fontSize = Math.max(value.size, 1e-3) * densityOf(value);
  const name = fontName(value.font);
  return new TextStyle({
    fontFamily: name === "" ? fallback : [name, fallback],
    fontSize,
    fontWeight: value.bold ? "bold" : "normal",
    fontStyle: value.italic ? "italic" : "normal",
    fill: value.color,
    align: aligns[value.align],
    lineHeight: fontSize * Math.max(value.lineHeight, 0),
  });
}
