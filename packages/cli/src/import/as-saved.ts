/**
 * Brings imported scenes into the form in which the library saves them, so that the first save of a game or the editor changes nothing.
 */
import { dirname, resolve } from "node:path";
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import type { PrefabSource, SceneProblem } from "espalier/scene";
import { loadOwnFormat } from "../config.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, shown } from "../files.ts";
import type { NewFile } from "../write-files.ts";

/** Returns the text of a missing prefab that can be imported. Its path is absolute. */
export type ImportPrefab = (file: string) => Promise<string | undefined>;

/**
 * The scenes as they are after being loaded and saved. A scene whose prefabs are missing cannot be loaded and keeps its text.
 *
 * @throws Stop when a scene would not load, apart from missing prefabs.
 */
export async function asSaved(
  scenes: readonly NewFile[],
  importPrefab: ImportPrefab = async () => undefined,
): Promise<NewFile[]> {
  const format = await loadOwnFormat();
  const texts = new Map<string, string | undefined>(scenes.map(({ file, text }) => [resolve(file), text]));
  const saved: NewFile[] = [];
  for (const { file, text } of scenes) {
    for (;;) {
      const prefabs = new KnownPrefabs(texts);
      const options = { file: resolve(file), prefabs: prefabs.find, unknown: "keep" } as const;
      const problems = format.check(text, options);
      if (prefabs.unknown.size > 0) {
        // Scenes are loaded with the prefabs they need, even if those are not to be written.
        for (const path of prefabs.unknown) texts.set(path, await importPrefab(path));
        continue;
      }
      requireLoading(file, problems, prefabs);
      const isWhole = problems.length === 0;
      const tree = createHierarchy(createWorld());
      saved.push({ file, text: isWhole ? format.load(tree, text, options).save() : text });
      break;
    }
  }
  return saved;
}

/** The imported prefabs, and those on disk. */
class KnownPrefabs {
  /** Missing files of which it is not known whether they can be imported. */
  readonly unknown = new Set<string>();
  readonly fromDisk = new Set<string>();
  private readonly texts: ReadonlyMap<string, string | undefined>;
  private readonly onDisk = prefabsOnDisk(undefined) as (name: string, from?: string) => PrefabSource;

  /** @param texts - By absolute path; `undefined` for what cannot be imported. */
  constructor(texts: ReadonlyMap<string, string | undefined>) {
    this.texts = texts;
  }

  readonly find = (name: string, from: string | undefined): PrefabSource => {
    const path = resolve(dirname(from ?? "."), name);
    const source = this.texts.get(path);
    if (source !== undefined) return { file: path, source };
    try {
      const found = this.onDisk(name, from);
      this.fromDisk.add(shown(path));
      return found;
    } catch (error) {
      if (!this.texts.has(path)) this.unknown.add(path);
      throw error;
    }
  };
}

/** Refuses a scene that would not load, apart from missing prefabs. */
function requireLoading(file: string, problems: readonly SceneProblem[], prefabs: KnownPrefabs): void {
  const problem = firstOwn(problems, resolve(file));
  if (problem === undefined) return;
  const isStale = leadsIntoPrefabs.has(problem.code) && prefabs.fromDisk.size > 0;
  const help = isStale
    ? `${[...prefabs.fromDisk].join(", ")} may be older than what it was imported from: --recursive --force imports it again`
    : "please report it";
  throw new Stop(
    exitCodes.problems,
    `Cannot import ${shown(file)}: the scene would not load (${problem.message}). Nothing was written; ${help}.`,
  );
}

/** Problems of overrides for entities of prefabs. */
const leadsIntoPrefabs: ReadonlySet<string> = new Set([
  "scene/unknown-override",
  "scene/missing-parent",
  "scene/missing-reference",
]);

/** The first problem of the scene itself. Without its prefabs, references into them cannot be checked. */
function firstOwn(problems: readonly SceneProblem[], file: string): SceneProblem | undefined {
  const isMissing = problems.some(({ code }) => code === "scene/unknown-prefab");
  return problems.find(
    ({ code, file: where }) =>
      where === file && code !== "scene/unknown-prefab" && !(isMissing && leadsIntoPrefabs.has(code)),
  );
}
