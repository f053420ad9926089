/**
 * What scenes and instances do beside being loaded: being written, compared and changed. A format that only loads does not have
 * these, and programs that make no other format do not carry them.
 */
import { reconcile } from "./compare/reconcile.ts";
import { overridesOf } from "./prefab/overrides.ts";
import { revertOverrides } from "./prefab/revert-overrides.ts";
import { type Registry, requireTools } from "./registry.ts";
import { printScene } from "./write/print-scene.ts";
import { printWorld, printWorldInSlices, writeScene } from "./write/write.ts";

export const writeTools = {
  overridesOf,
  printScene,
  printWorld,
  printWorldInSlices,
  reconcile,
  revertOverrides,
  writeScene,
};

/** @throws SceneUseError `scene/load-only` */
export function writeToolsOf(registry: Registry, doing: string): typeof writeTools {
  return requireTools(registry, doing).writing as typeof writeTools;
}
