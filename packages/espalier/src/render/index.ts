/** What is drawn, how it is seen, and the contract between a world and a renderer. */
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
} from "./bounds.ts";
export { activeCamera, Camera, type CameraSchema, type CameraViewOptions, viewOfCamera } from "./camera.ts";
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
} from "./camera-view.ts";
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
} from "./color.ts";
export { type DrawingRegistration, renderComponents } from "./components.ts";
export type { RenderBackend, Renderer } from "./contract.ts";
export { coversPoint } from "./covers.ts";
export { createRenderer } from "./create-renderer.ts";
export type { DrawNumber } from "./draw-number.ts";
export { type DrawValues, drawValues } from "./draw-values.ts";
export {
  type Drawing,
  type DrawingKind,
  type DrawingOf,
  type DrawingValues,
  drawingKinds,
} from "./drawing.ts";
export {
  DisposedRendererError,
  InvalidRenderOptionError,
  RenderError,
  TextureLoadError,
} from "./errors.ts";
export { type Gradient, type GradientStop, linearGradient, radialGradient } from "./gradient.ts";
export { createInterpolation, type Interpolation } from "./interpolation.ts";
export {
  type Measures,
  measureDrawing,
  measureShape,
  PLACEHOLDER_SIZE,
  spriteAnchor,
  strokeOf,
} from "./measure.ts";
export { ninePatches, type Patch } from "./nine-patches.ts";
export { NineSlice, type NineSliceSchema } from "./nine-slice.ts";
export { ParticleEmitter, type ParticleEmitterSchema } from "./particle-emitter.ts";
export type { ParticlePool } from "./particle-pool.ts";
export { createParticles, type Particles } from "./particles.ts";
export { Alpha, alpha, Tint, tint } from "./presets.ts";
export {
  createRecordingRenderer,
  type RecordedCall,
  type RecordedNode,
  type RecordingOptions,
  type RecordingRenderer,
} from "./recording-renderer.ts";
export type { RendererOptions, RenderHost, WorldRenderer } from "./renderer-options.ts";
export type { RenderProblem, Reports } from "./reports.ts";
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
} from "./shape.ts";
export { Sprite, type SpriteSchema } from "./sprite.ts";
export { Text, type TextSchema, textAligns } from "./text.ts";
export {
  chunksOf,
  forEachTile,
  hasSameChunks,
  isChunkChanged,
  type TileChunk,
  tileFrame,
} from "./tile-chunks.ts";
export { EMPTY_TILE, setTile, Tilemap, type TilemapSchema, tileAt } from "./tilemap.ts";
export type { Viewport, Viewports } from "./viewports.ts";
