/** Undo, and creating, deleting and copying entities. */
import { createEntity } from "../../commands/tree/create-entity.ts";
import { deleteEntities } from "../../commands/tree/delete-entities.ts";
import { duplicateEntities } from "../../commands/tree/duplicate-entities.ts";
import { namesOf, referencesInto } from "../../document/outside-references.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";
import { copySelection, pasteClipboard } from "./clipboard-actions.ts";
import { hasSelection, selected } from "./selected.ts";

/** Deletes the selection, and reports which references became empty. */
function deleteSelected(app: App): void {
  const { document } = app;
  const entities = selected(app);
  const references = referencesInto(document, entities);
  const what = document.labelAll(entities);
  const names = namesOf(document, references);
  app.notes.attempt(() => {
    deleteEntities(document, entities);
    if (references.length === 0) return;
    app.notes.say(app.t("delete.referenced", { what, names }), "info", {
      label: app.t("action.undo"),
      run: () => app.run("undo"),
    });
  });
}

export const editActions: readonly Action[] = [
  {
    id: "undo",
    group: "Edit",
    shortcut: "Mod+Z",
    isEnabled: (app) => app.document.history.canUndo,
    run: (app) => void app.notes.attempt(() => app.document.undo()),
  },
  {
    id: "redo",
    group: "Edit",
    shortcut: "Mod+Shift+Z",
    isEnabled: (app) => app.document.history.canRedo,
    run: (app) => void app.notes.attempt(() => app.document.redo()),
  },
  {
    id: "redo-windows",
    group: "Edit",
    isRepeat: true,
    shortcut: "Mod+Y",
    isEnabled: (app) => app.document.history.canRedo,
    run: (app) => void app.notes.attempt(() => app.document.redo()),
  },
  {
    id: "create",
    group: "Edit",
    shortcut: "A",
    run: (app) => void app.notes.attempt(() => createEntity(app.document)),
  },
  {
    id: "create-child",
    group: "Edit",
    // Without a selection it creates a root, so that the key does what the hint in the empty tree says.
    shortcut: "Shift+A",
    run: (app) => {
      const parent = app.document.selection.primary ?? null;
      app.notes.attempt(() => createEntity(app.document, { parent }));
      if (parent !== null) app.view.setExpanded([parent], true);
    },
  },
  {
    id: "duplicate",
    group: "Edit",
    shortcut: "Mod+D",
    isEnabled: hasSelection,
    run: (app) => void app.notes.attempt(() => duplicateEntities(app.document, selected(app))),
  },
  {
    id: "delete",
    group: "Edit",
    shortcut: "Delete",
    isEnabled: hasSelection,
    run: deleteSelected,
  },
  {
    id: "delete-backspace",
    group: "Edit",
    isRepeat: true,
    shortcut: "Backspace",
    isEnabled: hasSelection,
    run: deleteSelected,
  },
  {
    id: "copy",
    group: "Edit",
    shortcut: "Mod+C",
    isEnabled: hasSelection,
    run: (app) => void copySelection(app, false),
  },
  {
    id: "cut",
    group: "Edit",
    shortcut: "Mod+X",
    isEnabled: hasSelection,
    run: (app) => void copySelection(app, true),
  },
  {
    id: "paste",
    group: "Edit",
    shortcut: "Mod+V",
    run: (app) => void pasteClipboard(app, "beside"),
  },
  {
    id: "paste-child",
    group: "Edit",
    shortcut: "Mod+Shift+V",
    isEnabled: hasSelection,
    run: (app) => void pasteClipboard(app, "below"),
  },
  {
    id: "select-all",
    group: "Edit",
    shortcut: "Mod+A",
    run: (app) => app.document.selection.replace(app.view.shown.rows.entities),
  },
  {
    id: "deselect",
    group: "Edit",
    shortcut: "Escape",
    run: (app) =>
      app.view.picking === undefined ? app.document.selection.clear() : app.view.pick(undefined),
  },
];
