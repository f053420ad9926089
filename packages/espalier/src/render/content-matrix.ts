/**
 * From a drawing's own coordinates to the world: own scale and flip, and for pictures the turn from y downwards to the y of
 * the world.
 */
import type { Affine2D } from "../transform/index.ts";
import type { YAxis } from "./camera-view.ts";
import { type Drawing, drawingKinds } from "./drawing.ts";

/** Scales `matrix`, the world matrix of the entity, in place. */
export function toContent(matrix: Affine2D, drawing: Drawing, rank: number, yAxis: YAxis): Affine2D {
  let [scaleX, scaleY] = [1, 1];
  if (drawing.kind === "sprite") {
    const { value } = drawing;
    scaleX = value.flipX ? -value.scaleX : value.scaleX;
    scaleY = value.flipY ? -value.scaleY : value.scaleY;
  } else if (drawing.kind === "shape" || drawing.kind === "text") {
    scaleX = drawing.value.scaleX;
    scaleY = drawing.value.scaleY;
  } else if (drawing.kind === "particles" && drawing.value.worldSpace) {
    // They are where they were emitted, wherever the entity is now.
    matrix.a = matrix.d = 1;
    matrix.b = matrix.c = matrix.x = matrix.y = 0;
    return matrix;
  }
  if (yAxis === "up" && drawingKinds[rank].isPicture) scaleY = -scaleY;
  matrix.a *= scaleX;
  matrix.b *= scaleX;
  matrix.c *= scaleY;
  matrix.d *= scaleY;
  return matrix;
}
