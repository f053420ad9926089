/** The tools of the viewport. */
import type { Action } from "./actions-type.ts";

export const toolActions: readonly Action[] = [
  {
    id: "tool-select",
    group: "Tools",
    shortcut: "Q",
    run: (app) => app.view.set({ tool: "select" }),
  },
  {
    id: "tool-move",
    group: "Tools",
    shortcut: "W",
    run: (app) => app.view.set({ tool: "move" }),
  },
  {
    id: "tool-rotate",
    group: "Tools",
    shortcut: "E",
    run: (app) => app.view.set({ tool: "rotate" }),
  },
  {
    id: "tool-scale",
    group: "Tools",
    shortcut: "R",
    run: (app) => app.view.set({ tool: "scale" }),
  },
  {
    id: "tool-skew",
    group: "Tools",
    shortcut: "T",
    run: (app) => app.view.set({ tool: "skew" }),
  },
  {
    id: "orientation",
    group: "Tools",
    shortcut: "X",
    run: (app) =>
      app.view.set({ orientation: app.view.settings.orientation === "local" ? "world" : "local" }),
  },
  {
    id: "pivot",
    group: "Tools",
    shortcut: "P",
    run: (app) => app.view.set({ pivot: app.view.settings.pivot === "origin" ? "center" : "origin" }),
  },
  {
    id: "snap",
    group: "Tools",
    shortcut: "S",
    run: (app) => app.view.set({ snapOn: !app.view.settings.snapOn }),
  },
  {
    id: "without-children",
    group: "Tools",
    run: (app) => app.view.set({ withoutChildren: !app.view.settings.withoutChildren }),
  },
];
