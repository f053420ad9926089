/**
 * Pictures: a texture, or a frame of one, at an entity.
 */
import {
  type AssetField,
  asset,
  bool,
  type Component,
  component,
  type Field,
  string,
} from "../../ecs/index.ts";
import { type ColorField, color } from "./color.ts";
import { type DrawNumber, number } from "./draw-number.ts";

/** The fields of `Sprite`. */
export type SpriteSchema = {
  /** The name of the texture. */
  texture: AssetField;
  /** The name of a frame in the texture; empty for all of it. */
  frame: Field<string, "string">;
  /** A colour to multiply with. White if left out. */
  tint: ColorField;
  /** How opaque it is, from 0 to 1. 1 if left out. */
  alpha: DrawNumber;
  /** The point of the picture at the entity's origin, as a fraction of its width. 0.5 if left out. */
  anchorX: DrawNumber;
  /** The point of the picture at the entity's origin, as a fraction of its height. 0.5 if left out. */
  anchorY: DrawNumber;
  /** The scale of the drawing along x. Children do not inherit it. */
  scaleX: DrawNumber;
  /** The scale of the drawing along y. Children do not inherit it. */
  scaleY: DrawNumber;
  /** Mirrors the picture from left to right. */
  flipX: Field<boolean, "bool">;
  /** Mirrors the picture from top to bottom. */
  flipY: Field<boolean, "bool">;
};

/**
 * A picture. `texture` is the name the renderer knows it by, `frame` a part of it (empty: all of it). The anchor is the
 * point of the picture that lies on the entity: 0, 0 its top left on the screen, 0.5, 0.5 its centre. Scale and flip are
 * for drawing only: children do not inherit them.
 */
export const Sprite: Component<SpriteSchema> = /* @__PURE__ */ component("Sprite", {
  texture: /* @__PURE__ */ asset("texture"),
  frame: /* @__PURE__ */ string(),
  tint: /* @__PURE__ */ color(),
  alpha: /* @__PURE__ */ number(1),
  anchorX: /* @__PURE__ */ number(0.5),
  anchorY: /* @__PURE__ */ number(0.5),
  scaleX: /* @__PURE__ */ number(1),
  scaleY: /* @__PURE__ */ number(1),
  flipX: /* @__PURE__ */ bool(),
  flipY: /* @__PURE__ */ bool(),
});
