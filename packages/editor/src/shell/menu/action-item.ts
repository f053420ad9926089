/** Actions as items of a menu. */
import { actionFor, actions, shortcutFor, titleOf, whyDisabled } from "../actions/actions.ts";
import type { Action, ActionId } from "../actions/actions-type.ts";
import { shownShortcut } from "../actions/shortcuts.ts";
import type { App } from "../app.ts";
import type { MenuItem } from "./menu-item.ts";

/** The item of an action, with the shortcut for the current focus: in the tree letters search rows, and shortcuts need Shift. */
export function actionItem(app: App, id: ActionId, label?: string): MenuItem {
  const action = actions.find((one) => one.id === id) as Action;
  const bound = shortcutFor(app, action);
  const isLetter = bound !== undefined && /^[A-Z]$/.test(bound);
  const isInTree = document.activeElement?.closest(".esp-tree") != null;
  const inTree = isLetter && actionFor(app, `Shift+${bound}`) === undefined ? `Shift+${bound}` : undefined;
  const shortcut = isLetter && isInTree ? inTree : bound;
  return {
    label: label ?? titleOf(app, action),
    shortcut: shortcut === undefined ? undefined : shownShortcut(shortcut),
    disabled: whyDisabled(app, action),
    run: () => action.run(app),
  };
}
