/** Sort the children of an entity by their names. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** @param parent - `null` sorts the roots. */
export function sortChildren(document: EditorDocument, parent: Entity | null): void {
  const { tree } = document;
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  edit(document, document.t("step.sort"), () =>
    tree.sortChildren(parent, (a, b) => compare(document.label(a), document.label(b))),
  );
}
