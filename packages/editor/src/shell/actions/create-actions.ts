/** Creating entities by kind. */
import { createEntity } from "../../commands/tree/create-entity.ts";
import { componentsOf, type EntityKind, entityKinds } from "../../commands/tree/entity-kinds.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";

/** Creates it as a child of the selected entity, at a point in the world if one is given. */
export function createKind(
  app: App,
  kind: EntityKind,
  at?: { readonly x: number; readonly y: number },
): void {
  const { document } = app;
  const parent = document.selection.primary ?? null;
  app.notes.attempt(() => {
    const name = app.t(`entityKind.${kind}`).toLowerCase();
    createEntity(document, {
      parent,
      name,
      components: componentsOf(kind),
      ...(at === undefined ? {} : { at }),
    });
  });
  if (parent !== null) app.view.setExpanded([parent], true);
}

export const createActions: readonly Action[] = entityKinds.map((kind) => ({
  id: `create-${kind}` as const,
  group: "Edit" as const,
  run: (app: App) => createKind(app, kind),
}));
