/**
 * All or nothing.
 */
import { type EventHold, holdEvents, type Store, type World } from "../ecs/index.ts";
import { AsyncTransactionError, HistoryConflictError } from "./errors.ts";
import { type Recording, recordingOf } from "./recording.ts";
import { type Mark, Tape } from "./tape.ts";

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
  world.requireUsable("start a transaction");
  const recording = recordingOf(world);
  const open = new OpenTransaction(recording);
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
  world.requireUsable("enable transactions");
  world.transactor = (work) => transaction(world, work);
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
  private readonly tape: Tape;
  private readonly mark: Mark;
  private readonly hold: EventHold;
  private readonly logs: readonly { readonly log: NonNullable<Store["log"]>; readonly end: number }[];
  /** Whether nobody recorded before, so that what is recorded now is of no use later. */
  private readonly isAlone: boolean;
  private isOpen = true;

  constructor(recording: Recording) {
    const { world, journal } = recording;
    this.recording = recording;
    this.isAlone = !recording.isListening;
    recording.transactions++;
    recording.settle();
    recording.listen();
    this.tape = journal.tape;
    this.mark = journal.tape.mark;
    this.hold = holdEvents(world);
    this.logs = world.stores.flatMap(({ log }) => (log === undefined ? [] : { log, end: log.end }));
  }

  commit(): void {
    this.end();
    this.hold.release();
  }

  rollBack(): void {
    if (!this.isOpen) return;
    try {
      if (!this.recording.world.isDisposed) this.recording.replay(this.tape, this.mark, new Tape());
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new HistoryConflictError(
        `Cannot take a transaction back to its start: ${why} Look for observers that change the world while isReplaying(world).`,
        [],
        cause,
      );
    } finally {
      this.hold.discard();
      for (const { log, end } of this.logs) log.rewind(end);
      this.end();
    }
  }

  private end(): void {
    this.isOpen = false;
    this.recording.transactions--;
    if (!this.isAlone) return;
    this.recording.stop();
    this.tape.cutBack(this.mark);
  }
}
