/** What is kept in the browser: the player's settings, and the level as it was left. */

/** Raise it when older saves can no longer be read; they are forgotten then. */
const VERSION = 1;

export interface Settings {
  version: number;
  /** From 0 to 1. */
  volume: number;
  best: number;
  /** The level as a scene; nothing when there is none to go on with. */
  level?: string | undefined;
}

export function readSettings(): Settings {
  try {
    const read = JSON.parse(localStorage.getItem("complete") ?? "{}") as Partial<Settings>;
    if (read.version === VERSION) return { volume: 1, best: 0, ...read, version: VERSION };
  } catch {
    // Private windows may have no storage, and anything may be in it.
  }
  return { version: VERSION, volume: 1, best: 0 };
}

export function writeSettings(settings: Settings): void {
  try {
    localStorage.setItem("complete", JSON.stringify(settings));
  } catch {
    // Without storage the game is played without being kept.
  }
}
