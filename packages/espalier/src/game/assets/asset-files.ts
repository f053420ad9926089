/**
 * Files as an option of a game, so that they are bundled only if the option is used.
 */
import { type ArgumentTest, checkOptions, expectArguments } from "../../ecs/index.ts";
import type { Game } from "../game-api.ts";
import { AssetLoader } from "./asset-loader.ts";
import type { AssetFileOptions, AssetSetup, AssetSources, GameAssets } from "./game-assets.ts";

const someKinds: ArgumentTest = {
  expected: "an array of objects with kind, endings and read",
  fits: (value) =>
    Array.isArray(value) &&
    value.every((each) => typeof Object(each).read === "function" && Array.isArray(Object(each).endings)),
};

/**
 * Lets a game load files before they are used: `createGame({ assets: assetFiles({ hero: "hero.json", boom: ["boom.webm", "boom.m4a"] }) })`.
 * A name that is not listed but has a file extension is its own address.
 *
 * @throws InvalidGameError for a source that leads to no file.
 *
 * @example
 * ```ts
 * const game = createGame({ assets: assetFiles({ waves: { json: [{ enemies: 3 }] } }) });
 * await game.preload(["waves"]);
 * game.assets.get("waves"); // → [{ enemies: 3 }]
 * ```
 */
export function assetFiles(
  sources: AssetSources = {},
  options: AssetFileOptions = {},
): (game: Game, setup: AssetSetup) => GameAssets {
  const doing = "use assets";
  expectArguments(doing, ["the assets", sources, "object"], ["the options", options, "object"]);
  checkOptions(true, doing, options, { base: "string", fetch: "function", kinds: "anything" });
  const { base, fetch, kinds } = options;
  if (base !== undefined) expectArguments(doing, ["base", base, "text"]);
  if (fetch !== undefined) expectArguments(doing, ["fetch", fetch, "function"]);
  if (kinds !== undefined) expectArguments(doing, ["kinds", kinds, someKinds]);
  return (game, setup) => new AssetLoader(game, sources, options, setup);
}
