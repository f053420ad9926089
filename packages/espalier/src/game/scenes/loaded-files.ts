/**
 * The game's records of loaded files.
 */
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { Scene, SceneFile, SceneFormat } from "../../scene/index.ts";

/** One loaded scene. */
export interface Loaded {
  readonly name: string;
  readonly file: string;
  readonly scene: Scene;
  /** Whether the file had no entity, so that a scene without any is still loaded. */
  readonly isEmpty: boolean;
  prefabs: Readonly<Record<string, string | SceneFile>>;
  /** The files in which the prefabs were found, by the names that the scene uses. */
  readonly files: Readonly<Record<string, string>>;
}

/** The records of all files. */
export interface LoadedFiles {
  readonly tree: Hierarchy;
  readonly format: SceneFormat;
  /** The scenes that still have an entity. */
  readonly present: readonly Loaded[];
  /** By the names that scenes and prefabs use: the files in which prefabs were found, and their texts. */
  readonly prefabs: ReadonlyMap<string, { readonly file: string; content: string | SceneFile }>;
  /** Files that changed since they were first fetched. */
  readonly changed: Map<string, string | SceneFile>;
}
