import type { RendererOptions, WorldRenderer } from "espalier/render";
import type { Transforms2D } from "espalier/transform";

/** A canvas that worlds can be drawn on, whatever draws them. */
export interface SceneCanvas {
  /** Makes a renderer of a world. One at a time: dispose of the last one first. */
  draw(space: Transforms2D, options: RendererOptions): WorldRenderer<unknown>;
  /** Frees what draws. */
  dispose(): void;
}
