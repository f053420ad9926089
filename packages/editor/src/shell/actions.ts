/**
 * Everything the user can do, by name: the command palette, the keyboard and the help show this one list.
 */
import type { Entity } from "espalier";
import { instanceOf } from "espalier/scene";
import { createEntity } from "../commands/create-entity.ts";
import { deleteEntities } from "../commands/delete-entities.ts";
import { duplicateEntities } from "../commands/duplicate-entities.ts";
import { groupEntities } from "../commands/group-entities.ts";
import { moveEntities } from "../commands/move-entities.ts";
import { nudgeEntities } from "../commands/nudge-entities.ts";
import { reorderEntities } from "../commands/reorder-entities.ts";
import { sortChildren } from "../commands/sort-children.ts";
import { toggleLock } from "../commands/toggle-lock.ts";
import { toggleVisibility } from "../commands/toggle-visibility.ts";
import { ungroupEntities } from "../commands/ungroup-entities.ts";
import { unpack } from "../commands/unpack-instance.ts";
import type { Action } from "./actions-type.ts";
import type { App } from "./app.ts";
import { copySelection, pasteClipboard } from "./clipboard-actions.ts";
import { fileActions } from "./file-actions.ts";
import { playActions } from "./play-actions.ts";

const hasSelection = ({ document }: App) => document.selection.size > 0;
const selected = ({ document }: App): readonly Entity[] => document.selection.entities;

function nudge(dx: number, dy: number): (app: App) => void {
  return (app) => {
    const step = app.settings.snapOn && app.settings.snap.grid > 0 ? app.settings.snap.grid : 1;
    const y = app.settings.yUp ? -dy : dy;
    app.attempt(() => nudgeEntities(app.document, selected(app), dx * step, y * step));
  };
}

/** Moves the selection in the tree by one, with the keyboard alone. */
function shift(to: "up" | "down" | "out" | "in"): (app: App) => void {
  return (app) => {
    const { document } = app;
    const { tree } = document;
    const first = document.selection.primary;
    if (first === undefined) return;
    if (to === "up") reorderEntities(document, selected(app), "backward");
    else if (to === "down") reorderEntities(document, selected(app), "forward");
    else if (to === "out") {
      const parent = tree.parentOf(first);
      if (parent === null) return;
      app.attempt(() =>
        moveEntities(document, selected(app), { parent: tree.parentOf(parent), after: parent }),
      );
    } else {
      const previous = tree.previousInList(first);
      if (previous === null) return;
      app.attempt(() => moveEntities(document, selected(app), { parent: previous }));
      app.setExpanded([previous], true);
    }
  };
}

