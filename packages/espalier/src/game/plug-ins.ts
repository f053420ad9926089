/**
 * What can be plugged into a game.
 */
import type { AnyComponent } from "../ecs/index.ts";
import type { Frames } from "../render/index.ts";

/** The pictures of a renderer, by name: where `game.preload` puts what it has loaded. */
export interface GameTextures {
  /** Makes a picture known, with its named parts. */
  add(name: string, image: ImageBitmap | HTMLImageElement, frames?: Frames): void;
  /** Forgets it. */
  remove(name: string): void;
  /** Whether there is a picture of that name. */
  has(name: string): boolean;
}

/** Draws the world. `alpha` is how far time has gone from the last step towards the next, from 0 up to 1. */
export interface GameRenderer {
  /** What it draws on; the game listens to it for input. */
  readonly view?: HTMLElement | undefined;
  /** Its pictures, if it takes them by name. */
  readonly textures?: GameTextures;
  /** Draws a frame. */
  render(alpha: number): void;
  /** Called when the element has another size, in pixels. */
  resize?(width: number, height: number): void;
  /** Frees what it holds. Called when the game stops. */
  dispose(): void;
}

/** Moves bodies. */
export interface GamePhysics {
  /** The components it works with: the scene files of the game may hold them. */
  readonly components?: readonly AnyComponent[];
  /** Goes on by `dt` seconds. */
  step(dt: number): void;
  /** Frees what it holds. Called when the game stops. */
  dispose(): void;
}
