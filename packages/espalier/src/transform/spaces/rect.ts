/**
 * Rectangles inside rectangles: user interfaces. Ready to use, and the example of a space that is no affine transform.
 */
import { type Component, component, type Field, f64, finite } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { requireNumbers } from "../checks/arguments.ts";
import { requireWorld } from "../checks/check-numbers.ts";
import { defineTransform, type SpaceDefinition, type SpaceOptions } from "./define-transform.ts";
import { createSpace, type Space } from "./space.ts";

type Number64 = Field<number, "f64">;

/** The fields of a rectangle component. */
export type RectSchema = {
  /** The left edge of the frame, as a fraction of the parent's width. */
  anchorMinX: Number64;
  /** The upper edge of the frame, as a fraction of the parent's height. */
  anchorMinY: Number64;
  /** The right edge of the frame, as a fraction of the parent's width. */
  anchorMaxX: Number64;
  /** The lower edge of the frame, as a fraction of the parent's height. */
  anchorMaxY: Number64;
  /** The point of the rectangle that `x` places, as a fraction of its width. */
  pivotX: Number64;
  /** The point of the rectangle that `y` places, as a fraction of its height. */
  pivotY: Number64;
  /** Moves the pivot to the right from its position in the frame. */
  x: Number64;
  /** Moves the pivot down from its position in the frame. */
  y: Number64;
  /** Added to the width of the frame. */
  width: Number64;
  /** Added to the height of the frame. */
  height: Number64;
};

const number = (initial: number) => finite(f64(initial));

/**
 * A rectangle as seen from its parent's. The anchors are a frame inside the parent, in fractions of its size; `width` and
 * `height` are added to the size of that frame; `x` and `y` move the pivot from its position in the frame. Anchors at one
 * point give a fixed size, anchors at opposite corners stretch.
 */
export const RectTransform: Component<RectSchema> = /* @__PURE__ */ component("RectTransform", {
  anchorMinX: /* @__PURE__ */ number(0),
  anchorMinY: /* @__PURE__ */ number(0),
  anchorMaxX: /* @__PURE__ */ number(0),
  anchorMaxY: /* @__PURE__ */ number(0),
  pivotX: /* @__PURE__ */ number(0),
  pivotY: /* @__PURE__ */ number(0),
  x: /* @__PURE__ */ number(0),
  y: /* @__PURE__ */ number(0),
  width: /* @__PURE__ */ number(0),
  height: /* @__PURE__ */ number(0),
});

/** The space of rectangles. A world value is x, y, width, height. */
export const rectSpace: SpaceDefinition<RectSchema> = /* @__PURE__ */ defineTransform({
  name: "rect",
  local: RectTransform,
  world: [0, 0, 0, 0],
  compose(parent, p, local, out, o) {
    out[o + 2] = parent[p + 2] * (local.anchorMaxX - local.anchorMinX) + local.width;
    out[o + 3] = parent[p + 3] * (local.anchorMaxY - local.anchorMinY) + local.height;
    out[o] = local.x + originOf(parent, p, local.anchorMinX, local.anchorMaxX, local.pivotX, out[o + 2]);
    out[o + 1] =
      local.y + originOf(parent, p + 1, local.anchorMinY, local.anchorMaxY, local.pivotY, out[o + 3]);
  },
  invert(parent, p, wanted, w, local) {
    const [x, y, width, height] = wanted.subarray(w);
    return {
      width: width - parent[p + 2] * (local.anchorMaxX - local.anchorMinX),
      height: height - parent[p + 3] * (local.anchorMaxY - local.anchorMinY),
      x: x - originOf(parent, p, local.anchorMinX, local.anchorMaxX, local.pivotX, width),
      y: y - originOf(parent, p + 1, local.anchorMinY, local.anchorMaxY, local.pivotY, height),
    };
  },
});

/** Where a rectangle of this size begins along one axis if its pivot is at its position in the frame. */
function originOf(
  parent: Float64Array,
  p: number,
  min: number,
  max: number,
  pivot: number,
  size: number,
): number {
  const parentSize = parent[p + 2];
  return parent[p] + parentSize * min + (parentSize * (max - min) - size) * pivot;
}

/**
 * Lays rectangles out inside a screen of the given size; `setRoot([x, y, width, height])` changes it. Moves that should
 * not move anything on the screen say `{ keep: "rect" }`.
 *
 * @example
 * ```ts
 * const layout = createRectTransforms(tree, { width: 800, height: 600 });
 * const panel = world.spawn(RectTransform({ x: 100, y: 50, width: 200, height: 400 }));
 * const bar = tree.attachNew(panel, RectTransform({ anchorMaxX: 1, height: 20 }));
 * layout.worldOf(bar); // → [100, 50, 200, 20]
 * ```
 */
export function createRectTransforms(
  tree: Hierarchy,
  screen: { readonly width: number; readonly height: number },
  options: SpaceOptions = {},
): Space<RectSchema> {
  requireNumbers(screen, ["width", "height"], "lay out rectangles", "the screen");
  const root = [0, 0, screen.width, screen.height];
  // Before the space is there: nothing has changed when this throws.
  requireWorld({ tree, component: RectTransform, name: rectSpace.name }, undefined, root.length, root);
  const space = createSpace(tree, rectSpace, options);
  space.setRoot(root);
  return space;
}
