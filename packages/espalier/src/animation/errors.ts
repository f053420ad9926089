/**
 * Every error this room throws. Nothing has changed when one is thrown.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about animation. */
export class AnimationError extends EspalierError {
  override get name(): string {
    return "AnimationError";
  }
}

/** A sprite sheet that cannot be read. */
export class InvalidAtlasError extends AnimationError {
  override get name(): string {
    return "InvalidAtlasError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("animation/invalid-atlas", message, facts);
  }
}

/** A clip that cannot be played: no frames, times that are not in order, a track without a target. */
export class InvalidClipError extends AnimationError {
  override get name(): string {
    return "InvalidClipError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("animation/invalid-clip", message, facts);
  }
}

/** An invalid number of an animation: a negative time or speed. */
export class InvalidAnimationValueError extends AnimationError {
  override get name(): string {
    return "InvalidAnimationValueError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("animation/invalid-value", message, facts);
  }
}

/** A clip of a name that does not exist. */
export class UnknownClipError extends AnimationError {
  override get name(): string {
    return "UnknownClipError";
  }
  /** The name that was given. */
  declare readonly clip: string;
  constructor(message: string, facts: FactsOf<UnknownClipError, "clip">) {
    super("animation/unknown-clip", message, facts);
  }
}
