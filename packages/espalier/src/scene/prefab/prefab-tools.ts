/**
 * What prefabs do beside being instantiated: taking over overrides, and getting another form. A format that only loads does not have these.
 */
import { type Registry, requireTools } from "../registry.ts";
import { editPrefab } from "./apply-overrides.ts";
import { changeForms, followNext } from "./change-forms.ts";
import { adoptForm } from "./follow-form.ts";
import { nextForms } from "./next-forms.ts";

export const prefabTools = { adoptForm, changeForms, editPrefab, followNext, nextForms };

/** @throws SceneUseError `scene/load-only` */
export function prefabToolsOf(registry: Registry, doing: string): typeof prefabTools {
  return requireTools(registry, doing).prefabs as typeof prefabTools;
}
