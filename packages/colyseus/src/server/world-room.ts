import { definePlugins, Room } from "@colyseus/core";
import type { Schema } from "espalier";
import type { Replication } from "../replicate.ts";
import { bindHooksLate } from "./late-hooks.ts";
import { type HostedGame, type WorldOptions, WorldPlugin } from "./world-plugin.ts";

/** A room that runs a world. Created by `worldRoom`. */
export interface WorldRoom<Game extends HostedGame = HostedGame> extends Room {
  /** Its plugins: `room.plugins.world` holds the game and its players. */
  readonly plugins: { readonly world: WorldPlugin<Game> };
}

/**
 * Creates a room class that runs a world: `defineRoom(worldRoom(arena, { game: createArena }))`. Extend it for messages, limits and
 * authentication; a room that extends another class uses `WorldPlugin`.
 *
 * @throws InvalidMultiplayerError, InvalidOptionError
 */
export function worldRoom<Input extends Schema, Game extends HostedGame>(
  net: Replication<Input>,
  options: WorldOptions<Game>,
): new () => WorldRoom<Game> {
  const shared = net as unknown as Replication;
  // Invalid options are refused here, not when the first client joins.
  new WorldPlugin(shared, options);
  class HostRoom extends Room {
    // A room without inputs sends no clock; there is nothing to predict then.
    override inputs = (net.input === undefined ? undefined : this.defineInput(net.Input)) as never;
    override plugins = definePlugins({ world: new WorldPlugin(shared, options) });

    constructor() {
      super();
      bindHooksLate(this);
    }
  }
  return HostRoom as unknown as new () => WorldRoom<Game>;
}
