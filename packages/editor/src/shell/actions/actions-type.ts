/**
 * Something the user can do.
 */
import type { TextKey } from "../../texts.ts";
import type { App } from "../app.ts";

/** Actions are called by the texts `action.<id>` of the table. */
export type ActionId = TextKey extends infer Key ? (Key extends `action.${infer Id}` ? Id : never) : never;

export interface Action {
  readonly id: ActionId;
  readonly group: "Edit" | "Arrange" | "View" | "Tools" | "File" | "Play" | "Help";
  readonly shortcut?: string;
  /** A second shortcut of another action, which lists of what can be done have already. */
  readonly isRepeat?: boolean;
  /** Works while a text is being typed, too. */
  readonly whileTyping?: boolean;
  readonly isEnabled?: (app: App) => boolean;
  /** Why it cannot be used although there is something to use it on; nothing when it can. */
  readonly whyNot?: (app: App) => string | undefined;
  readonly run: (app: App) => void;
}
