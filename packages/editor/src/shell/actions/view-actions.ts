/** How the scene and its tree are looked at. */
import type { Action } from "./actions-type.ts";

export const viewActions: readonly Action[] = [
  {
    id: "fit",
    group: "View",
    shortcut: "F",
    run: (app) => app.fit(app.document.selection.size > 0 ? "selection" : "all"),
  },
  {
    id: "fit-all",
    group: "View",
    shortcut: "Shift+F",
    run: (app) => app.fit("all"),
  },
  {
    id: "grid",
    group: "View",
    shortcut: "G",
    run: (app) => app.set({ grid: !app.settings.grid }),
  },
  {
    id: "links",
    group: "View",
    run: (app) => app.set({ links: !app.settings.links }),
  },
  {
    id: "y-up",
    group: "View",
    run: (app) => app.set({ yUp: !app.settings.yUp }),
  },
  {
    id: "viewport",
    group: "View",
    run: (app) => {
      app.isViewportShown = !app.isViewportShown;
      app.changed();
    },
  },
  {
    id: "expand-all",
    group: "View",
    shortcut: "Shift+E",
    run: (app) => app.expandAll(),
  },
  {
    id: "collapse-all",
    group: "View",
    shortcut: "Shift+C",
    run: (app) => app.collapseAll(),
  },
  {
    id: "find",
    group: "View",
    shortcut: "Mod+F",
    run: () => document.querySelector<HTMLInputElement>(".esp-search input")?.focus(),
  },
  { id: "theme-dark", group: "View", run: (app) => app.set({ theme: "dark" }) },
  { id: "theme-light", group: "View", run: (app) => app.set({ theme: "light" }) },
  {
    id: "theme-system",
    group: "View",
    run: (app) => app.set({ theme: "system" }),
  },
  {
    id: "inspector-space",
    group: "View",
    run: (app) => app.set({ inspectorSpace: app.settings.inspectorSpace === "local" ? "world" : "local" }),
  },
];
