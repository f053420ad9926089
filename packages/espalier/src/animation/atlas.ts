/**
 * A sprite sheet as data: the parts of one picture by name, and the clips that play them. Plain values, the same with and without
 * pixels.
 */
import type { Frames } from "../render/index.ts";

/** The order in which a clip shows its frames. `pingpong` goes forward and back, `pingpong_reverse` begins at the end. */
export type ClipDirection = "forward" | "reverse" | "pingpong" | "pingpong_reverse";

/** All directions. */
export const clipDirections: readonly ClipDirection[] = [
  "forward",
  "reverse",
  "pingpong",
  "pingpong_reverse",
];

/** Frames that are shown one after the other. */
export interface SpriteClip {
  /** The names of the frames, in the order of the sheet. */
  readonly frames: readonly string[];
  /** How long each is shown, in seconds. */
  readonly seconds: readonly number[];
  /** The order in which they are shown. */
  readonly direction: ClipDirection;
  /** The number of passes; 0 for ever. For `pingpong`, forward and back are two passes. */
  readonly repeat: number;
  /** Names of entity events, by the index in `frames`: sent each time that the frame begins. */
  readonly events: { readonly [frame: number]: string };
}

/** The frames and clips of one texture. Made by `readAtlas`. */
export interface Atlas {
  /** The file of the picture, as named in the sheet; empty if there is none. */
  readonly image: string;
  /** The parts of the picture by name. Renderers take them: `textures.add(name, image, atlas.frames)`. */
  readonly frames: Frames;
  /** The clips by name. */
  readonly clips: { readonly [clip: string]: SpriteClip };
}
