/**
 * Gives a prefab another form: a given one, or its own with overrides of an instance applied.
 */
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { SceneFile } from "../file.ts";
import { readTemplate } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import { formComparer } from "../read/template.ts";
import { editPrefab, refuseApplying } from "./apply-overrides.ts";
import { changeForms, followNext } from "./change-forms.ts";
import { adoptForm } from "./follow-form.ts";
import { type Instance, instancesIn } from "./instance.ts";
import { type NextForms, nextForms } from "./next-forms.ts";
import { type Override, overridesOf, requireOverrides } from "./overrides.ts";
import { draftOf, type ReadPrefab } from "./prefab-draft.ts";

/** @throws SceneError when an instance cannot follow. */
export function replacePrefab(tree: Hierarchy, prefab: ReadPrefab, next: Template): void {
  const forms = formsAfter(prefab, next);
  changeForms(tree, `Replace ${prefab.name}`, () => {
    for (const instance of instancesIn(tree)) followNext(instance, forms);
  });
}

/**
 * Returns the next form of the prefab, which all of its instances follow.
 *
 * @param overrides - All but those that are `own` if left out.
 * @throws SceneError when an override cannot be part of a prefab.
 */
export function applyToPrefab(
  prefab: ReadPrefab,
  instance: Instance,
  overrides: Override | readonly Override[] = overridesOf(instance).filter(({ own }) => own !== true),
): Template {
  const { registry, form, name } = prefab;
  const chosen = requireOverrides(overrides, "apply overrides");
  const { file, joined } = editPrefab(draftOf(prefab), form, instance, chosen);
  const next = readTemplate(registry, file, { file: form.file, prefabs: form.prefabs, unknown: "keep" });
  const { tree, root, record } = instance;
  const forms = formsAfter(prefab, next, record.template);
  changeForms(tree, `Apply to ${name}`, () => {
    adoptForm(instance, next, joined);
    for (const other of instancesIn(tree)) if (other.root !== root) followNext(other, forms);
    requireStillThere(instance, name);
  });
  return next;
}

/** The next forms of prefabs when this one has another form. */
function formsAfter({ form }: ReadPrefab, next: Template, ...same: readonly Template[]): NextForms {
  const isSameForm = formComparer();
  const isThis = (other: Template) => [form, ...same].some((each) => isSameForm(other, each));
  const isFile = (file: string) => form.source.file !== undefined && file === next.file && file === form.file;
  const source = next.source.text ?? (next.source.value as unknown as SceneFile);
  const others = nextForms({ is: isFile, source, prefabs: next.prefabs, unknown: "keep" });
  return (other, registry) => {
    if (isThis(other)) return isSameForm(other, next) ? undefined : next;
    return other.file === form.file ? undefined : others(other, registry);
  };
}

/** Refuses to apply overrides that would destroy the instance itself, together with the part of another instance that it is below. */
function requireStillThere(instance: Instance, name: string): void {
  if (instance.isThere) return;
  throw refuseApplying(name, [
    {
      code: "scene/applied-instance-lost",
      target: ".",
      why: "the instance is below an entity of another one that the overrides take out of the prefab, so it would be destroyed. Move it elsewhere first, or leave that override out.",
    },
  ]);
}
