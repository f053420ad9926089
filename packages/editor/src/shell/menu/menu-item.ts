/** What a context menu holds. */
import { actions, shortcutFor, titleOf, whyDisabled } from "../actions/actions.ts";
import type { Action, ActionId } from "../actions/actions-type.ts";
import { shownShortcut } from "../actions/shortcuts.ts";
import type { App } from "../app.ts";

/** A line of a menu: something to do, or a menu of its own. */
export interface MenuItem {
  readonly label: string;
  readonly shortcut?: string | undefined;
  /** Why it cannot be chosen, in words. */
  readonly disabled?: string | undefined;
  readonly run?: () => void;
  readonly items?: readonly MenuItem[];
}

/** Items that belong together; a line is drawn between groups. */
export type MenuGroups = readonly (readonly MenuItem[])[];

/** A menu that is open, at a place of the window. */
export interface OpenMenu {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly groups: MenuGroups;
}

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
