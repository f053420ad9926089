/**
 * Observers of captures: the values of the world are read or replaced as a whole.
 */
import type { WorldState } from "../state.ts";
import { nameOf, thrownBy } from "./observers.ts";

/** Reports that the values of the world are about to be read or replaced as a whole. */
export function notifyCapture(s: WorldState): void {
  for (const { before, name } of s.onCapture) runCapture(s, before, name, "before a capture");
}

/** Reports that a snapshot was restored. */
export function notifyRestored(s: WorldState): void {
  for (const { restored, name } of s.onCapture) runCapture(s, restored, name, "after a restore");
}

function runCapture(
  s: WorldState,
  fn: (() => void) | undefined,
  name: string | undefined,
  when: string,
): void {
  try {
    fn?.();
  } catch (cause) {
    s.onError(thrownBy(name ?? nameOf(fn as () => void), when, [], cause));
  }
}
