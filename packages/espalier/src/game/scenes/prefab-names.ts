/**
 * Finds the prefabs that a scene uses, so that their texts can be fetched before it is loaded.
 */
import { type EntityEntry, parseScene, type SceneFile } from "../../scene/index.ts";

/** The names as written in the file, each once. A file that cannot be read has none; loading it will report why. */
export function prefabNames(content: string | SceneFile): string[] {
  const names = new Set<string>();
  let waiting: EntityEntry[];
  try {
    const { entities, compose } = typeof content === "string" ? parseScene(content) : content;
    waiting = [...entities];
    if (Array.isArray(compose)) for (const name of compose) if (typeof name === "string") names.add(name);
  } catch {
    return [];
  }
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    if (typeof entry?.prefab === "string") names.add(entry.prefab);
    if (Array.isArray(entry?.children)) waiting.push(...entry.children);
    for (const override of Object.values(entry?.overrides ?? {})) {
      if (Array.isArray(override?.children)) waiting.push(...override.children);
    }
  }
  return [...names];
}
