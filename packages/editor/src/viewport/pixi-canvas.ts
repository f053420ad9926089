/** Draws scenes with PixiJS, with the images of the editor. */
import "pixi.js/unsafe-eval";
import type { CanvasTextures } from "espalier/canvas";
import { createPixiRenderer } from "espalier/pixi";
import { autoDetectRenderer, Rectangle, Texture, type TextureSourceLike } from "pixi.js";
import type { SceneCanvas } from "./scene-canvas.ts";

/** Opens a canvas that PixiJS draws on; the editor calls it. */
export async function openPixiCanvas(
  canvas: HTMLCanvasElement,
  context: WebGL2RenderingContext,
  resolution: number,
  textures: CanvasTextures,
): Promise<SceneCanvas> {
  const pixi = await autoDetectRenderer({
    preference: "webgl",
    canvas,
    context,
    resolution,
    autoDensity: true,
    backgroundAlpha: 0,
  });
  const images = pixiTextures(textures);
  return {
    draw(space, options) {
      const renderer = createPixiRenderer(space, { ...options, renderer: pixi, findTexture: images.find });
      const stop = textures.onChange((name) => {
        images.forget(name);
        renderer.refresh(name);
      });
      const { dispose } = renderer;
      return Object.assign(renderer, {
        dispose() {
          stop();
          dispose();
        },
      });
    },
    dispose() {
      images.dispose();
      pixi.destroy();
    },
  };
}

/** The images of the editor as textures of Pixi, made when first needed. */
function pixiTextures(textures: CanvasTextures) {
  const made = new Map<string, { readonly whole: Texture; readonly frames: Map<string, Texture> }>();
  const forget = (name: string) => {
    const known = made.get(name);
    made.delete(name);
    for (const frame of known?.frames.values() ?? []) frame.destroy();
    known?.whole.destroy(true);
  };
  return {
    forget,
    find(name: string, frame: string): Texture | "loading" | undefined {
      const from = textures.find(name);
      if (from === undefined) return textures.isLoading(name) ? "loading" : undefined;
      let known = made.get(name);
      if (known === undefined) {
        // Not Pixi's own cache: that is shared with everything else in the page that uses Pixi.
        known = { whole: Texture.from(from.image as TextureSourceLike, true), frames: new Map() };
        made.set(name, known);
      }
      const part = frame === "" ? undefined : from.frames[frame];
      if (part === undefined) return frame === "" ? known.whole : undefined;
      let texture = known.frames.get(frame);
      if (texture === undefined) {
        const { x, y, width, height } = part;
        texture = new Texture({ source: known.whole.source, frame: new Rectangle(x, y, width, height) });
        known.frames.set(frame, texture);
      }
      return texture;
    },
    dispose() {
      for (const name of [...made.keys()]) forget(name);
    },
  };
}
