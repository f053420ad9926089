/**
 * What a program gives to the files of its game, and gets of them. Errors and the interface of games name these types, so no file of
 * either is imported here.
 */
import type { AssetKind } from "../../ecs/index.ts";
import type { LoadingFiles } from "../parts/part.ts";
import type { AssetProgress } from "./asset-progress.ts";
import type { FetchAsset } from "./fetch-asset.ts";

/** An address, absolute or from `base`; or several with the same content, of which the first that can be used is taken. */
export type AssetAddress = string | URL | readonly (string | URL)[];

/**
 * One file: its address, whose ending says the kind; or an object with the kind as a key, and options of the kind beside it:
 * `{ font: "title.woff2" }`, `{ atlas: "hero.json", fps: 12 }`. JSON that the program has already may stand instead of an address.
 */
export type AssetSource = AssetAddress | { readonly [kindOrOption: string]: unknown };

/** The files of a game, by the names that fields use. */
export interface AssetSources {
  /** Where it is. */
  readonly [name: string]: AssetSource;
}

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
