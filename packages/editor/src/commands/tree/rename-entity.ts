/** Rename an entity; an empty name removes the name. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** @throws DuplicateNameError where siblings must have different names. */
export function renameEntity(document: EditorDocument, entity: Entity, name: string): void {
  const next = name.trim() === "" ? undefined : name.trim();
  if (document.tree.nameOf(entity) === next) return;
  const label = document.t("step.rename", { name: document.label(entity) });
  edit(document, label, () => document.tree.setName(entity, next));
}
