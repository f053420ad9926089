/**
 * Text in Pixi.
 */
import { CanvasTextMetrics, Text, TextStyle } from "pixi.js";
import type { ValueOf } from "../ecs/index.ts";
import { fontName, type Size, type TextBlockSchema } from "../render/index.ts";
import { createNode, type PixiNode } from "./pixi-node.ts";

type TextValue = ValueOf<TextBlockSchema>;

/** Texts smaller than this are drawn larger and scaled down: world units are often metres, not pixels. */
const SMALLEST = 16;

/** About the largest side of a texture in pixels that every GPU supports. Longer texts are painted smaller and scaled up. */
const LARGEST = 8192;

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
      // The last matrix was for another density.
      if (density !== node.density) node.a = Number.NaN;
      node.density = density;
      text.text = value.size > 0 ? value.text : "";
      // A new style repaints the text, so it is set only when it differs.
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

function densityOf({ size, text, lineHeight }: TextValue): number {
  if (size <= 0) return 1;
  const density = size < SMALLEST ? (2 * SMALLEST) / size : 1;
  const lines = text.split("\n");
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 1);
  // Few letters are wider than they are high.
  const side = Math.max(longest, lines.length * Math.max(lineHeight, 1)) * size * density;
  return side > LARGEST ? (density * LARGEST) / side : density;
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
    // A texture without height is refused by the GPU.
    lineHeight: Math.max(fontSize * value.lineHeight, 1),
  });
}
