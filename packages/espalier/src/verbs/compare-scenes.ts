/**
 * The differences of two scenes for people and programs to read.
 */
import { createWorld } from "../ecs/index.ts";
import { createHierarchy } from "../hierarchy/index.ts";
import type { ReadOptions, SceneFile, SceneFormat, SceneSource } from "../scene/index.ts";
import { isComposedSource, Scene } from "../scene/internal.ts";
import type { Change } from "./changes/change.ts";
import { compareFiles } from "./changes/compare-files.ts";
import { shareEntries } from "./changes/file-delta.ts";
import { defaultsOf } from "./parameters/component-schemas.ts";

/**
 * The differences between two scenes as changes with both values, by id. Unlike the patch of `diffScenes` it is about files as
 * written, including prefab overrides; `printChanges` gives its text. No world is touched.
 *
 * @throws SceneError when one of the files is broken.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const changes = compareScenes(format, `{ "entities": [] }`, `{ "entities": [{ "id": "tank" }] }`);
 * printChanges(changes); // → "+ /tank\n"
 * ```
 */
export function compareScenes(
  format: SceneFormat,
  a: SceneSource,
  b: SceneSource,
  options: ReadOptions = {},
): Change[] {
  const before = savedFile(format, a, options);
  const after = shareEntries(before, savedFile(format, b, options));
  return compareFiles(before, after, defaultsOf(format));
}

/** A scene as saving would write it. */
export function savedFile(format: SceneFormat, source: SceneSource, options: ReadOptions): SceneFile {
  if (source instanceof Scene) return source.toFile();
  if (isComposedSource(source)) return format.prefab(source, options).toFile();
  return format.load(createHierarchy(createWorld()), source, options).toFile();
}
