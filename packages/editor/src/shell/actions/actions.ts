/**
 * All actions by name: the command palette, the keyboard and the help use this one list.
 */

import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";
import { arrangeActions } from "./arrange-actions.ts";
import { createActions } from "./create-actions.ts";
import { editActions } from "./edit-actions.ts";
import { fileActions } from "./file-actions.ts";
import { helpActions } from "./help-actions.ts";
import { makePrefabAction } from "./make-prefab-action.ts";
import { nudgeActions } from "./nudge-actions.ts";
import { playActions } from "./play-actions.ts";
import { selectActions } from "./select-actions.ts";
import { shownShortcut } from "./shortcuts.ts";
import { toolActions } from "./tool-actions.ts";
import { viewActions } from "./view-actions.ts";

/** All actions, in the order of the palette. */
export const actions: readonly Action[] = [
  ...editActions,
  ...createActions,
  ...selectActions,
  ...arrangeActions,
  makePrefabAction,
  ...nudgeActions,
  ...toolActions,
  ...viewActions,
  ...fileActions,
  ...playActions,
  ...helpActions,
];

/** The title of an action. */
export function titleOf({ t }: App, { id }: Action): string {
  return t(`action.${id}`);
}

/** The user's own shortcut, or the built-in one. It is empty if it was assigned to another action. */
export function shortcutFor({ view }: App, action: Action): string | undefined {
  const own = view.settings.shortcuts[action.id] ?? action.shortcut;
  return own === "" ? undefined : own;
}

/** Gives an action another shortcut. The action that had it loses it; the user is informed. */
export function rebind(app: App, id: string, shortcut: string): void {
  const others = actions.filter((action) => action.id !== id && shortcutFor(app, action) === shortcut);
  const taken = Object.fromEntries(others.map((action) => [action.id, ""]));
  app.view.set({ shortcuts: { ...app.view.settings.shortcuts, ...taken, [id]: shortcut } });
  for (const action of others) {
    app.notes.say(app.t("help.taken", { keys: shownShortcut(shortcut), name: titleOf(app, action) }));
  }
}

/** Why an action cannot be used now: a text, or an empty string where the reason is obvious; `undefined` when it can. */
export function whyDisabled(app: App, action: Action): string | undefined {
  return action.whyNot?.(app) ?? (action.isEnabled?.(app) === false ? "" : undefined);
}

/** The action of a shortcut, even one that cannot be used for a reason that the user should know. */
export function actionFor(app: App, shortcut: string): Action | undefined {
  return actions.find((action) => shortcutFor(app, action) === shortcut && action.isEnabled?.(app) !== false);
}

/** Runs an action, or reports why it cannot be used. */
export function runAction(app: App, action: Action): void {
  const reason = action.whyNot?.(app);
  if (reason === undefined) action.run(app);
  else app.notes.say(reason, "info");
}
