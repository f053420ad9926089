/**
 * Operations on prefabs besides instantiating: applying overrides, changing the form, and writing. A format that only loads
 * does not have these.
 */
import { type Registry, requireTools } from "../registry.ts";
import { applyToPrefab, replacePrefab } from "./replace-prefab.ts";
import { writePrefab } from "./write-prefab.ts";

export const prefabTools = { applyToPrefab, replacePrefab, writePrefab };

/** @throws SceneUseError `scene/load-only` */
export function prefabToolsOf(registry: Registry, doing: string): typeof prefabTools {
  return requireTools(registry, doing).prefabs as typeof prefabTools;
}