const edits: readonly Action[] = [
  {
    id: "undo",
    title: "Undo",
    group: "Edit",
    shortcut: "Mod+Z",
    isEnabled: (app) => app.document.history.canUndo,
    run: (app) => void app.attempt(() => app.document.undo()),
  },
  {
    id: "redo",
    title: "Redo",
    group: "Edit",
    shortcut: "Mod+Shift+Z",
    isEnabled: (app) => app.document.history.canRedo,
    run: (app) => void app.attempt(() => app.document.redo()),
  },
  {
    id: "redo-windows",
    title: "Redo (as on Windows)",
    group: "Edit",
    shortcut: "Mod+Y",
    isEnabled: (app) => app.document.history.canRedo,
    run: (app) => void app.attempt(() => app.document.redo()),
  },
  {
    id: "create",
    title: "Create entity",
    group: "Edit",
    shortcut: "A",
    run: (app) => void app.attempt(() => createEntity(app.document)),
  },
  {
    id: "create-child",
    title: "Create child",
    group: "Edit",
    shortcut: "Shift+A",
    isEnabled: hasSelection,
    run: (app) => {
      const parent = app.document.selection.primary ?? null;
      app.attempt(() => createEntity(app.document, { parent }));
      if (parent !== null) app.setExpanded([parent], true);
    },
  },
  {
    id: "duplicate",
    title: "Duplicate",
    group: "Edit",
    shortcut: "Mod+D",
    isEnabled: hasSelection,
    run: (app) => void app.attempt(() => duplicateEntities(app.document, selected(app))),
  },
  {
    id: "delete",
    title: "Delete",
    group: "Edit",
    shortcut: "Delete",
    isEnabled: hasSelection,
    run: (app) => app.attempt(() => deleteEntities(app.document, selected(app))),
  },
  {
    id: "delete-backspace",
    title: "Delete (Backspace)",
    group: "Edit",
    shortcut: "Backspace",
    isEnabled: hasSelection,
    run: (app) => app.attempt(() => deleteEntities(app.document, selected(app))),
  },
  {
    id: "copy",
    title: "Copy",
    group: "Edit",
    shortcut: "Mod+C",
    isEnabled: hasSelection,
    run: (app) => void copySelection(app, false),
  },
  {
    id: "cut",
    title: "Cut",
    group: "Edit",
    shortcut: "Mod+X",
    isEnabled: hasSelection,
    run: (app) => void copySelection(app, true),
  },
  {
    id: "paste",
    title: "Paste",
    group: "Edit",
    shortcut: "Mod+V",
    run: (app) => void pasteClipboard(app, "beside"),
  },
  {
    id: "paste-child",
    title: "Paste as child",
    group: "Edit",
    shortcut: "Mod+Shift+V",
    isEnabled: hasSelection,
    run: (app) => void pasteClipboard(app, "below"),
  },
  {
    id: "select-all",
    title: "Select all shown",
    group: "Edit",
    shortcut: "Mod+A",
    run: (app) => app.document.selection.replace(app.shown.rows.entities),
  },
  {
    id: "deselect",
    title: "Select nothing",
    group: "Edit",
    shortcut: "Escape",
    run: (app) => (app.picking === undefined ? app.document.selection.clear() : app.pick(undefined)),
  },
];

