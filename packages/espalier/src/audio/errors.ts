/**
 * Every error this room throws. Nothing has changed when one is thrown.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about sound. */
export class AudioError extends EspalierError {
  override get name(): string {
    return "AudioError";
  }
}

/** An invalid number of a sound: a negative volume, a rate of 0. */
export class InvalidSoundError extends AudioError {
  override get name(): string {
    return "InvalidSoundError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("audio/invalid-sound", message, facts);
  }
}

/** A sound of a name that the output does not have. */
export class UnknownSoundError extends AudioError {
  override get name(): string {
    return "UnknownSoundError";
  }
  /** The name that was given. */
  declare readonly sound: string;
  constructor(message: string, facts: FactsOf<UnknownSoundError, "sound">) {
    super("audio/unknown-sound", message, facts);
  }
}

/** A bus of a name that does not exist. */
export class UnknownBusError extends AudioError {
  override get name(): string {
    return "UnknownBusError";
  }
  /** The name that was given. */
  declare readonly bus: string;
  constructor(message: string, facts: FactsOf<UnknownBusError, "bus">) {
    super("audio/unknown-bus", message, facts);
  }
}

/** Sounds that could not be loaded: all of them in one error. */
export class SoundLoadError extends AudioError {
  override get name(): string {
    return "SoundLoadError";
  }
  /** The names of the sounds. */
  declare readonly sounds: readonly string[];
  constructor(message: string, facts: FactsOf<SoundLoadError, "sounds">) {
    super("audio/load", message, facts);
  }
}

/** Web Audio is not available. */
export class AudioUnavailableError extends AudioError {
  override get name(): string {
    return "AudioUnavailableError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("audio/unavailable", message, facts);
  }
}
