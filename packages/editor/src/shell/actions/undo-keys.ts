/**
 * Undo while a field has the focus: of the typed text while it is not committed, of the document otherwise.
 */
import type { App } from "../app.ts";
import { actionFor } from "./actions.ts";
import { shortcutOf } from "./shortcuts.ts";

/** Whether the keys mean undo or redo. */
export function isUndo(app: App, event: KeyboardEvent): boolean {
  const id = actionFor(app, shortcutOf(event))?.id;
  return id === "undo" || id === "redo" || id === "redo-windows";
}

/** Whether a field shows a value of the document, and no uncommitted text. */
export function isSettled(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.dataset.settled === "true";
}
