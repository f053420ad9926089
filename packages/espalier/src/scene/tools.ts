/**
 * What a format does beside loading: saving, reloading, overrides of instances, copies, JSON Schema. A format reaches all of it
 * through its registry, so that programs whose format only loads do not carry it.
 */
import { asOneChange } from "./all-or-nothing.ts";
import { reconcile } from "./compare/reconcile.ts";
import { cloneWith } from "./copies/clone.ts";
import { createJsonSchema } from "./json-schema.ts";
import { editPrefab } from "./prefab/apply-overrides.ts";
import { changeForms, followNext } from "./prefab/change-forms.ts";
import { reordered, restoreOrder } from "./prefab/child-order.ts";
import { followDraft } from "./prefab/follow-draft.ts";
import { adoptForm } from "./prefab/follow-form.ts";
import { nextForms } from "./prefab/next-forms.ts";
import { reloadPrefabs } from "./prefab/reload-prefab.ts";
import { ComponentWriter } from "./write/component-writer.ts";
import { diffInstance } from "./write/instance-diff.ts";
import { printScene } from "./write/print-scene.ts";
import { printWorld, writeScene } from "./write/write.ts";

export const sceneTools = {
  adoptForm,
  asOneChange,
  changeForms,
  cloneWith,
  createJsonSchema,
  createWriter: (...given: ConstructorParameters<typeof ComponentWriter>) => new ComponentWriter(...given),
  diffInstance,
  editPrefab,
  followDraft,
  followNext,
  nextForms,
  printScene,
  printWorld,
  reconcile,
  reloadPrefabs,
  reordered,
  restoreOrder,
  writeScene,
};

export type SceneTools = typeof sceneTools;
