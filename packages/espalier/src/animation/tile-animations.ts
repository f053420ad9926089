/**
 * Advances the time of animated tiles.
 */
import { type AnyComponent, expectArguments } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { paceOf } from "../inherit/index.ts";
import { Tilemap } from "../render/index.ts";

/** Advances animated tiles. Created by `createTileAnimations`. */
export interface TileAnimator {
  /** Advances the tiles of all maps with animations by `dt` seconds, at the pace of each. */
  step(dt: number): void;
  /** Ends it. */
  dispose(): void;
}

/**
 * Animated tiles of a tree. Maps without `animations` cost one check each.
 *
 * @example
 * ```ts
 * const tiles = createTileAnimations(tree);
 * const map = world.spawn(Tilemap({ columns: 1, rows: 1, tiles: [0], animations: { 0: [{ tile: 0, seconds: 1 }] } }));
 * tiles.step(0.25);
 * world.get(map, Tilemap)!.time; // → 0.25
 * ```
 */
export function createTileAnimations(tree: Hierarchy): TileAnimator {
  const { world } = tree;
  const maps = world.query(Tilemap);
  const pace = paceOf(tree);
  return {
    step(dt) {
      expectArguments("animate tiles", ["the seconds", dt, "number"]);
      for (const entity of [...maps]) {
        const { animations, time } = world.get(entity, Tilemap)!;
        if (Object.keys(animations).length === 0) continue;
        const passed = dt * pace.of(entity);
        if (passed !== 0) world.set(entity, Tilemap, { time: time + passed });
      }
    },
    dispose() {},
  };
}

/** A part of a game that animates tiles. Made by `tilePart`. */
export interface TilePart {
  /** None besides those that every game has. */
  readonly components: readonly AnyComponent[];
  /** Creates the animator of a game: `game.parts.<name>`. */
  create(game: { readonly tree: Hierarchy }): TileAnimator;
}

/** Lets a game animate the tiles of its maps: `createGame({ parts: { tiles: tilePart() } })`. */
export function tilePart(): TilePart {
  return { components: [], create: ({ tree }) => createTileAnimations(tree) };
}
