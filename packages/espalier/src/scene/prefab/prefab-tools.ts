/**
 * What prefabs do beside being instantiated: taking over overrides, getting another form, and being written. A format that only loads does not have these.
 */
import { type Registry, requireTools } from "../registry.ts";
import { applyToPrefab, replacePrefab } from "./replace-prefab.ts";
import { writePrefab } from "./write-prefab.ts";

export const prefabTools = { applyToPrefab, replacePrefab, writePrefab };

/** @throws SceneUseError `scene/load-only` */
export function prefabToolsOf(registry: Registry, doing: string): typeof prefabTools {
  return requireTools(registry, doing).prefabs as typeof prefabTools;
}
