/**
 * A game in a worker: `createGame({ parts: { page: hostPart({ components }) } })`. The type of parts is declared here, because this
 * room knows no games.
 */
import type { World } from "../ecs/index.ts";
import type { Transforms2D } from "../transform/index.ts";
import { type HostOptions, hostWorld, type WorldHost } from "./host-world.ts";

/** What it needs from a game. */
export interface HostedGame {
  /** The world that is sent. */
  readonly world: World;
  /** The transforms that are sent as blocks. */
  readonly space: Transforms2D;
  /** The receiver of the page's events. */
  readonly input: { feed(...events: readonly never[]): void };
}

/** Options of `hostPart`: those of `hostWorld`, where tree, space and input are the game's. */
export type HostPartOptions = Omit<HostOptions, "onInput" | "spaces" | "trees">;

/** A running part: `game.parts.<name>`. */
export interface RunningHost {
  /** The host that sends the world. */
  readonly host: WorldHost;
  /** Sends changes, once per frame. Called by the game. */
  draw(): void;
  /** Ends it. Called by the game. */
  dispose(): void;
}

/** A part of a game that sends it to a page. Made by `hostPart`. */
export interface HostPart {
  /** Creates it. Called by the game. */
  create(game: HostedGame): RunningHost;
}

/**
 * Sends a game to the page that mirrors it, after each frame, and feeds the events of the page into `game.input`.
 *
 * @example
 * ```ts
 * const { port1, port2 } = new MessageChannel();
 * const game = createGame({ parts: { page: hostPart({ components: [], port: port1 }) } });
 * game.step();
 * game.parts.page.host.status; // → "waiting"
 * game.stop();
 * port2.close();
 * ```
 */
export function hostPart(options: HostPartOptions): HostPart {
  return {
    create({ world, space, input }) {
      const host = hostWorld(world, {
        ...options,
        spaces: [space],
        onInput: (event) => input.feed(event as never),
      });
      return { host, draw: () => void host.publish(), dispose: () => host.close() };
    },
  };
}
