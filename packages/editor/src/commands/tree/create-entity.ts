/** Create an entity, with a transform, as child of another or as a root. */
import type { ComponentInit, Entity } from "espalier";
import { Transform2D } from "espalier/transform";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

export interface CreateOptions {
  readonly parent?: Entity | null;
  /** Before this child of the parent; last if neither `before` nor `after` is given. */
  readonly before?: Entity;
  readonly after?: Entity;
  readonly name?: string;
  readonly components?: readonly ComponentInit[];
  /** World position; the origin of its parent if left out. */
  readonly at?: { readonly x: number; readonly y: number };
}

/** Within an edit: moves a new entity to its position among its siblings. */
export function moveBeside(
  { tree }: EditorDocument,
  entity: Entity,
  { before, after }: Pick<CreateOptions, "before" | "after">,
): void {
  if (before !== undefined) tree.moveChild(entity, { before });
  else if (after !== undefined) tree.moveChild(entity, { after });
}

/** Selects it, too. */
export function createEntity(document: EditorDocument, options: CreateOptions = {}): Entity {
  const { parent = null, name = document.t("entity.new"), components = [Transform2D], at } = options;
  const { space, world } = document;
  const entity = edit(document, document.t("step.create", { name }), () => {
    const created = document.tree.attachNew(parent, ...components);
    document.tree.setName(created, name);
    moveBeside(document, created, options);
    if (at !== undefined && world.has(created, space.component)) space.setWorldPosition(created, at.x, at.y);
    return created;
  });
  document.selection.replace([entity]);
  return entity;
}
