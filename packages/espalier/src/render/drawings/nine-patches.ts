/**
 * The nine parts of a stretched picture: the location of each in the texture, and where it is drawn.
 */
import { expectArguments, type ValueOf } from "../../ecs/index.ts";
import type { Rectangle, Size } from "../cameras/camera-view.ts";
import type { NineSliceSchema } from "./nine-slice.ts";

/** One of the nine parts of a picture: where it is cut from and where it is drawn. */
export interface Patch {
  /** The part of the texture that is taken. */
  readonly from: Rectangle;
  /** Where it is drawn. */
  readonly to: Rectangle;
}

/** The parts that are not empty, row by row. Rectangles in the texture are relative to the frame, drawn ones to the anchor. */
export function ninePatches(slice: ValueOf<NineSliceSchema>, texture: Size): Patch[] {
  expectArguments(
    "cut a picture into nine parts",
    ["the slice", slice, ["left", "top", "right", "bottom", "width", "height", "anchorX?", "anchorY?"]],
    ["the size of the texture", texture, ["width", "height"]],
  );
  const x = cuts(slice.left, slice.right, texture.width, slice.width);
  const y = cuts(slice.top, slice.bottom, texture.height, slice.height);
  const [left, top] = [-slice.anchorX * slice.width, -slice.anchorY * slice.height];
  const patches: Patch[] = [];
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      const from = part(x.from, y.from, column, row, 0, 0);
      const to = part(x.to, y.to, column, row, left, top);
      if (from.width > 0 && from.height > 0 && to.width > 0 && to.height > 0) patches.push({ from, to });
    }
  }
  return patches;
}

/** Where a side is cut in the texture and when drawn. Corners that do not fit shrink together. */
function cuts(first: number, last: number, size: number, drawn: number): { from: number[]; to: number[] } {
  const [a, b] = [Math.max(first, 0), Math.max(last, 0)];
  const inTexture = Math.min(1, size / (a + b || 1));
  const onScreen = Math.min(1, Math.max(drawn, 0) / (a * inTexture + b * inTexture || 1)) * inTexture;
  return {
    from: [0, a * inTexture, size - b * inTexture, size],
    to: [0, a * onScreen, Math.max(drawn, 0) - b * onScreen, Math.max(drawn, 0)],
  };
}

function part(x: number[], y: number[], column: number, row: number, left: number, top: number): Rectangle {
  return {
    x: left + x[column],
    y: top + y[row],
    width: x[column + 1] - x[column],
    height: y[row + 1] - y[row],
  };
}
