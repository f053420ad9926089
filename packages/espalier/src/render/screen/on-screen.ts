/**
 * Drawings in pixels of the screen instead of in the world: scores, bars, buttons, titles.
 */
import { type Component, component, type Field, i16 } from "../../ecs/index.ts";
import { defineInherited, type InheritedDefinition } from "../../inherit/index.ts";
import { type DrawNumber, number } from "../drawings/draw-number.ts";

/** The fields of `OnScreen`. */
export type OnScreenSchema = {
  /** The origin of x, as a fraction of the width: 0 (the default) is the left edge, 1 the right one. */
  anchorX: DrawNumber;
  /**
   * The origin of y, as a fraction of the height, along y of the world: with y up 0 (the default) is the bottom and 1 the top,
   * with y down the reverse.
   */
  anchorY: DrawNumber;
  /**
   * What the anchor refers to: -1 (the default) is the whole screen, 0 the area of the first viewport or of the only camera
   * without its bars, 1 that of the second.
   */
  viewport: Field<number, "i16">;
};

/**
 * Draws the entity and everything below it on the screen, above what all cameras see: one unit is one pixel, positions are
 * relative to the anchor, and
 * y points as in the world. Order, visibility, tint and pointer events work as elsewhere; pointers hit what is on the screen first.
 *
 * It need not be a root: folders above it change nothing, but a transform above it moves it too. The nearest `OnScreen` upwards applies.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const renderer = createRecordingRenderer(space, { width: 320, height: 200 });
 * const bar = world.spawn(OnScreen({ anchorX: 1, anchorY: 1 }), space.at(-60, -20), rect(100, 10));
 * renderer.onScreenAt(260, 20); // → [bar]
 * ```
 */
export const OnScreen: Component<OnScreenSchema> = /* @__PURE__ */ component(
  "OnScreen",
  {
    anchorX: /* @__PURE__ */ number(0),
    anchorY: /* @__PURE__ */ number(0),
    viewport: /* @__PURE__ */ i16(-1),
  },
  { storage: "sparse" },
);

/** The values of the `OnScreen` that applies to an entity. */
export interface ScreenSpot {
  readonly anchorX: number;
  readonly anchorY: number;
  readonly viewport: number;
}

/** The nearest `OnScreen` upwards, including the entity's own; `null` in the world. */
export const nearestOnScreen: InheritedDefinition<OnScreenSchema, ScreenSpot | null> =
  /* @__PURE__ */ defineInherited({
    name: "onScreen",
    component: OnScreen,
    initial: null as ScreenSpot | null,
    combine: (_, { anchorX, anchorY, viewport }): ScreenSpot | null => ({ anchorX, anchorY, viewport }),
    equals: (a, b) =>
      a === b ||
      (a !== null &&
        b !== null &&
        a.anchorX === b.anchorX &&
        a.anchorY === b.anchorY &&
        a.viewport === b.viewport),
  });