const arranging: readonly Action[] = [
  {
    id: "group",
    title: "Group",
    group: "Arrange",
    shortcut: "Mod+G",
    isEnabled: hasSelection,
    run: (app) => {
      const group = app.attempt(() => groupEntities(app.document, selected(app)));
      if (group !== undefined) app.setExpanded([group], true);
    },
  },
  {
    id: "ungroup",
    title: "Ungroup",
    group: "Arrange",
    shortcut: "Mod+Shift+G",
    isEnabled: hasSelection,
    run: (app) => void app.attempt(() => ungroupEntities(app.document, selected(app))),
  },
  {
    id: "to-front",
    title: "Bring to front",
    group: "Arrange",
    shortcut: "Shift+]",
    isEnabled: hasSelection,
    run: (app) => app.attempt(() => reorderEntities(app.document, selected(app), "front")),
  },
  {
    id: "to-back",
    title: "Send to back",
    group: "Arrange",
    shortcut: "Shift+[",
    isEnabled: hasSelection,
    run: (app) => app.attempt(() => reorderEntities(app.document, selected(app), "back")),
  },
  {
    id: "forward",
    title: "Move down among siblings",
    group: "Arrange",
    shortcut: "Alt+ArrowDown",
    isEnabled: hasSelection,
    run: shift("down"),
  },
  {
    id: "backward",
    title: "Move up among siblings",
    group: "Arrange",
    shortcut: "Alt+ArrowUp",
    isEnabled: hasSelection,
    run: shift("up"),
  },
  {
    id: "outdent",
    title: "Move out of the parent",
    group: "Arrange",
    shortcut: "Alt+ArrowLeft",
    isEnabled: hasSelection,
    run: shift("out"),
  },
  {
    id: "indent",
    title: "Move into the sibling above",
    group: "Arrange",
    shortcut: "Alt+ArrowRight",
    isEnabled: hasSelection,
    run: shift("in"),
  },
  {
    id: "make-root",
    title: "Make roots",
    group: "Arrange",
    isEnabled: hasSelection,
    run: (app) => app.attempt(() => moveEntities(app.document, selected(app), { parent: null })),
  },
  {
    id: "sort-children",
    title: "Sort children by name",
    group: "Arrange",
    run: (app) => void app.attempt(() => sortChildren(app.document, app.document.selection.primary ?? null)),
  },
  {
    id: "toggle-visibility",
    title: "Hide or show",
    group: "Arrange",
    shortcut: "H",
    isEnabled: hasSelection,
    run: (app) => app.attempt(() => toggleVisibility(app.document, selected(app))),
  },
  {
    id: "toggle-lock",
    title: "Lock or unlock",
    group: "Arrange",
    shortcut: "L",
    isEnabled: hasSelection,
    run: (app) => app.attempt(() => toggleLock(app.document, selected(app))),
  },
  {
    id: "unpack",
    title: "Unpack prefab instance",
    group: "Arrange",
    isEnabled: hasSelection,
    run: (app) => {
      const entity = app.document.selection.primary;
      const root = entity === undefined ? undefined : instanceOf(app.document.tree, entity)?.root;
      if (root !== undefined) app.attempt(() => unpack(app.document, root));
    },
  },
  {
    id: "nudge-left",
    title: "Nudge left",
    group: "Arrange",
    shortcut: "ArrowLeft",
    isEnabled: hasSelection,
    run: nudge(-1, 0),
  },
  {
    id: "nudge-right",
    title: "Nudge right",
    group: "Arrange",
    shortcut: "ArrowRight",
    isEnabled: hasSelection,
    run: nudge(1, 0),
  },
  {
    id: "nudge-up",
    title: "Nudge up",
    group: "Arrange",
    shortcut: "ArrowUp",
    isEnabled: hasSelection,
    run: nudge(0, -1),
  },
  {
    id: "nudge-down",
    title: "Nudge down",
    group: "Arrange",
    shortcut: "ArrowDown",
    isEnabled: hasSelection,
    run: nudge(0, 1),
  },
  {
    id: "nudge-left-far",
    title: "Nudge left by ten",
    group: "Arrange",
    shortcut: "Shift+ArrowLeft",
    isEnabled: hasSelection,
    run: nudge(-10, 0),
  },
  {
    id: "nudge-right-far",
    title: "Nudge right by ten",
    group: "Arrange",
    shortcut: "Shift+ArrowRight",
    isEnabled: hasSelection,
    run: nudge(10, 0),
  },
  {
    id: "nudge-up-far",
    title: "Nudge up by ten",
    group: "Arrange",
    shortcut: "Shift+ArrowUp",
    isEnabled: hasSelection,
    run: nudge(0, -10),
  },
  {
    id: "nudge-down-far",
    title: "Nudge down by ten",
    group: "Arrange",
    shortcut: "Shift+ArrowDown",
    isEnabled: hasSelection,
    run: nudge(0, 10),
  },
];

const tools: readonly Action[] = [
  {
    id: "tool-select",
    title: "Select tool",
    group: "Tools",
    shortcut: "Q",
    run: (app) => app.set({ tool: "select" }),
  },
  {
    id: "tool-move",
    title: "Move tool",
    group: "Tools",
    shortcut: "W",
    run: (app) => app.set({ tool: "move" }),
  },
  {
    id: "tool-rotate",
    title: "Rotate tool",
    group: "Tools",
    shortcut: "E",
    run: (app) => app.set({ tool: "rotate" }),
  },
  {
    id: "tool-scale",
    title: "Scale tool",
    group: "Tools",
    shortcut: "R",
    run: (app) => app.set({ tool: "scale" }),
  },
  {
    id: "tool-skew",
    title: "Skew tool",
    group: "Tools",
    shortcut: "T",
    run: (app) => app.set({ tool: "skew" }),
  },
  {
    id: "orientation",
    title: "Switch local and world orientation",
    group: "Tools",
    shortcut: "X",
    run: (app) => app.set({ orientation: app.settings.orientation === "local" ? "world" : "local" }),
  },
  {
    id: "pivot",
    title: "Switch pivot: origin or center",
    group: "Tools",
    shortcut: "P",
    run: (app) => app.set({ pivot: app.settings.pivot === "origin" ? "center" : "origin" }),
  },
  {
    id: "snap",
    title: "Snapping on or off",
    group: "Tools",
    shortcut: "S",
    run: (app) => app.set({ snapOn: !app.settings.snapOn }),
  },
  {
    id: "without-children",
    title: "Move parents without their children",
    group: "Tools",
    run: (app) => app.set({ withoutChildren: !app.settings.withoutChildren }),
  },
];

