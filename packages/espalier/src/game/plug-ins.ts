/**
 * What can be plugged into a game.
 */
import type { AnyComponent } from "../ecs/index.ts";

/** Draws the world. `alpha` is how far time has gone from the last step towards the next, from 0 up to 1. */
export interface GameRenderer {
  /** What it draws on; the game listens to it for input. */
  readonly view?: HTMLElement | undefined;
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
