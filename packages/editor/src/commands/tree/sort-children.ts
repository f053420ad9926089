/** Sort the children of an entity by their names. */
import type { Entity } from "espalier";
import { sortChildren as sortChildrenIn } from "espalier/hierarchy";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { byLabel } from "../../document/tree/by-label.ts";

/** @param parent - `null` sorts the roots. */
export function sortChildren(document: EditorDocument, parent: Entity | null): void {
  const { tree } = document;
  edit(document, document.t("step.sort"), () => sortChildrenIn(tree, parent, byLabel(document)));
}
