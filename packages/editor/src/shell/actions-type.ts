/**
 * Something the user can do.
 */
import type { App } from "./app.ts";

export interface Action {
  readonly id: string;
  readonly title: string;
  readonly group: "Edit" | "Arrange" | "View" | "Tools" | "File" | "Play" | "Help";
  readonly shortcut?: string;
  /** Works while a text is being typed, too. */
  readonly whileTyping?: boolean;
  readonly isEnabled?: (app: App) => boolean;
  readonly run: (app: App) => void;
}
