/**
 * Sprite sheets, sprite animation and keyframes.
 *
 * @packageDocumentation
 */

export { type AnimationSchema, KeyframeAnimation } from "./animation.ts";
export {
  type AnimationHost,
  type AnimationPart,
  animationPart,
  type GameAnimations,
  type KeyframePart,
  keyframePart,
} from "./animation-part.ts";
export type { Atlas, ClipDirection, SpriteClip } from "./atlas.ts";
export { type CheckClipsOptions, type ClipProblem, checkClips } from "./check-clips.ts";
export {
  AnimationError,
  InvalidAnimationValueError,
  InvalidAtlasError,
  InvalidClipError,
  UnknownClipError,
} from "./errors.ts";
export type {
  EmitTrack,
  KeyframeClip,
  KeyframeClips,
  KeyframeTrack,
  ValueTrack,
} from "./keyframe-clip.ts";
export {
  createKeyframes,
  type Keyframes,
  type KeyframesOptions,
  type PlayClipOptions,
} from "./keyframes.ts";
export type { LoopMode } from "./play-clip.ts";
export { type ClipInput, type ReadAtlasOptions, readAtlas } from "./read-atlas.ts";
export {
  AnimationEnded,
  type EndedAnimation,
  SpriteAnimation,
  type SpriteAnimationSchema,
} from "./sprite-animation.ts";
export {
  createSpriteAnimations,
  type SpriteAnimations,
  type SpriteAnimationsOptions,
} from "./sprite-animations.ts";
export { createTileAnimations, type TileAnimator, type TilePart, tilePart } from "./tile-animations.ts";
