/**
 * All or nothing.
 */
import { holdEvents, type World } from "../../ecs/index.ts";
import {
  asOneCall,
  type ChangeRecords,
  markLogs,
  recordsOf,
  requireFunction,
  rewindLogs,
  stateOf,
  type WorldState,
} from "../../ecs/internal.ts";
import { AsyncTransactionError, HistoryConflictError, reasonOf } from "../errors.ts";
import { recordingOf, rollBack } from "./recording.ts";

/**
 * Runs `fn` and returns its result. When it throws, all its changes of the world are rolled back, including the ids of entities, and the
 * error is rethrown. Transactions may be nested: an inner one that fails rolls
 * back its own part.
 *
 * Events that are emitted inside wait until the outermost transaction ends, and are dropped when theirs fails. Observers run
 * after each call inside, and once more after a rollback. Change readers do not see what was rolled back, unless they
 * read inside. Commands that were recorded or flushed inside are not returned to their buffer, and objects changed
 * inside stay changed.
 *
 * @throws AsyncTransactionError when `fn` returns a promise; nothing has changed then.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const e = world.spawn(Health);
 * transaction(world, () => {
 *   world.set(e, Health, { hp: 0 });
 *   world.destroy(e);
 *   throw new Error("changed my mind");
 * }); // throws Error: changed my mind
 * world.get(e, Health); // → { hp: 100 }
 * ```
 */
export function transaction<Result>(world: World, fn: () => Result): Result {
  const state = stateOf(world);
  state.requireUsable("start a transaction");
  requireFunction(fn, "start a transaction", "the work");
  const recording = recordingOf(state);
  const records = recordsToRead(state);
  recording.transactions++;
  // Keeps the records from here on, whatever other readers do.
  const reader = records.open();
  const mark = records.mark();
  const hold = holdEvents(world);
  const logs = markLogs(state);
  const end = () => {
    recording.transactions--;
    records.close(reader);
  };
  let result: Result;
  try {
    result = fn();
    requireSync(result, "transaction");
  } catch (error) {
    // Observers run when events and change readers have been reset too.
    asOneCall(state, () => {
      try {
        if (!state.isDisposed) rollBack(state, mark);
      } catch (cause) {
        throw new HistoryConflictError(
          `Cannot take a transaction back to its start: ${reasonOf(cause)} Look for observers that change the world while isReplaying(world).`,
          { cause },
        );
      } finally {
        hold.discard();
        rewindLogs(logs);
        end();
      }
    });
    throw error;
  }
  end();
  hold.release();
  return result;
}

/** The record of a world, for a reader. From now on, failed calls are rolled back by the record while there is a reader. */
export function recordsToRead(state: WorldState): ChangeRecords {
  recordingOf(state).transaction = transaction;
  return recordsOf(state);
}

/**
 * Makes `world.transaction` work; `createHistory` does so too.
 *
 * @example
 * ```ts
 * enableTransactions(world);
 * world.transaction(() => world.spawn());
 * world.count; // → 1
 * ```
 */
export function enableTransactions(world: World): void {
  stateOf(world).requireUsable("enable transactions");
  stateOf(world).transactor = (work) => transaction(world, work);
}

/** Refuses a promise, whose work would continue after the call. */
export function requireSync(result: unknown, what: string): void {
  if (!isPromise(result)) return;
  throw new AsyncTransactionError(
    `Cannot wait for a promise inside a ${what}: other code would change the world meanwhile. Do the waiting before it, or use history.begin() and history.commit().`,
  );
}

export function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
