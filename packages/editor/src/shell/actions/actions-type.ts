/**
 * An action of the user.
 */
import type { TextKey } from "../../texts.ts";
import type { App } from "../app.ts";

/** The titles of actions are the texts `action.<id>`. */
export type ActionId = TextKey extends infer Key ? (Key extends `action.${infer Id}` ? Id : never) : never;

export interface Action {
  readonly id: ActionId;
  readonly group: "Edit" | "Arrange" | "View" | "Tools" | "File" | "Play" | "Help";
  readonly shortcut?: string;
  /** Whether it is only a second shortcut for another action, and left out of lists. */
  readonly isRepeat?: boolean;
  /** Whether it also works while text is being typed. */
  readonly whileTyping?: boolean;
  readonly isEnabled?: (app: App) => boolean;
  /** Why it cannot be used although there is something to use it on; `undefined` when it can. */
  readonly whyNot?: (app: App) => string | undefined;
  readonly run: (app: App) => void;
}
