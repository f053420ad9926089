/**
 * Pictures that stretch in the middle and keep their corners: panels, buttons, speech bubbles.
 */
import { type AssetField, asset, type Component, component, type Field, string } from "../../ecs/index.ts";
import { type ColorField, color } from "./color.ts";
import { type DrawNumber, number } from "./draw-number.ts";

/** The fields of `NineSlice`. */
export type NineSliceSchema = {
  /** The name of the texture. */
  texture: AssetField;
  /** The name of a frame in the texture; empty for all of it. */
  frame: Field<string, "string">;
  /** Pixels at the left edge that keep their size. 8 if left out. */
  left: DrawNumber;
  /** Pixels at the upper edge that keep their size. 8 if left out. */
  top: DrawNumber;
  /** Pixels at the right edge that keep their size. 8 if left out. */
  right: DrawNumber;
  /** Pixels at the lower edge that keep their size. 8 if left out. */
  bottom: DrawNumber;
  /** The width it is drawn with. 64 if left out. */
  width: DrawNumber;
  /** The height it is drawn with. 64 if left out. */
  height: DrawNumber;
  /** A colour to multiply with. White if left out. */
  tint: ColorField;
  /** How opaque it is, from 0 to 1. 1 if left out. */
  alpha: DrawNumber;
  /** The point of the picture at the entity's origin, as a fraction of its width. 0.5 if left out. */
  anchorX: DrawNumber;
  /** The point of the picture at the entity's origin, as a fraction of its height. 0.5 if left out. */
  anchorY: DrawNumber;
};

/**
 * A texture drawn at any size. Its outer `left`, `top`, `right` and `bottom` pixels keep their size; the rest
 * is stretched. If the size is too small for the corners they shrink together.
 */
export const NineSlice: Component<NineSliceSchema> = /* @__PURE__ */ component(
  "NineSlice",
  {
    texture: /* @__PURE__ */ asset("texture"),
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
