/**
 * What runs while a scene plays. A project gives it: in a page of its own through `startEditor`, or through `play` in
 * `espalier.config`, which is plain data and may name a module of the project's code.
 */
import type { AnyBehaviour, Game, GamePhysics } from "espalier/game";
import type { PhysicsEngine, PhysicsOptions } from "espalier/physics";

/** The part that is plain data. */
export interface PlayOptions {
  /** Seconds per fixed step: 1 / 60 if left out. */
  readonly step?: number;
  /** For `game.random`. */
  readonly seed?: number;
  /** The direction of y on the screen, in the viewport and while playing: as last chosen (`"down"` at first) if left out. */
  readonly yAxis?: "up" | "down";
  /** How bodies move, in scenes that have any. Gravity points down the screen if left out. */
  readonly physics?: PhysicsOptions;
}

/** What a project provides for playing its scenes. */
export interface PlaySetup extends PlayOptions {
  /** The behaviours of components in the scene. */
  readonly behaviours?: readonly AnyBehaviour[];
  /** Adds systems and listeners, before the first step. May return a function that cleans up. */
  // biome-ignore lint/suspicious/noConfusingVoidType: one that has nothing to clean up returns nothing
  readonly start?: (game: Game) => (() => void) | void;
  /** Loads the engine, asked for only when the scene has a body. Without it bodies do not move. */
  readonly loadEngine?: () => Promise<PhysicsEngine>;
  /** A physics of your own, instead of that engine. */
  readonly createPhysics?: (game: Game) => GamePhysics;
}
