/**
 * Makes a schedule pausable, for games that have no pause of their own.
 */
import type { Schedule } from "espalier";
import type { Pausable } from "./live-session.ts";

/** Pausing disables its systems; those that were disabled before stay disabled. */
export function pausableSchedule(schedule: Schedule): Pausable {
  let held: readonly string[] | undefined;
  const resume = () => {
    // Systems may have been removed meanwhile.
    const there = new Set(schedule.list().map(({ name }) => name));
    for (const name of held ?? []) if (there.has(name)) schedule.enable(name);
    held = undefined;
  };
  const pause = () => {
    if (held !== undefined) return;
    held = schedule
      .list()
      .filter(({ enabled }) => enabled)
      .map(({ name }) => name);
    for (const name of held) schedule.disable(name);
  };
  return {
    get isPaused() {
      return held !== undefined;
    },
    pause,
    resume,
    step() {
      resume();
      try {
        schedule.run(1 / 60);
      } finally {
        pause();
      }
    },
  };
}
