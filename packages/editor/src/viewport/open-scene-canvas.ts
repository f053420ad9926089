/**
 * What draws the scene on its canvas: PixiJS, where the browser has WebGL, and otherwise the canvas renderer of the library.
 */
import { type CanvasTextures, createCanvasRenderer } from "espalier/canvas";
import type { SceneCanvas } from "./scene-canvas.ts";

/** Opens a canvas that nothing was drawn on. */
export async function openSceneCanvas(
  canvas: HTMLCanvasElement,
  textures: CanvasTextures,
): Promise<SceneCanvas> {
  const resolution = devicePixelRatio || 1;
  const context = canvas.getContext("webgl2", {
    antialias: true,
    stencil: true,
    premultipliedAlpha: true,
  });
  if (context !== null) {
    // Loaded only now: a game that is inspected without the viewport has no use for it.
    const { openPixiCanvas } = await import("./pixi-canvas.ts");
    return await openPixiCanvas(canvas, context, resolution, textures);
  }
  return {
    draw: (space, options) => createCanvasRenderer(space, { ...options, canvas, resolution, textures }),
    dispose() {},
  };
}
