/**
 * Which files a scene needs, without a world.
 */
import { isRecord, refuseUse } from "./arguments.ts";
import { type AssetUse, usesIn } from "./asset-uses.ts";
import type { SceneProblem } from "./errors.ts";
import type { SceneFile } from "./file.ts";
import type { SceneFormat } from "./format.ts";
import { type ReadOptions, readScene, requireDraft, requireReading } from "./read/load.ts";
import { Report } from "./read/report.ts";

/**
 * The files that a scene or prefab needs, each once, in the order of its entities. Prefabs are included as their instances use
 * them: the value of an override counts, not that of the prefab.
 *
 * @param options - As for `format.load`: where prefabs come from.
 * @throws SceneError when the file is broken.
 *
 * @example
 * ```ts
 * const Portrait = component("Portrait", { picture: asset("texture") });
 * const format = createSceneFormat({ components: [Portrait] });
 * const scene = { entities: [{ id: "hero", components: { Portrait: { picture: "hero.png" } } }] };
 * assetsOf(scene, format).map(({ kind, name, path }) => `${kind} ${name} for ${path}`); // → ["texture hero.png for /hero"]
 * ```
 */
export function assetsOf(
  scene: string | SceneFile,
  format: SceneFormat,
  options: ReadOptions = {},
): readonly AssetUse[] {
  const read = requireAll(format, options, "list the assets of a scene");
  const draft = requireDraft(readScene(format.registry, scene, read), read, "list the assets of");
  return [...usesIn(draft)].map(({ use }) => use);
}

/**
 * What is wrong with the files that a scene needs, with its location in the scene or prefab that names them.
 *
 * @param find - Called for each file. Returns what is wrong with it, as a sentence, or `undefined` when it exists.
 * @param options - As for `format.check`. A scene that cannot be read has no such problems: `format.check` lists others.
 */
export function checkAssets(
  scene: string | SceneFile,
  format: SceneFormat,
  find: (use: AssetUse) => string | undefined,
  options: ReadOptions = {},
): readonly SceneProblem[] {
  const doing = "check the assets of a scene";
  const read = requireAll(format, options, doing);
  if (typeof find !== "function")
    throw refuseUse(doing, "give a function that says what is wrong with a file.");
  const { draft } = readScene(format.registry, scene, read);
  const report = new Report();
  for (const { use, location } of draft === undefined ? [] : usesIn(draft)) {
    const wrong = find(use);
    if (wrong !== undefined) report.add("scene/missing-asset", location(), wrong);
  }
  return report.problems();
}

function requireAll(format: SceneFormat, options: ReadOptions, doing: string): ReadOptions {
  if (!isRecord(Object(format).registry)) {
    throw refuseUse(doing, "the second argument is a scene format: pass what createSceneFormat() returned.");
  }
  return requireReading(options, doing);
}
