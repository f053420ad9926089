/**
 * A renderer on PixiJS 8.
 *
 * @packageDocumentation
 */

export type { PixiNode } from "./pixi-node.ts";
export {
  createPixiRenderer,
  type OpenPixiOptions,
  openPixiRenderer,
  type PixiRenderer,
  type PixiRendererOptions,
} from "./pixi-renderer.ts";
export type { FindTexture, FoundTexture, PixiTextures } from "./pixi-textures.ts";
