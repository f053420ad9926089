/**
 * The prefab that a scene means by a name.
 */
import type { SceneFormat } from "../format.ts";
import { type ReadOptions, readTemplate } from "../read/load.ts";
import { answerOf } from "../read/prefab-source.ts";
import { Prefab } from "./prefab.ts";

/** `undefined` when there is none. @throws SceneError when its file is broken. */
export function prefabNamed(
  { registry }: SceneFormat,
  name: string,
  { file, prefabs = {}, unknown }: ReadOptions,
): Prefab | undefined {
  const found = answerOf(prefabs, name, file);
  if (found === undefined) return undefined;
  const options = { file: found.file, prefabs, ...(unknown === undefined ? {} : { unknown }) };
  return new Prefab(registry, readTemplate(registry, found.source, options), name);
}
