/**
 * Changes that undo does not revert, and changes from elsewhere.
 */
import type { World } from "../../ecs/index.ts";
import { requireFunction, stateOf } from "../../ecs/internal.ts";

/**
 * Runs `fn` without recording it: for derived values, which belong to entities at every position of the history. It must not
 * create or destroy entities.
 *
 * @example
 * ```ts
 * const Shown = component("Shown", { hp: f32() });
 * const history = createHistory(world);
 * const tank = world.spawn(Shown);
 * history.clear();
 * unrecorded(world, () => world.set(tank, Shown, { hp: 5 }));
 * history.canUndo; // → false
 * ```
 */
export function unrecorded(world: World, fn: () => void): void {
  const { recorder } = stateOf(world);
  requireFunction(fn, "work without recording", "the work");
  if (recorder.wanted) recorder.unrecorded(fn);
  else fn();
}

const KEY = "espalier.history.restored";

/** How often a snapshot was restored into a world or a patch applied to it. */
export function restoredTimes(world: World): number {
  return (stateOf(world).attachments.get(KEY) as number | undefined) ?? 0;
}

const CAPTURED = "espalier.history.captured";

/** Runs `fn` whenever the state of the world was captured, as a snapshot or for a difference: either may restore it later. */
export function onCaptured(world: World, fn: () => void): void {
  const { attachments } = stateOf(world);
  attachments.set(CAPTURED, [...captureListeners(world), fn]);
}

export function notifyCaptured(world: World): void {
  for (const fn of captureListeners(world)) fn();
}

function captureListeners(world: World): readonly (() => void)[] {
  return (stateOf(world).attachments.get(CAPTURED) as readonly (() => void)[] | undefined) ?? [];
}

export function countRestored(world: World): void {
  stateOf(world).attachments.set(KEY, restoredTimes(world) + 1);
}
