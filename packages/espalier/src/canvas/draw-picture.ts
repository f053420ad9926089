/**
 * Sprites, nine slices, particles and the placeholder on a 2D context.
 */
import type { ValueOf } from "../ecs/index.ts";
import {
  cssColor,
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
  readonly frame: Rectangle;
}

export function drawSprite(
  context: Context2D,
  { image, frame }: Picture,
  anchor: { x: number; y: number },
): void {
  const { x, y, width, height } = frame;
  context.drawImage(image, x, y, width, height, -anchor.x * width, -anchor.y * height, width, height);
}

export function drawNineSlice(context: Context2D, picture: Picture, slice: ValueOf<NineSliceSchema>): void {
  const { image, frame } = picture;
  for (const { from, to } of ninePatches(slice, frame)) {
    context.drawImage(
      image,
      frame.x + from.x,
      frame.y + from.y,
      from.width,
      from.height,
      to.x,
      to.y,
      to.width,
      to.height,
    );
  }
}

/** Magenta and black: a texture is missing here. */
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
 * Draws the living particles. `matrix` leads from the pool's coordinates to the screen; `pictureOf` gives the image in a
 * colour, or nothing for plain squares; `isUp` says that images are to be turned over.
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
