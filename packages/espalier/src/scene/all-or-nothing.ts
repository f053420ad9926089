/**
 * Calls that make or change many entities: all of it, or nothing.
 */

import { type Entity, holdEvents, type World } from "../ecs/index.ts";
import { asOneCallOrNone, destroyAlone, markLogs, rewindLogs, stateOf } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { transaction } from "../history/index.ts";
import { recordedTransaction } from "../history/internal.ts";

/**
 * Runs `make`, which lists in `made` what it creates. When it throws, all of that is rolled back as if it had never existed: no
 * event is emitted, no change reader sees it, no step is recorded.
 */
export function allOrNothing<Result>(tree: Hierarchy, made: readonly Entity[], make: () => Result): Result {
  const { world } = tree;
  return asOneCallOrNone(stateOf(world), () => attempt(world, made, make));
}

/** Runs `change` as one call that succeeds or changes nothing: observers run when it has finished. */
export function asOneChange<Result>(world: World, change: () => Result): Result {
  return asOneCallOrNone(stateOf(world), () => transaction(world, change));
}

function attempt<Result>(world: World, made: readonly Entity[], make: () => Result): Result {
  // If changes are recorded anyway, the record is used for the rollback.
  const recorded = recordedTransaction(world);
  if (recorded !== undefined) return recorded(world, make);
  // Otherwise, recording every entity of a scene would only serve the rare case.
  const logs = markLogs(stateOf(world));
  const hold = holdEvents(world);
  try {
    const result = make();
    hold.release();
    return result;
  } catch (error) {
    for (let k = made.length - 1; k >= 0; k--)
      if (world.isAlive(made[k])) destroyAlone(stateOf(world), made[k], true);
    hold.discard();
    rewindLogs(logs);
    throw error;
  }
}
