/**
 * What draws the scene on its canvas: PixiJS, where the page brings it and the browser has WebGL, and otherwise the canvas renderer of the
 * library.
 */
import { type CanvasTextures, createCanvasRenderer } from "espalier/canvas";
import type { SceneCanvas } from "./scene-canvas.ts";

/**
 * Loads what draws with PixiJS: `() => import("@espalier/editor/pixi")`. A page gives it, and not the editor itself, because pages without
 * PixiJS must not need it to be built.
 */
export type LoadPixi = () => Promise<{
  openPixiCanvas(
    canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    resolution: number,
    textures: CanvasTextures,
  ): Promise<SceneCanvas>;
}>;

/** Opens a canvas that nothing was drawn on. */
export async function openSceneCanvas(
  canvas: HTMLCanvasElement,
  textures: CanvasTextures,
  loadPixi: LoadPixi | undefined,
): Promise<SceneCanvas> {
  const resolution = devicePixelRatio || 1;
  const context =
    loadPixi && canvas.getContext("webgl2", { antialias: true, stencil: true, premultipliedAlpha: true });
  if (loadPixi && context) {
    // Loaded only now: a game that is inspected without the viewport has no use for it.
    const { openPixiCanvas } = await loadPixi();
    return await openPixiCanvas(canvas, context, resolution, textures);
  }
  return {
    draw: (space, options) => createCanvasRenderer(space, { ...options, canvas, resolution, textures }),
    dispose() {},
  };
}
