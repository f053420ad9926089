/** End the link of an instance to its prefab. */
import type { Entity } from "espalier";
import { unpackInstance } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** @param root - The root of the instance. */
export function unpack(document: EditorDocument, root: Entity): void {
  const label = document.t("step.unpack", { name: document.label(root) });
  edit(document, label, () => unpackInstance(document.tree, root));
}
