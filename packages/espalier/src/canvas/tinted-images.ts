/**
 * Images multiplied with a colour: a 2D context cannot tint, so each image and colour in use has a copy.
 */
import { cssColor } from "../render/index.ts";
import { contextOf, type MakeCanvas } from "./context.ts";
import type { CanvasTexture } from "./textures.ts";

/** The maximum number of copies. Beyond that the oldest is dropped, and recreated when needed. */
const LIMIT = 256;

export interface TintedImages {
  /** The image in that colour; the image itself for white, or if no canvas can be created. */
  of(texture: CanvasTexture, tint: number): CanvasImageSource;
  readonly count: number;
  clear(): void;
}

export function createTintedImages(makeCanvas: MakeCanvas): TintedImages {
  let byTexture = new Map<CanvasTexture, Map<number, CanvasImageSource>>();
  let count = 0;

  function paint(texture: CanvasTexture, tint: number): CanvasImageSource {
    const { image, width, height } = texture;
    const canvas = width > 0 && height > 0 ? makeCanvas(width, height) : undefined;
    const context = canvas && contextOf(canvas);
    if (canvas === undefined || !context) return image;
    context.drawImage(image, 0, 0);
    context.globalCompositeOperation = "multiply";
    context.fillStyle = cssColor(tint, 1);
    context.fillRect(0, 0, width, height);
    // Multiplying filled transparent areas: cut them out again.
    context.globalCompositeOperation = "destination-in";
    context.drawImage(image, 0, 0);
    return canvas as CanvasImageSource;
  }

  return {
    of(texture, tint) {
      if (tint === 0xffffff) return texture.image;
      let images = byTexture.get(texture);
      const found = images?.get(tint);
      if (found !== undefined) return found;
      if (count >= LIMIT) {
        byTexture = new Map();
        count = 0;
        images = undefined;
      }
      if (images === undefined) {
        images = new Map();
        byTexture.set(texture, images);
      }
      const made = paint(texture, tint);
      images.set(tint, made);
      count++;
      return made;
    },
    get count() {
      return count;
    },
    clear() {
      byTexture = new Map();
      count = 0;
    },
  };
}
