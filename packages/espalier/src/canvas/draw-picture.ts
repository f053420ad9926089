/**
 * Sprites, nine slices, particles and the placeholder on a 2D context.
 */
import type { ValueOf } from "../ecs/index.ts";
import {
  cssColor,
  type Frame,
  frameSize,
  mixColors,
  multiplyColors,
  type NineSliceSchema,
  ninePatches,
  type ParticleEmitterSchema,
  type ParticlePool,
  PLACEHOLDER_SIZE,
  type Rectangle,
} from "../render/index.ts";
import type { Affine2D } from "../transform/index.ts";
import type { Context2D } from "./context.ts";

/** A part of an image. */
export interface Picture {
  readonly image: CanvasImageSource;
  readonly frame: Frame;
}

export function drawSprite(context: Context2D, picture: Picture, anchor: { x: number; y: number }): void {
  const { width, height } = frameSize(picture.frame);
  const all = { x: 0, y: 0, width, height };
  drawPart(context, picture, all, -anchor.x * width, -anchor.y * height, width, height);
}

export function drawNineSlice(context: Context2D, picture: Picture, slice: ValueOf<NineSliceSchema>): void {
  const { frame } = picture;
  for (const { from, to } of ninePatches(slice, frameSize(frame))) {
    if (frame.rotated) context.save();
    drawPart(context, picture, from, to.x, to.y, to.width, to.height);
    if (frame.rotated) context.restore();
  }
}

/**
 * Draws a part of a frame, in upright coordinates with the transparent edges, into a rectangle. Leaves the transform of the context
 * changed if the frame is rotated.
 */
function drawPart(
  context: Context2D,
  { image, frame }: Picture,
  from: Rectangle,
  toX: number,
  toY: number,
  toWidth: number,
  toHeight: number,
): void {
  const { x, y, width, height, trim, rotated } = frame;
  if (!(from.width > 0 && from.height > 0)) return;
  const [scaleX, scaleY] = [toWidth / from.width, toHeight / from.height];
  let [left, top, right, bottom] = [from.x, from.y, from.x + from.width, from.y + from.height];
  if (trim !== undefined) {
    left = Math.max(left - trim.x, 0);
    top = Math.max(top - trim.y, 0);
    right = Math.min(right - trim.x, width);
    bottom = Math.min(bottom - trim.y, height);
    // Nothing of the part was left by trimming.
    if (left >= right || top >= bottom) return;
  }
  const [w, h] = [right - left, bottom - top];
  const drawnX = toX + (left + (trim?.x ?? 0) - from.x) * scaleX;
  const drawnY = toY + (top + (trim?.y ?? 0) - from.y) * scaleY;
  if (!rotated) {
    context.drawImage(image, x + left, y + top, w, h, drawnX, drawnY, w * scaleX, h * scaleY);
    return;
  }
  // Rotating by 90° clockwise maps the point (u, v) of the frame to (height - v, u) of the texture; this is the inverse.
  context.transform(0, -scaleY, scaleX, 0, drawnX, drawnY + h * scaleY);
  context.drawImage(image, x + height - bottom, y + left, h, w, 0, 0, h, w);
}

/** Draws the placeholder for a missing texture, magenta and black. */
export function drawPlaceholder(
  context: Context2D,
  left: number,
  top: number,
  width: number,
  height: number,
): void {
  const [halfX, halfY] = [width / 2, height / 2];
  context.fillStyle = "#ff00ff";
  context.fillRect(left, top, width, height);
  context.fillStyle = "#000000";
  context.fillRect(left, top, halfX, halfY);
  context.fillRect(left + halfX, top + halfY, halfX, halfY);
}

/**
 * Draws the living particles. `matrix` transforms the pool's coordinates to the screen; `pictureOf` returns the image in a
 * colour, or `undefined` for plain squares; `isUp` flips images.
 */
export function drawParticles(
  context: Context2D,
  emitter: ValueOf<ParticleEmitterSchema>,
  pool: ParticlePool,
  matrix: Affine2D,
  alpha: number,
  tint: number,
  pictureOf: (tint: number) => Picture | undefined,
  isUp: boolean,
): void {
  for (let k = 0; k < pool.count; k++) {
    const t = Math.min(pool.age[k] / pool.life[k], 1);
    const scale = emitter.startScale + (emitter.endScale - emitter.startScale) * t;
    const opacity = (emitter.startAlpha + (emitter.endAlpha - emitter.startAlpha) * t) * alpha;
    if (!(opacity > 0) || scale === 0) continue;
    const color = multiplyColors(mixColors(emitter.startColor, emitter.endColor, t), tint);
    const [x, y] = [pool.x[k], pool.y[k]];
    const down = isUp ? -scale : scale;
    context.setTransform(
      matrix.a * scale,
      matrix.b * scale,
      matrix.c * down,
      matrix.d * down,
      matrix.a * x + matrix.c * y + matrix.x,
      matrix.b * x + matrix.d * y + matrix.y,
    );
    context.globalAlpha = Math.min(opacity, 1);
    const picture = pictureOf(color);
    if (picture === undefined) {
      const side = emitter.texture === "" ? emitter.size : PLACEHOLDER_SIZE;
      context.fillStyle = emitter.texture === "" ? cssColor(color, 1) : "#ff00ff";
      context.fillRect(-side / 2, -side / 2, side, side);
    } else drawSprite(context, picture, { x: 0.5, y: 0.5 });
  }
}
