/**
 * A renderer for 2D canvases, and a context that records for tests.
 *
 * Its types name elements of a page: TypeScript needs `"dom"` in `lib`, or `skipLibCheck`, even if a game runs in Node.
 *
 * @packageDocumentation
 */

export {
  type CanvasNode,
  type CanvasRenderer,
  type CanvasRendererOptions,
  createCanvasRenderer,
} from "./canvas-renderer.ts";
export type { AnyCanvas, Context2D, MakeCanvas } from "./context.ts";
export { type ContextCall, createRecordingContext, type RecordingContext } from "./recording-context.ts";
export { type CanvasTexture, type CanvasTextures, createCanvasTextures } from "./textures.ts";
