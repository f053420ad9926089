/** The palette, the help and the welcome. */
import type { Action } from "./actions-type.ts";

export const helpActions: readonly Action[] = [
  {
    id: "palette",
    group: "Help",
    shortcut: "Mod+K",
    whileTyping: true,
    run: (app) => app.view.open(app.view.overlay === "palette" ? "none" : "palette"),
  },
  { id: "help", group: "Help", shortcut: "?", run: (app) => app.view.open("help") },
  { id: "welcome", group: "Help", run: (app) => app.view.open("welcome") },
  { id: "tour", group: "Help", run: (app) => app.view.set({ tourSeen: false }) },
];
