/**
 * Everything the user can do, by name: the command palette, the keyboard and the help show this one list.
 */
import type { Action } from "./actions-type.ts";
import type { App } from "./app.ts";
import { arrangeActions } from "./arrange-actions.ts";
import { editActions } from "./edit-actions.ts";
import { fileActions } from "./file-actions.ts";
import { helpActions } from "./help-actions.ts";
import { nudgeActions } from "./nudge-actions.ts";
import { playActions } from "./play-actions.ts";
import { toolActions } from "./tool-actions.ts";
import { viewActions } from "./view-actions.ts";

/** All actions, in the order of the palette. */
export const actions: readonly Action[] = [
  ...editActions,
  ...arrangeActions,
  ...nudgeActions,
  ...toolActions,
  ...viewActions,
  ...fileActions,
  ...playActions,
  ...helpActions,
];

/** What an action is called. */
export function titleOf({ t }: App, { id }: Action): string {
  return t(`action.${id}`);
}

export function shortcutFor({ settings }: App, action: Action): string | undefined {
  return settings.shortcuts[action.id] ?? action.shortcut;
}

/** The action that a shortcut stands for. */
export function actionFor(app: App, shortcut: string): Action | undefined {
  return actions.find((action) => shortcutFor(app, action) === shortcut && action.isEnabled?.(app) !== false);
}
