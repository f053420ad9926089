/**
 * All or nothing.
 */
import { type EventHold, holdEvents, type World } from "../../ecs/index.ts";
import {
  type LogMark,
  type Mark,
  markLogs,
  type RecordReader,
  recordsOf,
  requireFunction,
  rewindLogs,
  stateOf,
} from "../../ecs/internal.ts";
import { AsyncTransactionError, HistoryConflictError } from "../errors.ts";
import { type Recording, recordingOf } from "./recording.ts";

/**
 * Runs `fn`. When it throws, everything it changed in the world is taken back, the ids of entities included, and the
 * error is thrown on; what it returns is returned otherwise. Transactions may be nested: an inner one that fails takes
 * back its own part.
 *
 * Events that are emitted inside wait until the outermost transaction ends, and vanish when theirs fails. Observers run
 * at once, also for what taking back changes. Change readers do not hear of what was taken back, unless they read
 * inside. Commands that were recorded or flushed inside are not given back to their buffer, and objects changed from
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
  stateOf(world).requireUsable("start a transaction");
  requireFunction(fn, "start a transaction", "the work");
  const recording = recordingOf(world);
  const open = new OpenTransaction(world, recording);
  try {
    const result = fn();
    requireSync(result, "transaction");
    open.commit();
    return result;
  } catch (error) {
    open.rollBack();
    throw error;
  }
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

/** Refuses what would go on after the call that was to contain it. */
export function requireSync(result: unknown, what: string): void {
  if (!isPromise(result)) return;
  throw new AsyncTransactionError(
    `Cannot wait for a promise inside a ${what}: others would change the world meanwhile. Do the waiting before it, or use history.begin() and history.commit().`,
  );
}

export function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

class OpenTransaction {
  private readonly recording: Recording;
  private readonly mark: Mark;
  private readonly hold: EventHold;
  private readonly logs: readonly LogMark[];
  /** Keeps what is recorded from here on, whatever other readers do. */
  private readonly reader: RecordReader;
  private isOpen = true;

  constructor(world: World, recording: Recording) {
    const records = recordsOf(recording.state);
    this.recording = recording;
    recording.transactions++;
    this.reader = records.open();
    this.mark = records.mark();
    this.hold = holdEvents(world);
    this.logs = markLogs(recording.state);
  }

  commit(): void {
    this.end();
    this.hold.release();
  }

  rollBack(): void {
    if (!this.isOpen) return;
    const { state } = this.recording;
    try {
      if (!state.isDisposed) this.recording.rollBack(this.mark);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new HistoryConflictError(
        `Cannot take a transaction back to its start: ${why} Look for observers that change the world while isReplaying(world).`,
        [],
        cause,
      );
    } finally {
      this.hold.discard();
      rewindLogs(this.logs);
      this.end();
    }
  }

  private end(): void {
    this.isOpen = false;
    this.recording.transactions--;
    recordsOf(this.recording.state).close(this.reader);
  }
}
