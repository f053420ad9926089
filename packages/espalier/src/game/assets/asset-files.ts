/**
 * Files as an option of a game: what is not given is not in the bundle.
 */
import { type ArgumentTest, type AssetKind, checkOptions, expectArguments } from "../../ecs/index.ts";
import type { Game } from "../game-api.ts";
import type { LoadingFiles } from "../parts/part.ts";
import { AssetLoader } from "./asset-loader.ts";
import type { AssetProgress } from "./asset-progress.ts";
import type { AssetSources } from "./asset-source.ts";
import type { FetchAsset } from "./fetch-asset.ts";

/** Options of `game.preload`. */
export interface PreloadOptions {
  /** Called whenever more has arrived. */
  readonly onProgress?: (progress: AssetProgress) => void;
  /** Cancels the loading; nothing that was asked for is in use then. */
  readonly signal?: AbortSignal;
}

/** The files of a game: what `game.preload` and the calls beside it use. Made by `assetFiles`. */
export interface GameAssets {
  /** The names that are listed. */
  readonly names: readonly string[];
  /** Lists more files, or replaces their sources. What is loaded stays as it is. */
  add(sources: AssetSources): void;
  /** Whether the file of that name is loaded. */
  has(name: string): boolean;
  /** What the file of that name holds, once it is loaded: a picture, an `Atlas`, the value of JSON. */
  get(name: string): unknown;
  /** Loads what a scene uses, what a list names, or everything that is listed. */
  preload(what?: string | readonly string[], options?: PreloadOptions): Promise<void>;
  /** Frees files by name; without names, all that no entity uses. Returns the names of what was freed. */
  unload(names?: string | readonly string[]): string[];
  /** Loads what a scene needs that is about to be loaded. */
  prepare(files: LoadingFiles): Promise<void>;
  /** Cancels what is on its way and frees the rest. */
  close(): void;
}

/** Options of `assetFiles`. */
export interface AssetFileOptions {
  /** What addresses start from: `"assets/"`. The address of the page if left out. */
  readonly base?: string;
  /** Fetches files: for programs in Node, and for files that are kept elsewhere. The global `fetch` if left out. */
  readonly fetch?: FetchAsset;
  /** Further kinds of files. Parts and renderers bring their own. */
  readonly kinds?: readonly AssetKind[];
}

/** What a game gives to its assets. */
export interface AssetSetup {
  /** The texts of a scene or prefab and of the prefabs it uses. */
  filesOf(name: string, signal: AbortSignal): Promise<LoadingFiles>;
  /** Throws when the game was stopped. */
  requireRunning(doing: string): void;
}

const someKinds: ArgumentTest = {
  expected: "an array of objects with kind, endings and read",
  fits: (value) =>
    Array.isArray(value) &&
    value.every((each) => typeof Object(each).read === "function" && Array.isArray(Object(each).endings)),
};

/**
 * Lets a game load files before they are used: `createGame({ assets: assetFiles({ hero: "hero.json", boom: ["boom.webm", "boom.m4a"] }) })`.
 * A name that is not listed and ends as files do is its own address.
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
