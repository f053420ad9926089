/** The tools of the viewport. */
import type { Action } from "./actions-type.ts";

export const toolActions: readonly Action[] = [
  {
    id: "tool-select",
    group: "Tools",
    shortcut: "Q",
    run: (app) => app.set({ tool: "select" }),
  },
  {
    id: "tool-move",
    group: "Tools",
    shortcut: "W",
    run: (app) => app.set({ tool: "move" }),
  },
  {
    id: "tool-rotate",
    group: "Tools",
    shortcut: "E",
    run: (app) => app.set({ tool: "rotate" }),
  },
  {
    id: "tool-scale",
    group: "Tools",
    shortcut: "R",
    run: (app) => app.set({ tool: "scale" }),
  },
  {
    id: "tool-skew",
    group: "Tools",
    shortcut: "T",
    run: (app) => app.set({ tool: "skew" }),
  },
  {
    id: "orientation",
    group: "Tools",
    shortcut: "X",
    run: (app) => app.set({ orientation: app.settings.orientation === "local" ? "world" : "local" }),
  },
  {
    id: "pivot",
    group: "Tools",
    shortcut: "P",
    run: (app) => app.set({ pivot: app.settings.pivot === "origin" ? "center" : "origin" }),
  },
  {
    id: "snap",
    group: "Tools",
    shortcut: "S",
    run: (app) => app.set({ snapOn: !app.settings.snapOn }),
  },
  {
    id: "without-children",
    group: "Tools",
    run: (app) => app.set({ withoutChildren: !app.settings.withoutChildren }),
  },
];
