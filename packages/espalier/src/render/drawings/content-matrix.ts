/**
 * From a drawing's own coordinates to the world: own scale and flip, and for pictures the flip from y downwards to the y of
 * the world.
 */
import type { Affine2D } from "../../transform/index.ts";
import type { YAxis } from "../cameras/camera-view.ts";
import { type Drawing, drawingKinds } from "./drawing.ts";

/** What a drawing adds to the world matrix of its entity. */
export interface ContentScale {
  scaleX: number;
  scaleY: number;
  /** Whether it does not follow the entity, as particles that stay where they were emitted. */
  isFree: boolean;
}

/** Reads the scale of a drawing from its values. */
export function readScale(drawing: Drawing, rank: number, yAxis: YAxis, out: ContentScale): void {
  const { value } = drawing;
  out.isFree = drawing.kind === "particles" && drawing.value.worldSpace;
  out.scaleX = value !== null && "scaleX" in value ? value.scaleX : 1;
  out.scaleY = value !== null && "scaleY" in value ? value.scaleY : 1;
  if (drawing.kind === "sprite") {
    if (drawing.value.flipX) out.scaleX = -out.scaleX;
    if (drawing.value.flipY) out.scaleY = -out.scaleY;
  }
  if (yAxis === "up" && drawingKinds[rank].isPicture) out.scaleY = -out.scaleY;
}

/** Scales `matrix`, the world matrix of the entity, in place. */
export function toContent(matrix: Affine2D, scale: ContentScale): Affine2D {
  if (scale.isFree) {
    matrix.a = matrix.d = 1;
    matrix.b = matrix.c = matrix.x = matrix.y = 0;
    return matrix;
  }
  matrix.a *= scale.scaleX;
  matrix.b *= scale.scaleX;
  matrix.c *= scale.scaleY;
  matrix.d *= scale.scaleY;
  return matrix;
}
