/**
 * Text at an entity.
 */
import {
  type AssetField,
  asset,
  bool,
  type Component,
  component,
  type Field,
  named,
  string,
  u8,
} from "../../ecs/index.ts";
import { type ColorField, color } from "./color.ts";
import { type DrawNumber, number } from "./draw-number.ts";

/** The values of `TextBlock.align`. */
export const textAligns = { left: 0, center: 1, right: 2 } as const;

/** The fields of `TextBlock`. */
export type TextBlockSchema = {
  /** The text; line breaks begin new lines. */
  text: Field<string, "string">;
  /** The name of a font family; empty for the renderer's default. */
  font: AssetField;
  /** The size of the letters in units of the entity. 16 if left out. */
  size: DrawNumber;
  /** Whether letters are bold. */
  bold: Field<boolean, "bool">;
  /** Whether letters are italic. */
  italic: Field<boolean, "bool">;
  /** The colour of the letters. White if left out. */
  color: ColorField;
  /** How lines are aligned: one of `textAligns`. Left if left out. */
  align: Field<number, "u8">;
  /** The distance of two lines as a multiple of `size`. 1.25 if left out. */
  lineHeight: DrawNumber;
  /** The point of the text at the entity's origin, as a fraction of its width. 0.5 if left out. */
  anchorX: DrawNumber;
  /** The point of the text at the entity's origin, as a fraction of its height. 0.5 if left out. */
  anchorY: DrawNumber;
  /** How opaque it is, from 0 to 1. 1 if left out. */
  alpha: DrawNumber;
  /** The scale of the drawing along x. Children do not inherit it. */
  scaleX: DrawNumber;
  /** The scale of the drawing along y. Children do not inherit it. */
  scaleY: DrawNumber;
};

/**
 * One or more lines of text, separated by line breaks. `font` is the name of a font family; empty means the renderer's
 * default. `size` is in units of the entity, `lineHeight` a multiple of it. Always upright and never mirrored on the
 * screen, whichever way y points.
 */
export const TextBlock: Component<TextBlockSchema> = /* @__PURE__ */ component(
  "TextBlock",
  {
    text: /* @__PURE__ */ string(),
    font: /* @__PURE__ */ asset("font"),
    size: /* @__PURE__ */ number(16),
    bold: /* @__PURE__ */ bool(),
    italic: /* @__PURE__ */ bool(),
    color: /* @__PURE__ */ color(0xffffff),
    align: /* @__PURE__ */ named(/* @__PURE__ */ u8(0), ["left", "center", "right"]),
    lineHeight: /* @__PURE__ */ number(1.25),
    anchorX: /* @__PURE__ */ number(0.5),
    anchorY: /* @__PURE__ */ number(0.5),
    alpha: /* @__PURE__ */ number(1),
    scaleX: /* @__PURE__ */ number(1),
    scaleY: /* @__PURE__ */ number(1),
  },
  { storage: "sparse" },
);

/**
 * The name of a font as a style sheet can hold it: without quotes, backslashes and line breaks, which would make a browser ignore the
 * style and use the font of the previous text. Empty when nothing is left.
 */
export function fontName(font: string): string {
  return typeof font === "string" ? font.replace(/["\\\p{Cc}]/gu, "").trim() : "";
}
