/** Revert overrides of an instance to the values of its prefab: some, or all. */
import type { Instance, Override } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** As one step, all or nothing. */
export function revertOverrides(
  document: EditorDocument,
  overrides: readonly { readonly instance: Instance; readonly override: Override }[],
): void {
  const name = [...new Set(overrides.map(({ override }) => nameOf(override)))].join(", ");
  edit(document, document.t("step.revert", { name }), () => {
    for (const { instance, override } of overrides) instance.revert(override);
  });
}

export function revertOverride(document: EditorDocument, instance: Instance, override?: Override): void {
  const what = override === undefined ? instance.prefab : nameOf(override);
  edit(document, document.t("step.revert", { name: what }), () => instance.revert(override));
}

function nameOf({ field, component, kind }: Override): string {
  return field ?? component ?? kind;
}
