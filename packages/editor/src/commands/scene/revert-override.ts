/** Make an instance say what its prefab says: one override, or all. */
import type { Instance, Override } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

export function revertOverride(document: EditorDocument, instance: Instance, override?: Override): void {
  const what =
    override === undefined ? instance.prefab : (override.field ?? override.component ?? override.kind);
  edit(document, document.t("step.revert", { name: what }), () => instance.revert(override));
}
