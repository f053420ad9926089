/**
 * An output without loudspeakers: it records what would be played. For tests, and for games that run in Node.
 */
import { checkOptions } from "../ecs/index.ts";
import type { AudioOutput, Voice, VoiceStart } from "./output.ts";

/** A recorded sound. */
export interface RecordedVoice extends VoiceStart {
  /** Its current volume, without the bus. */
  readonly gain: number;
  /** Its current panning, from left to right. */
  readonly pan: number | undefined;
  /** Its current speed. */
  readonly rate: number;
}

/** A recorded call. */
export type SoundCall = readonly [call: "start" | "set" | "stop" | "bus", name: string, ...values: unknown[]];

/** Options of `createSoundRecorder`. */
export interface SoundRecorderOptions {
  /** The sounds that exist, with their seconds. If left out, any name is accepted, and no sound ends. */
  readonly sounds?: { readonly [sound: string]: number };
  /** Whether it begins locked, as in browsers, until `unlock()`. */
  readonly isLocked?: boolean;
}

/** An output that records. Made by `createSoundRecorder`. */
export interface SoundRecorder extends AudioOutput {
  /** All calls. `calls.length = 0` clears them. */
  readonly calls: SoundCall[];
  /** Sounds that would be playing now, in the order in which they began. */
  sounding(): readonly RecordedVoice[];
  /** Unlocks it, as the first gesture of a player does. */
  unlock(): void;
}

/**
 * Creates an output that records what would be played.
 *
 * @example
 * ```ts
 * const recorder = createSoundRecorder({ sounds: { boom: 0.5 } });
 * const sounds = createSounds(createTransforms2D(tree), recorder);
 * sounds.play("boom", { volume: 0.7 });
 * recorder.sounding().map(({ sound, gain }) => `${sound} ${gain}`); // → ["boom 0.7"]
 * ```
 */
export function createSoundRecorder(options: SoundRecorderOptions = {}): SoundRecorder {
  checkOptions(true, "record sounds", options, { sounds: "anything", isLocked: "boolean" });
  const { sounds } = options;
  const calls: SoundCall[] = [];
  const voices = new Set<{
    start: VoiceStart;
    gain: number;
    pan: number | undefined;
    rate: number;
    left: number;
  }>();
  const listeners = new Set<() => void>();
  let isLocked = options.isLocked ?? false;
  const secondsOf = (sound: string) =>
    sounds !== undefined && Object.hasOwn(sounds, sound) ? sounds[sound] : undefined;

  return {
    calls,
    get isLocked() {
      return isLocked;
    },
    names: () => (sounds === undefined ? undefined : Object.keys(sounds)),
    secondsOf,
    start(start) {
      const { sound, gain, pan, rate, offset, loop } = start;
      const seconds = secondsOf(sound) ?? Number.POSITIVE_INFINITY;
      const voice = { start, gain, pan, rate, left: loop ? Number.POSITIVE_INFINITY : seconds - offset };
      voices.add(voice);
      calls.push(["start", sound, start]);
      const made: Voice = {
        get isOver() {
          return !voices.has(voice);
        },
        set(newGain, newPan, newRate) {
          Object.assign(voice, { gain: newGain, pan: newPan, rate: newRate });
          calls.push(["set", sound, newGain, newPan, newRate]);
        },
        stop(fade) {
          if (voices.delete(voice)) calls.push(["stop", sound, fade]);
        },
      };
      return made;
    },
    setBus: (bus, gain) => void calls.push(["bus", bus, gain]),
    onUnlocked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tick(seconds) {
      if (isLocked) return;
      for (const voice of voices) {
        voice.left -= seconds * voice.rate;
        if (voice.left <= 0) voices.delete(voice);
      }
    },
    sounding: () => [...voices].map(({ start, gain, pan, rate }) => ({ ...start, gain, pan, rate })),
    unlock() {
      if (!isLocked) return;
      isLocked = false;
      for (const listener of [...listeners]) listener();
    },
    dispose: () => voices.clear(),
  };
}
