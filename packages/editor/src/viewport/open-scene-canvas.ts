/**
 * The renderer of the scene: PixiJS, if the page provides it and the browser has WebGL, or else the canvas renderer of the
 * library.
 */
import { type CanvasTextures, createCanvasRenderer } from "espalier/canvas";
import type { SceneCanvas } from "./scene-canvas.ts";

/**
 * Loads the PixiJS renderer: `() => import("@espalier/editor/pixi")`. The page provides it, not the editor, because pages without
 * PixiJS must build without it.
 */
export type LoadPixi = () => Promise<{
  openPixiCanvas(
    canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    resolution: number,
    textures: CanvasTextures,
  ): Promise<SceneCanvas>;
}>;

/** Opens a canvas on which nothing was drawn before. */
export async function openSceneCanvas(
  canvas: HTMLCanvasElement,
  textures: CanvasTextures,
  loadPixi: LoadPixi | undefined,
): Promise<SceneCanvas> {
  const resolution = devicePixelRatio || 1;
  const context =
    loadPixi && canvas.getContext("webgl2", { antialias: true, stencil: true, premultipliedAlpha: true });
  if (loadPixi && context) {
    // Loaded only now: a game that is inspected without the viewport does not need it.
    const { openPixiCanvas } = await loadPixi();
    return await openPixiCanvas(canvas, context, resolution, textures);
  }
  return {
    draw: (space, options) => createCanvasRenderer(space, { ...options, canvas, resolution, textures }),
    dispose() {},
  };
}
