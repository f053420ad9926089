/** What is kept in the browser: the player's settings, and the level as it was left. */

/** Raise it when older saves can no longer be read; they are forgotten then. */
const VERSION = 1;

export interface Settings {
  version: number;
  /** From 0 to 1. */
  volume: number;
  best: number;
  /** The level as a scene; nothing if there is none to continue with. */
  level?: string | undefined;
}

const numberOr = (otherwise: number, value: unknown) =>
  typeof value === "number" && value >= 0 ? value : otherwise;

export function readSettings(): Settings {
  try {
    const { version, volume, best, level } = JSON.parse(localStorage.getItem("complete") ?? "{}");
    if (version === VERSION) {
      return {
        version,
        volume: Math.min(numberOr(1, volume), 1),
        best: numberOr(0, best),
        level: typeof level === "string" ? level : undefined,
      };
    }
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
