/**
 * Text at an entity.
 */
import { bool, type Component, component, type Field, named, string, u8 } from "../../ecs/index.ts";
import { type ColorField, color } from "./color.ts";
import { type DrawNumber, number } from "./draw-number.ts";

/** The values of `TextBlock.align`. */
export const textAligns = { left: 0, center: 1, right: 2 } as const;

/** The fields of `TextBlock`. */
export type TextBlockSchema = {
  text: Field<string, "string">;
  font: Field<string, "string">;
  size: DrawNumber;
  bold: Field<boolean, "bool">;
  italic: Field<boolean, "bool">;
  color: ColorField;
  align: Field<number, "u8">;
  lineHeight: DrawNumber;
  anchorX: DrawNumber;
  anchorY: DrawNumber;
  alpha: DrawNumber;
  scaleX: DrawNumber;
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
    font: /* @__PURE__ */ string(),
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
 * The name of a font as a style sheet can hold it: without quotes, backslashes and line breaks, with which a browser would ignore all
 * of the style and draw in the font of the text before. Empty when nothing is left.
 */
export function fontName(font: string): string {
  return typeof font === "string" ? font.replace(/["\\\p{Cc}]/gu, "").trim() : "";
}
