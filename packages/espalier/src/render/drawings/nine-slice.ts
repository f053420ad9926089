/**
 * Pictures that stretch in the middle and keep their corners: panels, buttons, speech bubbles.
 */
import { type Component, component, type Field, string } from "../../ecs/index.ts";
import { type ColorField, color } from "./color.ts";
import { type DrawNumber, number } from "./draw-number.ts";

/** The fields of `NineSlice`. */
export type NineSliceSchema = {
  texture: Field<string, "string">;
  frame: Field<string, "string">;
  left: DrawNumber;
  top: DrawNumber;
  right: DrawNumber;
  bottom: DrawNumber;
  width: DrawNumber;
  height: DrawNumber;
  tint: ColorField;
  alpha: DrawNumber;
  anchorX: DrawNumber;
  anchorY: DrawNumber;
};

/**
 * A texture drawn at any size. The outer `left`, `top`, `right` and `bottom` pixels of it keep their size; what is between
 * them is stretched. Where the size is too small for the corners they shrink together.
 */
export const NineSlice: Component<NineSliceSchema> = /* @__PURE__ */ component(
  "NineSlice",
  {
    texture: /* @__PURE__ */ string(),
    frame: /* @__PURE__ */ string(),
    left: /* @__PURE__ */ number(8),
    top: /* @__PURE__ */ number(8),
    right: /* @__PURE__ */ number(8),
    bottom: /* @__PURE__ */ number(8),
    width: /* @__PURE__ */ number(64),
    height: /* @__PURE__ */ number(64),
    tint: /* @__PURE__ */ color(),
    alpha: /* @__PURE__ */ number(1),
    anchorX: /* @__PURE__ */ number(0.5),
    anchorY: /* @__PURE__ */ number(0.5),
  },
  { storage: "sparse" },
);
