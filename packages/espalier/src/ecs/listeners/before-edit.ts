/**
 * Calling what runs before an edit: observers of this room, and listeners of others.
 */
import type { WorldState } from "../state.ts";
import { endlessNotices } from "./notices.ts";

/** Observers before an edit that cause each other more often than this are taken for an endless loop. */
const MAX_OBSERVER_DEPTH = 100;

/** Calls one of those that run before an edit. `errorOf` gives the error that reports what it throws. */
export function runBeforeEdit(
  s: WorldState,
  name: string,
  what: string,
  call: () => void,
  errorOf: (cause: unknown) => Error,
): void {
  if (s.observerDepth === 0) s.runaway = false;
  if (s.runaway) return;
  if (s.observerDepth >= MAX_OBSERVER_DEPTH) {
    // Two observers that cause each other would otherwise meet this limit 2^100 times.
    s.runaway = true;
    s.onError(endlessNotices(name, what, MAX_OBSERVER_DEPTH));
    return;
  }
  s.observerDepth++;
  try {
    call();
    s.observerDepth--;
  } catch (cause) {
    // Before the report, which may throw in turn.
    s.observerDepth--;
    s.onError(errorOf(cause));
  }
}
