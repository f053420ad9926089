/** Moving by arrow keys, in the viewport. */
import { nudgeEntities } from "../../commands/transform/nudge-entities.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";
import { whyOnly3D } from "./only-3d.ts";
import { hasSelection, selected } from "./selected.ts";

function nudge(dx: number, dy: number): (app: App) => void {
  return (app) => {
    const step =
      app.view.settings.snapOn && app.view.settings.snap.grid > 0 ? app.view.settings.snap.grid : 1;
    const y = app.view.settings.yUp ? -dy : dy;
    app.notes.attempt(() => nudgeEntities(app.document, selected(app), dx * step, y * step));
  };
}

export const nudgeActions: readonly Action[] = [
  {
    id: "nudge-left",
    group: "Arrange",
    shortcut: "ArrowLeft",
    isEnabled: hasSelection,
    whyNot: whyOnly3D,
    run: nudge(-1, 0),
  },
  {
    id: "nudge-right",
    group: "Arrange",
    shortcut: "ArrowRight",
    isEnabled: hasSelection,
    whyNot: whyOnly3D,
    run: nudge(1, 0),
  },
  {
    id: "nudge-up",
    group: "Arrange",
    shortcut: "ArrowUp",
    isEnabled: hasSelection,
    whyNot: whyOnly3D,
    run: nudge(0, -1),
  },
  {
    id: "nudge-down",
    group: "Arrange",
    shortcut: "ArrowDown",
    isEnabled: hasSelection,
    whyNot: whyOnly3D,
    run: nudge(0, 1),
  },
  {
    id: "nudge-left-far",
    group: "Arrange",
    shortcut: "Shift+ArrowLeft",
    isEnabled: hasSelection,
    whyNot: whyOnly3D,
    run: nudge(-10, 0),
  },
  {
    id: "nudge-right-far",
    group: "Arrange",
    shortcut: "Shift+ArrowRight",
    isEnabled: hasSelection,
    whyNot: whyOnly3D,
    run: nudge(10, 0),
  },
  {
    id: "nudge-up-far",
    group: "Arrange",
    shortcut: "Shift+ArrowUp",
    isEnabled: hasSelection,
    whyNot: whyOnly3D,
    run: nudge(0, -10),
  },
  {
    id: "nudge-down-far",
    group: "Arrange",
    shortcut: "Shift+ArrowDown",
    isEnabled: hasSelection,
    whyNot: whyOnly3D,
    run: nudge(0, 10),
  },
];
