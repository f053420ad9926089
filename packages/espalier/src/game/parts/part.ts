/**
 * The interface of parts of a game. The renderer and physics are parts too, with options of their own.
 */
import type { AssetKind } from "../../ecs/index.ts";
import type { SceneFile } from "../../scene/index.ts";

/**
 * A part in a running game. Users get it as `game.parts.<name>`, with whatever else it offers.
 *
 * One step of a game: input, messages, states, timers, `early`, systems and behaviours, physics, followers, `step`, particles, propagation. One
 * frame: the steps that are due, `draw`, then the renderer.
 */
export interface RunningPart {
  /** Kinds of files that it uses: `game.preload` loads them for it. */
  readonly assetKinds?: readonly AssetKind[] | undefined;
  /** Runs in every step after timers, and before systems and behaviours. `dt` is the seconds of a step. */
  early?(dt: number): void;
  /** Runs in every step after systems, behaviours and physics, and before world values are propagated. */
  step?(dt: number): void;
  /** Runs in every frame before the renderer. `alpha` is the fraction of time passed from the last step to the next, from 0 up to 1. */
  draw?(alpha: number): void;
  /** Fetches the files that a scene or prefab needs. The game waits for it before it creates entities; a rejection fails the loading. */
  load?(files: LoadingFiles): void | Promise<void>;
  /** Frees everything. Called once, when the game stops; never during another call of the part. */
  dispose(): void;
}

/** A scene or prefab that is being loaded. */
export interface LoadingFiles {
  /** The requested name. */
  readonly name: string;
  /** The file that was found. */
  readonly file: string;
  /** The content of the file. */
  readonly content: string | SceneFile;
  /** The prefabs that it uses, and that these use, by name. */
  readonly prefabs: Readonly<Record<string, string | SceneFile>>;
  /** Aborted when the loading is cancelled or the game stops. */
  readonly signal: AbortSignal;
}
