/**
 * What scenes and instances support besides loading: writing, comparing and changing. A format that only loads does not have
 * these, and programs without any other format do not bundle them.
 */
import { reloadScene } from "./compare/reload-scene.ts";
import { overridesOf } from "./prefab/overrides.ts";
import { revertOverrides } from "./prefab/revert-overrides.ts";
import { type Registry, requireTools } from "./registry.ts";
import { printScene } from "./write/print-scene.ts";
import { saveEntities } from "./write/save-entities.ts";
import { saveScene, saveSceneInSlices, sceneToFile } from "./write/save-scene.ts";

export const writeTools = {
  overridesOf,
  printScene,
  reloadScene,
  revertOverrides,
  saveEntities,
  saveScene,
  saveSceneInSlices,
  sceneToFile,
};

/** @throws SceneUseError `scene/load-only` */
export function writeToolsOf(registry: Registry, doing: string): typeof writeTools {
  return requireTools(registry, doing).writing as typeof writeTools;
}
