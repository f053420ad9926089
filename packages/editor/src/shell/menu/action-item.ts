/** Actions as items of a menu. */
import { actions, shortcutFor, titleOf, whyDisabled } from "../actions/actions.ts";
import type { Action, ActionId } from "../actions/actions-type.ts";
import { shownShortcut } from "../actions/shortcuts.ts";
import type { App } from "../app.ts";
import type { MenuItem } from "./menu-item.ts";

/** The item of an action, with its shortcut. */
export function actionItem(app: App, id: ActionId, label?: string): MenuItem {
  const action = actions.find((one) => one.id === id) as Action;
  const shortcut = shortcutFor(app, action);
  return {
    label: label ?? titleOf(app, action),
    shortcut: shortcut === undefined ? undefined : shownShortcut(shortcut),
    disabled: whyDisabled(app, action),
    run: () => action.run(app),
  };
}
