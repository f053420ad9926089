/**
 * The types of assets that programs use. Errors and the interface of games refer to these types, so neither
 * is imported here.
 */
import type { AssetKind } from "../../ecs/index.ts";
import type { LoadingFiles } from "../parts/part.ts";
import type { AssetProgress } from "./asset-progress.ts";
import type { FetchAsset } from "./fetch-asset.ts";

/** An address, absolute or relative to `base`; or several with the same content, of which the first usable one is taken. */
export type AssetAddress = string | URL | readonly (string | URL)[];

/**
 * One file: its address, whose extension determines the kind; or an object with the kind as a key, and options of the kind beside it:
 * `{ font: "title.woff2" }`, `{ atlas: "hero.json", fps: 12 }`. JSON that the program already has can replace the address.
 */
export type AssetSource = AssetAddress | { readonly [kindOrOption: string]: unknown };

/** The files of a game, by the names that fields use. */
export interface AssetSources {
  /** The source of the file. */
  readonly [name: string]: AssetSource;
}

/** Options of `game.preload`. */
export interface PreloadOptions {
  /** Called whenever more has arrived. */
  readonly onProgress?: (progress: AssetProgress) => void;
  /** Cancels the loading; none of the requested files is in use then. */
  readonly signal?: AbortSignal;
}

/** The files of a game: used by `game.preload` and related calls. Created by `assetFiles`. */
export interface GameAssets {
  /** The names that are listed. */
  readonly names: readonly string[];
  /** Lists more files, or replaces their sources. What is loaded stays as it is. */
  add(sources: AssetSources): void;
  /** Whether the file of that name is loaded. */
  has(name: string): boolean;
  /** The content of the file with that name, once it is loaded: a picture, an `Atlas`, the value of JSON. */
  get(name: string): unknown;
  /** Loads what a scene uses, what a list names, or everything that is listed. */
  preload(what?: string | readonly string[], options?: PreloadOptions): Promise<void>;
  /** Frees files by name; without names, all that no entity uses. Returns the names of the freed files. */
  unload(names?: string | readonly string[]): string[];
  /** Loads the files that a scene needs before the scene is loaded. */
  prepare(files: LoadingFiles): Promise<void>;
  /** Cancels running loads and frees the rest. */
  close(): void;
}

/** Options of `assetFiles`. */
export interface AssetFileOptions {
  /** The base of relative addresses: `"assets/"`. The address of the page if left out. */
  readonly base?: string;
  /** Fetches files: for programs in Node, and for files that are stored elsewhere. The global `fetch` if left out. */
  readonly fetch?: FetchAsset;
  /** Additional kinds of files. Parts and renderers have their own. */
  readonly kinds?: readonly AssetKind[];
}

/** What a game passes to its assets. */
export interface AssetSetup {
  /** The texts of a scene or prefab and of the prefabs it uses. */
  filesOf(name: string, signal: AbortSignal): Promise<LoadingFiles>;
  /** Throws when the game was stopped. */
  requireRunning(doing: string): void;
}
