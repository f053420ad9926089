/**
 * Applies files that change during development to the running game.
 */
import { expectArguments } from "../../ecs/index.ts";
import type { Game } from "../game-api.ts";

/** The type of Vite's `import.meta.hot`. */
export interface HotContext {
  /** Calls `listener` for an event of the server. */
  on(event: string, listener: (payload: { readonly file: string; readonly content: string }) => void): void;
}

/**
 * Reloads scenes and prefabs of the game when their files change, with the plugin of `espalier/vite`. Does nothing in a
 * build, where `import.meta.hot` is `undefined`. A broken file is reported to `onError`; the game continues unchanged.
 */
export function hotReload(game: Game, hot: HotContext | undefined): void {
  const doing = "reload scenes";
  if (hot === undefined) return;
  expectArguments(doing, ["it", Object(game).reload, { expected: "a game", fits: isCall }]);
  expectArguments(doing, ["import.meta.hot", Object(hot).on, { expected: "that of Vite", fits: isCall }]);
  hot.on("espalier:scene", ({ file, content }) => {
    if (game.isStopped) return;
    try {
      game.reload(file, content);
    } catch (error) {
      game.world.onError(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function isCall(value: unknown): boolean {
  return typeof value === "function";
}
