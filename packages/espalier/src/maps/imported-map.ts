/**
 * The options and the result of importing a map.
 */
import type { Json, SceneFile } from "../scene/index.ts";

/** A part of a map that the scene does not have. */
export interface NotImported {
  /** Layer or object it belongs to, as a path of names; empty for the map as a whole. */
  readonly where: string;
  /** A description of it. */
  readonly what: string;
  /** Whether the scene keeps it in `Props`, for your own code to read. */
  readonly kept: boolean;
}

/** A map as a scene. */
export interface ImportedMap {
  /** The scene as a file: `game.load`, `format.load` and `printScene` take it. */
  readonly scene: SceneFile;
  /** Parts that were not imported. */
  readonly notImported: readonly NotImported[];
  /** The textures that the scene names. */
  readonly textures: readonly string[];
  /** The other files that were read, as the map names them. */
  readonly files: readonly string[];
}

/** Options of the importers. */
export interface ImportMapOptions {
  /** The name of the file, for messages. */
  readonly file?: string;
  /** Reads another file that the map names, such as a tile set, by its path from the map. Only called for those. */
  readonly read?: (path: string) => string | object | Promise<string | object>;
  /** The direction of y in the game: `"up"`, as in `createGame`, if left out. */
  readonly yAxis?: "up" | "down";
  /** The name of the texture for the path of an image, relative to the map. The path itself if left out. */
  readonly texture?: (path: string) => string;
  /**
   * Which classes of objects are prefabs: their names, or a function that gives the prefab of a class. Objects of such a class become instances,
   * their properties overrides. None if left out.
   */
  readonly prefabs?: readonly string[] | ((className: string) => string | undefined);
}

/** Components of an entity under construction. */
export type Components = { [name: string]: { [field: string]: Json } };
