/**
 * What is drawn, how it is seen, and the contract between a world and a renderer.
 *
 * Its types name elements of a page: TypeScript needs `"dom"` in `lib`, or `skipLibCheck`, even if a game runs in Node.
 *
 * @packageDocumentation
 */

export {
  type Bounds,
  clearBounds,
  emptyBounds,
  holdsBounds,
  holdsPoint,
  isEmptyBounds,
  overlaps,
  setBounds,
  transformBounds,
  unite,
} from "./bounds/bounds.ts";
export { coversPoint } from "./bounds/covers.ts";
export {
  activeCamera,
  Camera,
  type CameraSchema,
  type CameraViewOptions,
  viewOfCamera,
} from "./cameras/camera.ts";
export {
  type CameraPose,
  type CameraSettings,
  type CameraView,
  cameraFits,
  cameraView,
  frameBounds,
  isInArea,
  isSameView,
  type Rectangle,
  type Size,
  screenToWorld,
  screenView,
  worldToScreen,
  type YAxis,
  zoomAround,
} from "./cameras/camera-view.ts";
export { createInterpolation, type Interpolation } from "./cameras/interpolation.ts";
export type { Viewport, Viewports } from "./cameras/viewports.ts";
export {
  type ColorField,
  color,
  colorCodec,
  colorText,
  cssColor,
  isColorField,
  mixColors,
  multiplyColors,
  parseColor,
} from "./drawings/color.ts";
export { type DrawingRegistration, renderComponents } from "./drawings/components.ts";
export type { DrawNumber } from "./drawings/draw-number.ts";
export { type DrawValues, drawValues } from "./drawings/draw-values.ts";
export {
  type Drawing,
  type DrawingKind,
  type DrawingOf,
  type DrawingValues,
  drawingKinds,
} from "./drawings/drawing.ts";
export { type Frame, type Frames, frameSize, requireFrames } from "./drawings/frame.ts";
export { type Gradient, type GradientStop, linearGradient, radialGradient } from "./drawings/gradient.ts";
export {
  type Measures,
  measureDrawing,
  measureShape,
  PLACEHOLDER_SIZE,
  spriteAnchor,
  strokeOf,
} from "./drawings/measure.ts";
export { ninePatches, type Patch } from "./drawings/nine-patches.ts";
export { NineSlice, type NineSliceSchema } from "./drawings/nine-slice.ts";
export { Alpha, alpha, Tint, tint } from "./drawings/presets.ts";
export {
  circle,
  ellipse,
  line,
  polygon,
  rect,
  roundedRect,
  Shape,
  type ShapeSchema,
  type ShapeStyle,
  shapeKinds,
} from "./drawings/shape.ts";
export { Sprite, type SpriteSchema } from "./drawings/sprite.ts";
export { fontName, TextBlock, type TextBlockSchema, textAligns } from "./drawings/text-block.ts";
export {
  chunksOf,
  forEachTile,
  hasSameChunks,
  isChunkChanged,
  type TileChunk,
  type TileTurn,
  tileFrame,
  tileTurn,
} from "./drawings/tile-chunks.ts";
export {
  EMPTY_TILE,
  FLIP_TILE_X,
  FLIP_TILE_Y,
  SWAP_TILE_XY,
  setTile,
  type TileAnimations,
  type TileFrame,
  Tilemap,
  type TilemapSchema,
  tileAt,
  tileNumber,
} from "./drawings/tilemap.ts";
export {
  DisposedRendererError,
  InvalidRenderOptionError,
  RenderError,
  RendererUnavailableError,
  TextureLoadError,
} from "./errors.ts";
export { ParticleEmitter, type ParticleEmitterSchema } from "./particles/particle-emitter.ts";
export type { ParticlePool } from "./particles/particle-pool.ts";
export { createParticles, type Particles } from "./particles/particles.ts";
export type { RenderBackend, Renderer } from "./renderer/contract.ts";
export { createRenderer } from "./renderer/create-renderer.ts";
export {
  createRecordingRenderer,
  type RecordedCall,
  type RecordedNode,
  type RecordingOptions,
  type RecordingRenderer,
} from "./renderer/recording-renderer.ts";
export {
  type RectLayout,
  type RendererOptions,
  type RenderHost,
  rendererOptions,
  requireRendererOptions,
  type WorldRenderer,
} from "./renderer/renderer-options.ts";
export type { RenderProblem, Reports } from "./renderer/reports.ts";
export { OnScreen, type OnScreenSchema } from "./screen/on-screen.ts";
