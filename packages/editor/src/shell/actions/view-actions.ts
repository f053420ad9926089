/** The view of the scene and its tree. */
import type { Action } from "./actions-type.ts";
import { whyOnly3D } from "./only-3d.ts";
import { hasSelection } from "./selected.ts";

export const viewActions: readonly Action[] = [
  {
    id: "fit",
    group: "View",
    shortcut: "F",
    whyNot: whyOnly3D,
    run: (app) => app.view.fit(app.document.selection.size > 0 ? "selection" : "all"),
  },
  {
    id: "fit-all",
    group: "View",
    shortcut: "Mod+Shift+F",
    run: (app) => app.view.fit("all"),
  },
  {
    id: "grid",
    group: "View",
    shortcut: "G",
    run: (app) => app.view.set({ grid: !app.view.settings.grid }),
  },
  {
    id: "links",
    group: "View",
    run: (app) => app.view.set({ links: !app.view.settings.links }),
  },
  {
    id: "y-up",
    group: "View",
    run: (app) => app.view.set({ yUp: !app.view.settings.yUp }),
  },
  {
    id: "viewport",
    group: "View",
    run: (app) => {
      app.view.isViewportShown = !app.view.isViewportShown;
      app.changed();
    },
  },
  {
    id: "expand-all",
    group: "View",
    shortcut: "Shift+E",
    run: (app) => app.view.expandAll(),
  },
  {
    id: "collapse-all",
    group: "View",
    shortcut: "Shift+C",
    run: (app) => app.view.collapseAll(),
  },
  {
    id: "collapse-siblings",
    group: "View",
    isEnabled: hasSelection,
    run: ({ view, document: { selection } }) => {
      if (selection.primary !== undefined) view.collapseSiblings(selection.primary);
    },
  },
  {
    id: "show-branch",
    group: "View",
    shortcut: "B",
    isEnabled: ({ view, document: { selection } }) => selection.size > 0 || view.branch !== undefined,
    run: ({ view, document: { selection } }) =>
      view.showBranch(view.branch === selection.primary ? undefined : selection.primary),
  },
  {
    id: "show-all",
    group: "View",
    isEnabled: ({ view }) => view.branch !== undefined,
    run: ({ view }) => view.showBranch(undefined),
  },
  {
    id: "sort-view",
    group: "View",
    run: ({ view }) => view.set({ sortByName: !view.settings.sortByName }),
  },
  {
    id: "find",
    group: "View",
    shortcut: "Mod+F",
    run: () => document.querySelector<HTMLInputElement>(".esp-search input")?.focus(),
  },
  { id: "theme-dark", group: "View", run: (app) => app.view.set({ theme: "dark" }) },
  { id: "theme-light", group: "View", run: (app) => app.view.set({ theme: "light" }) },
  {
    id: "theme-system",
    group: "View",
    run: (app) => app.view.set({ theme: "system" }),
  },
  {
    id: "inspector-space",
    group: "View",
    run: (app) =>
      app.view.set({ inspectorSpace: app.view.settings.inspectorSpace === "local" ? "world" : "local" }),
  },
];
