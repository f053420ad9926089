/** Create an entity, with a transform, as child of another or as a root. */
import type { ComponentInit, Entity } from "espalier";
import { Transform2D } from "espalier/transform";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

export interface CreateOptions {
  readonly parent?: Entity | null;
  readonly name?: string;
  readonly components?: readonly ComponentInit[];
}

/** Selects it, too. */
export function createEntity(document: EditorDocument, options: CreateOptions = {}): Entity {
  const { parent = null, name = document.t("entity.new"), components = [Transform2D] } = options;
  const entity = edit(document, document.t("step.create", { name }), () => {
    const created = document.tree.attachNew(parent, ...components);
    document.tree.setName(created, name);
    return created;
  });
  document.selection.replace([entity]);
  return entity;
}
