/**
 * The placeholder for a missing texture: a magenta and black square.
 */
import { BufferImageSource, Texture } from "pixi.js";
import { PLACEHOLDER_SIZE } from "../render/index.ts";

export function createPlaceholder(): Texture {
  const side = PLACEHOLDER_SIZE;
  const pixels = new Uint8Array(side * side * 4);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const isBlack = x < side / 2 === y < side / 2;
      pixels.set(isBlack ? [0, 0, 0, 255] : [255, 0, 255, 255], (y * side + x) * 4);
    }
  }
  return new Texture({ source: new BufferImageSource({ resource: pixels, width: side, height: side }) });
}
