/** Arranging entities in the tree, showing and locking them. */

import { previousInList } from "espalier/hierarchy";
import { instanceOf } from "espalier/scene";
import { unpack } from "../../commands/scene/unpack-instance.ts";
import { toggleLock } from "../../commands/state/toggle-lock.ts";
import { toggleVisibility } from "../../commands/state/toggle-visibility.ts";
import { groupEntities } from "../../commands/tree/group-entities.ts";
import { moveEntities } from "../../commands/tree/move-entities.ts";
import { reorderEntities } from "../../commands/tree/reorder-entities.ts";
import { sortChildren } from "../../commands/tree/sort-children.ts";
import { ungroupEntities } from "../../commands/tree/ungroup-entities.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";
import { hasSelection, selected } from "./selected.ts";

/** Moves the selection in the tree by one position, with the keyboard alone. */
function shift(to: "up" | "down" | "out" | "in"): (app: App) => void {
  return (app) => {
    const { document } = app;
    const { tree } = document;
    const first = document.selection.primary;
    if (first === undefined) return;
    if (to === "up") app.notes.attempt(() => reorderEntities(document, selected(app), "backward"));
    else if (to === "down") app.notes.attempt(() => reorderEntities(document, selected(app), "forward"));
    else if (to === "out") {
      const parent = tree.parentOf(first);
      if (parent === null) return;
      app.notes.attempt(() =>
        moveEntities(document, selected(app), { parent: tree.parentOf(parent), after: parent }),
      );
    } else {
      const previous = previousInList(tree, first);
      if (previous === null) return;
      app.notes.attempt(() => moveEntities(document, selected(app), { parent: previous }));
      app.view.setExpanded([previous], true);
    }
  };
}

export const arrangeActions: readonly Action[] = [
  {
    id: "group",
    group: "Arrange",
    shortcut: "Mod+G",
    isEnabled: hasSelection,
    run: (app) => {
      const group = app.notes.attempt(() => groupEntities(app.document, selected(app)));
      if (group !== undefined) app.view.setExpanded([group], true);
    },
  },
  {
    id: "ungroup",
    group: "Arrange",
    shortcut: "Mod+Shift+G",
    isEnabled: hasSelection,
    run: (app) => void app.notes.attempt(() => ungroupEntities(app.document, selected(app))),
  },
  {
    id: "to-front",
    group: "Arrange",
    shortcut: "Shift+]",
    isEnabled: hasSelection,
    run: (app) => app.notes.attempt(() => reorderEntities(app.document, selected(app), "front")),
  },
  {
    id: "to-back",
    group: "Arrange",
    shortcut: "Shift+[",
    isEnabled: hasSelection,
    run: (app) => app.notes.attempt(() => reorderEntities(app.document, selected(app), "back")),
  },
  {
    id: "forward",
    group: "Arrange",
    shortcut: "Alt+ArrowDown",
    isEnabled: hasSelection,
    run: shift("down"),
  },
  {
    id: "backward",
    group: "Arrange",
    shortcut: "Alt+ArrowUp",
    isEnabled: hasSelection,
    run: shift("up"),
  },
  {
    id: "outdent",
    group: "Arrange",
    shortcut: "Alt+ArrowLeft",
    isEnabled: hasSelection,
    run: shift("out"),
  },
  {
    id: "indent",
    group: "Arrange",
    shortcut: "Alt+ArrowRight",
    isEnabled: hasSelection,
    run: shift("in"),
  },
  {
    id: "make-root",
    group: "Arrange",
    isEnabled: hasSelection,
    run: (app) => app.notes.attempt(() => moveEntities(app.document, selected(app), { parent: null })),
  },
  {
    id: "sort-children",
    group: "Arrange",
    run: (app) =>
      void app.notes.attempt(() => sortChildren(app.document, app.document.selection.primary ?? null)),
  },
  {
    id: "toggle-visibility",
    group: "Arrange",
    shortcut: "H",
    isEnabled: hasSelection,
    run: (app) => app.notes.attempt(() => toggleVisibility(app.document, selected(app))),
  },
  {
    id: "toggle-lock",
    group: "Arrange",
    shortcut: "L",
    isEnabled: hasSelection,
    run: (app) => app.notes.attempt(() => toggleLock(app.document, selected(app))),
  },
  {
    id: "unpack",
    group: "Arrange",
    isEnabled: hasSelection,
    run: (app) => {
      const entity = app.document.selection.primary;
      const root = entity === undefined ? undefined : instanceOf(app.document.tree, entity)?.root;
      if (root !== undefined) app.notes.attempt(() => unpack(app.document, root));
    },
  },
];
