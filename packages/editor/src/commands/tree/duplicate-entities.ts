/** Duplicate entities with everything below them, each right behind its original. */
import type { Entity } from "espalier";
import { topmost } from "espalier/hierarchy";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** Selects the copies. */
export function duplicateEntities(document: EditorDocument, entities: Iterable<Entity>): readonly Entity[] {
  const { tree, format } = document;
  const tops = topmost(tree, entities);
  if (tops.length === 0) return [];
  const label = document.t("step.duplicate", { what: document.labelAll(tops) });
  const copies = edit(document, label, () => tops.map((entity) => format.clone(tree, entity)));
  document.selection.replace(copies);
  return copies;
}
