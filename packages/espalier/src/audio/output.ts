/**
 * The contract between the sounds of a world and their output. An output receives names of sounds and numbers, no entities.
 */

import type { AssetKind } from "../ecs/index.ts";

/** What a voice starts with. */
export interface VoiceStart {
  /** The name of the sound. */
  readonly sound: string;
  /** Seconds into the sound. */
  readonly offset: number;
  /** How loud. */
  readonly gain: number;
  /** From -1, left, to 1, right; `undefined` for one without a position: it is never panned. */
  readonly pan: number | undefined;
  /** How fast. */
  readonly rate: number;
  /** Begins again at its end. */
  readonly loop: boolean;
  /** The bus it goes through; empty for straight out. */
  readonly bus: string;
  /** Seconds it takes to come. */
  readonly fade: number;
  /** Plays while it loads. */
  readonly stream: boolean;
}

/** One sound that is heard. */
export interface Voice {
  /** Whether it came to its end, or was stopped. */
  readonly isOver: boolean;
  /** Changes it while it sounds. */
  set(gain: number, pan: number | undefined, rate: number): void;
  /** Ends it, within so many seconds. */
  stop(fade: number): void;
}

/** Plays sounds, or records them. */
export interface AudioOutput {
  /** Kinds of files that it plays: a game loads them for it. */
  readonly assetKinds?: readonly AssetKind[];
  /** Whether nothing is heard before the player does something: browsers ask for a gesture. */
  readonly isLocked: boolean;
  /** The names of the sounds it has; `undefined` where it takes any. */
  names(): readonly string[] | undefined;
  /** How long a sound is, in seconds; `undefined` while that is not known. */
  secondsOf(sound: string): number | undefined;
  /** Starts a sound; `undefined` while its file is not loaded. */
  start(voice: VoiceStart): Voice | undefined;
  /** How loud a bus is, `"master"` for all of them. */
  setBus(bus: string, gain: number): void;
  /** Calls `listener` when it becomes unlocked. Returns the function that ends it. */
  onUnlocked(listener: () => void): () => void;
  /** Called in each step, with the seconds that passed. */
  tick?(seconds: number): void;
  /** Stops everything and frees what it holds. */
  dispose(): void;
}