const views: readonly Action[] = [
  {
    id: "fit",
    title: "Show the selection",
    group: "View",
    shortcut: "F",
    run: (app) => app.fit(app.document.selection.size > 0 ? "selection" : "all"),
  },
  {
    id: "fit-all",
    title: "Show everything",
    group: "View",
    shortcut: "Shift+F",
    run: (app) => app.fit("all"),
  },
  {
    id: "grid",
    title: "Grid on or off",
    group: "View",
    shortcut: "G",
    run: (app) => app.set({ grid: !app.settings.grid }),
  },
  {
    id: "links",
    title: "Parent links on or off",
    group: "View",
    run: (app) => app.set({ links: !app.settings.links }),
  },
  {
    id: "y-up",
    title: "Turn the y axis over",
    group: "View",
    run: (app) => app.set({ yUp: !app.settings.yUp }),
  },
  {
    id: "expand-all",
    title: "Expand all",
    group: "View",
    shortcut: "Shift+E",
    run: (app) => app.expandAll(),
  },
  {
    id: "collapse-all",
    title: "Collapse all",
    group: "View",
    shortcut: "Shift+C",
    run: (app) => app.collapseAll(),
  },
  {
    id: "find",
    title: "Find in the tree",
    group: "View",
    shortcut: "Mod+F",
    run: () => document.querySelector<HTMLInputElement>(".esp-search input")?.focus(),
  },
  { id: "theme-dark", title: "Dark theme", group: "View", run: (app) => app.set({ theme: "dark" }) },
  { id: "theme-light", title: "Light theme", group: "View", run: (app) => app.set({ theme: "light" }) },
  {
    id: "theme-system",
    title: "Theme of the system",
    group: "View",
    run: (app) => app.set({ theme: "system" }),
  },
  {
    id: "inspector-space",
    title: "Inspector: local or world values",
    group: "View",
    run: (app) => app.set({ inspectorSpace: app.settings.inspectorSpace === "local" ? "world" : "local" }),
  },
];

const helps: readonly Action[] = [
  {
    id: "palette",
    title: "Command palette",
    group: "Help",
    shortcut: "Mod+K",
    whileTyping: true,
    run: (app) => app.open(app.overlay === "palette" ? "none" : "palette"),
  },
  { id: "help", title: "Keyboard and mouse", group: "Help", shortcut: "?", run: (app) => app.open("help") },
  { id: "welcome", title: "Welcome and samples", group: "Help", run: (app) => app.open("welcome") },
];

/** All actions, in the order of the palette. */
export const actions: readonly Action[] = [
  ...edits,
  ...arranging,
  ...tools,
  ...views,
  ...fileActions,
  ...playActions,
  ...helps,
];

export function shortcutFor({ settings }: App, action: Action): string | undefined {
  return settings.shortcuts[action.id] ?? action.shortcut;
}

/** The action that a shortcut stands for. */
export function actionFor(app: App, shortcut: string): Action | undefined {
  return actions.find((action) => shortcutFor(app, action) === shortcut && action.isEnabled?.(app) !== false);
}
