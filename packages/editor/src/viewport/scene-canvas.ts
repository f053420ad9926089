import type { RendererOptions, WorldRenderer } from "espalier/render";
import type { Transforms2D } from "espalier/transform";

/** A canvas that worlds can be drawn on, with any renderer. */
export interface SceneCanvas {
  /** Creates a renderer of a world. One at a time: dispose of the last one first. */
  draw(space: Transforms2D, options: RendererOptions): WorldRenderer<unknown>;
  /** Frees the renderer. */
  dispose(): void;
}
