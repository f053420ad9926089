/**
 * The contract between the sounds of a world and their output. An output receives names of sounds and numbers, no entities.
 */

import type { AssetKind } from "../ecs/index.ts";

/** The initial values of a voice. */
export interface VoiceStart {
  /** The name of the sound. */
  readonly sound: string;
  /** Seconds into the sound. */
  readonly offset: number;
  /** Its volume. */
  readonly gain: number;
  /** From -1, left, to 1, right; `undefined` without a position: it is never panned. */
  readonly pan: number | undefined;
  /** Its speed. */
  readonly rate: number;
  /** Whether it repeats. */
  readonly loop: boolean;
  /** Its bus; empty for none. */
  readonly bus: string;
  /** Seconds of fading in. */
  readonly fade: number;
  /** Whether it plays while it loads. */
  readonly stream: boolean;
}

/** One playing sound. */
export interface Voice {
  /** Whether it has ended or was stopped. */
  readonly isOver: boolean;
  /** Changes it while it plays. */
  set(gain: number, pan: number | undefined, rate: number): void;
  /** Ends it, within this many seconds. */
  stop(fade: number): void;
}

/** Plays sounds, or records them. */
export interface AudioOutput {
  /** Kinds of files that it plays: a game loads them for it. */
  readonly assetKinds?: readonly AssetKind[];
  /** Whether it is silent until the player does something: browsers require a gesture. */
  readonly isLocked: boolean;
  /** The names of its sounds; `undefined` if it takes any. */
  names(): readonly string[] | undefined;
  /** How long a sound is, in seconds; `undefined` while unknown. */
  secondsOf(sound: string): number | undefined;
  /** Starts a sound; `undefined` while its file is not loaded. */
  start(voice: VoiceStart): Voice | undefined;
  /** Sets the volume of a bus, `"master"` for all of them. */
  setBus(bus: string, gain: number): void;
  /** Calls `listener` when it becomes unlocked. Returns the function that removes the listener. */
  onUnlocked(listener: () => void): () => void;
  /** Called in each step, with the seconds that passed. */
  tick?(seconds: number): void;
  /** Stops and frees everything. */
  dispose(): void;
}
