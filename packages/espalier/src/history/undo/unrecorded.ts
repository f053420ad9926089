/**
 * Changes that no undo takes back, and changes that come from elsewhere.
 */
import type { World } from "../../ecs/index.ts";
import { recordsOf, requireFunction, stateOf, Tape } from "../../ecs/internal.ts";

/**
 * Runs `fn` without recording it: for what belongs to entities wherever in the history one is. It must not create or
 * destroy entities.
 */
export function unrecorded(world: World, fn: () => void): void {
  const records = recordsOf(stateOf(world));
  requireFunction(fn, "work without recording", "the work");
  if (records.wanted) records.divert(new Tape(), fn);
  else fn();
}

const KEY = "espalier.history.restored";

/** How often a snapshot was restored into a world or a patch applied to it. */
export function restoredTimes(world: World): number {
  return (stateOf(world).attachments.get(KEY) as number | undefined) ?? 0;
}

const TAKEN = "espalier.history.taken";

/** Whether a snapshot of the world was ever taken: it may bring back what is gone by now. */
export function hasSnapshot(world: World): boolean {
  return stateOf(world).attachments.has(TAKEN);
}

export function noteSnapshot(world: World): void {
  stateOf(world).attachments.set(TAKEN, true);
}

export function countRestored(world: World): void {
  stateOf(world).attachments.set(KEY, restoredTimes(world) + 1);
}
