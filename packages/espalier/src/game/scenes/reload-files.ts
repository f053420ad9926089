/**
 * Applies a changed file to everything that a game has loaded from it.
 */
import { transaction } from "../../history/index.ts";
import type { ReloadSummary, SceneFile } from "../../scene/index.ts";
import type { Loaded, LoadedFiles } from "./loaded-files.ts";
import { isPrefabOf, isSameFile } from "./scene-sources.ts";

/** All or nothing. Returns the changes of each scene. @throws SceneError when the file is broken. */
export function reloadFiles(files: LoadedFiles, file: string, content: string | SceneFile): ReloadSummary[] {
  const { tree, format, present, prefabs } = files;
  const entries = present.filter((entry) => uses(entry, file));
  const before = entries.map(({ scene }) => scene.remember());
  const isIt = (name: string) => isPrefabOf(prefabs.get(name)?.file ?? name, file);
  const known = Object.fromEntries([...prefabs].map(([name, found]) => [name, found.content]));
  try {
    return transaction(tree.world, () => {
      const summaries = entries.map((entry) => reloadScene(entry, file, content));
      format.reloadPrefab(tree, isIt, content, { prefabs: known });
      note(files, file, content);
      return summaries;
    });
  } catch (error) {
    for (const restore of before) restore();
    throw error;
  }
}

function uses({ file: own, files }: Loaded, file: string): boolean {
  return isSameFile(own, file) || Object.values(files).some((used) => isSameFile(used, file));
}

function reloadScene(entry: Loaded, file: string, content: string | SceneFile): ReloadSummary {
  const { scene, files } = entry;
  const used = Object.keys(files).filter((name) => isSameFile(files[name] as string, file));
  const prefabs = { ...entry.prefabs, ...Object.fromEntries(used.map((name) => [name, content])) };
  // The game may have saved it meanwhile: only changes of the file are applied.
  const text = isSameFile(entry.file, file) ? content : (scene.source ?? { entities: [] });
  return scene.reload(text, { prefabs });
}

/** Records that a file was reloaded: later loads and reloads use its new text. */
function note({ present, prefabs, changed }: LoadedFiles, file: string, content: string | SceneFile): void {
  for (const entry of present) {
    const used = Object.keys(entry.files).filter((name) => isSameFile(entry.files[name] as string, file));
    entry.prefabs = { ...entry.prefabs, ...Object.fromEntries(used.map((name) => [name, content])) };
  }
  for (const found of prefabs.values()) if (isSameFile(found.file, file)) found.content = content;
  changed.set(file, content);
}
