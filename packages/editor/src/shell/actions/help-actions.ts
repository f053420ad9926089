/** The palette, the help and the welcome. */
import type { Action } from "./actions-type.ts";

export const helpActions: readonly Action[] = [
  {
    id: "palette",
    group: "Help",
    shortcut: "Mod+K",
    whileTyping: true,
    run: (app) => app.open(app.overlay === "palette" ? "none" : "palette"),
  },
  { id: "help", group: "Help", shortcut: "?", run: (app) => app.open("help") },
  { id: "welcome", group: "Help", run: (app) => app.open("welcome") },
];
