/**
 * The interfaces of renderers and physics for a game.
 */
import type { AnyComponent } from "../ecs/index.ts";
import type { Frames } from "../render/index.ts";

/** The pictures of a renderer, by name: where `game.preload` puts loaded pictures. */
export interface GameTextures {
  /** Registers a picture, with its named parts. */
  add(name: string, image: ImageBitmap | HTMLImageElement, frames?: Frames): void;
  /** Removes a picture. */
  remove(name: string): void;
  /** Whether there is a picture of that name. */
  has(name: string): boolean;
}

/** Draws the world. `alpha` is the fraction of time passed from the last step to the next, from 0 up to 1. */
export interface GameRenderer {
  /** The element it draws on; the game listens to it for input. */
  readonly view?: HTMLElement | undefined;
  /** Its pictures, if it takes them by name. */
  readonly textures?: GameTextures;
  /** Draws a frame. */
  render(alpha: number): void;
  /** Called when the size of the element changed, in pixels. */
  resize?(width: number, height: number): void;
  /** Frees everything. Called when the game stops. */
  dispose(): void;
}

/** Moves bodies. */
export interface GamePhysics {
  /** The components it works with: the scene files of the game may hold them. */
  readonly components?: readonly AnyComponent[];
  /** Advances by `dt` seconds. */
  step(dt: number): void;
  /** Frees everything. Called when the game stops. */
  dispose(): void;
}
