/**
 * Makes several instances follow another form of their prefab.
 */
import type { Hierarchy } from "../../hierarchy/index.ts";
import { ownStep } from "../../history/internal.ts";
import { asOneChange } from "../all-or-nothing.ts";
import { followForm } from "./follow-form.ts";
import type { Instance } from "./instance.ts";
import type { NextForms } from "./next-forms.ts";

/** All changes or none, as one step. */
export function changeForms<Result>(tree: Hierarchy, label: string, change: () => Result): Result {
  return ownStep(tree.world, label, () => asOneChange(tree.world, change));
}

/** Makes an instance follow the next form of its prefab, if there is one and it still is an instance. */
export function followNext(instance: Instance, forms: NextForms): boolean {
  if (!instance.isThere) return false;
  const { template, registry } = instance.record;
  const next = forms(template, registry);
  if (next !== undefined) followForm(instance, next);
  return next !== undefined;
}
