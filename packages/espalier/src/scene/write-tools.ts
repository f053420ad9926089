/**
 * What scenes and instances do beside being loaded: being written, compared and changed. A format that only loads does not have
 * these, and programs that make no other format do not carry them.
 */
import { asOneChange } from "./all-or-nothing.ts";
import { reconcile } from "./compare/reconcile.ts";
import { reordered, restoreOrder } from "./prefab/child-order.ts";
import { followDraft } from "./prefab/follow-draft.ts";
import { type Registry, requireTools } from "./registry.ts";
import { ComponentWriter } from "./write/component-writer.ts";
import { diffInstance } from "./write/instance-diff.ts";
import { printScene } from "./write/print-scene.ts";
import { printWorld, printWorldInSlices, writeScene } from "./write/write.ts";

export const writeTools = {
  asOneChange,
  createWriter: (...given: ConstructorParameters<typeof ComponentWriter>) => new ComponentWriter(...given),
  diffInstance,
  followDraft,
  printScene,
  printWorld,
  printWorldInSlices,
  reconcile,
  reordered,
  restoreOrder,
  writeScene,
};

/** @throws SceneUseError `scene/load-only` */
export function writeToolsOf(registry: Registry, doing: string): typeof writeTools {
  return requireTools(registry, doing).writing as typeof writeTools;
}
