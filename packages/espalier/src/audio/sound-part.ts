/**
 * Sounds as a part of a game: `createGame({ parts: { sounds: soundPart(openWebAudio()) } })`. The type of parts is declared here, because
 * this room knows no games.
 */
import type { AnyComponent } from "../ecs/index.ts";
import type { Transforms2D } from "../transform/index.ts";
import { audioComponents } from "./components.ts";
import type { AudioOutput } from "./output.ts";
import { createSounds, type Sounds, type SoundsOptions } from "./sounds.ts";

/** What sounds need from a game. */
export interface SoundHost {
  /** The space whose entities have sounds. */
  readonly space: Transforms2D;
}

/** A part of a game that plays its sounds. Made by `soundPart`. */
export interface SoundPart {
  /** The components for scene files. */
  readonly components: readonly AnyComponent[];
  /** Creates the sounds of a game: `game.parts.<name>`. */
  create(game: SoundHost): Sounds;
}

/**
 * Lets a game play sounds through an output. Without one they are recorded: `createSoundRecorder` is the default.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const recorder = createSoundRecorder();
 * const sounds = soundPart(recorder).create({ space });
 * sounds.play("boom");
 * recorder.sounding().length; // → 1
 * ```
 */
export function soundPart(output?: AudioOutput, options: SoundsOptions = {}): SoundPart {
  return {
    components: audioComponents,
    create: ({ space }) => createSounds(space, output, options),
  };
}
