/**
 * The settings of the user, kept between sessions.
 */
import type { SnapSettings } from "../document/space/snapping.ts";
import type { RowMarks } from "./row-marks.ts";

export type Tool = "select" | "move" | "rotate" | "scale" | "skew";
export type Theme = "system" | "dark" | "light";

export interface Settings {
  readonly tool: Tool;
  readonly orientation: "local" | "world";
  readonly pivot: "origin" | "center";
  readonly snap: SnapSettings;
  readonly snapOn: boolean;
  readonly grid: boolean;
  readonly links: boolean;
  readonly withoutChildren: boolean;
  readonly theme: Theme;
  readonly inspectorSpace: "local" | "world";
  /** Shortcuts that differ from the built-in ones, by action. */
  readonly shortcuts: { readonly [action: string]: string };
  /** Whether y points up on the screen. */
  readonly yUp: boolean;
  /** Whether the tree shows siblings sorted by name; their order in the scene stays. */
  readonly sortByName: boolean;
  /** Icons and colours of rows that the user chose, by component. */
  readonly marks: RowMarks;
  /** Sections of the inspector that are folded, by component. */
  readonly folded: readonly string[];
  /** The name shown to others who edit the same scene. */
  readonly userName: string;
  /** Whether the tour was shown. */
  readonly tourSeen: boolean;
}

export const defaultSettings: Settings = {
  tool: "move",
  orientation: "world",
  pivot: "origin",
  snap: { grid: 8, angle: 15, edges: true },
  snapOn: false,
  grid: true,
  links: false,
  withoutChildren: false,
  theme: "system",
  inspectorSpace: "local",
  shortcuts: {},
  yUp: false,
  sortByName: false,
  marks: {},
  folded: [],
  userName: "",
  tourSeen: false,
};

const key = "espalier-editor-settings";

/** Stored settings over the defaults; unreadable ones are skipped. */
export function loadSettings(): Settings {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Settings>;
    return { ...defaultSettings, ...stored, snap: { ...defaultSettings.snap, ...stored.snap } };
  } catch {
    return defaultSettings;
  }
}

export function storeSettings(settings: Settings): void {
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // Private windows have no storage: the choice holds until the page is closed.
  }
}
