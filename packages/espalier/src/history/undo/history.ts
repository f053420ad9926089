/**
 * Undo and redo.
 */
import { describeValue, type Finding, registerCheck, type World } from "../../ecs/index.ts";
import {
  type ChangeRecords,
  checkOptions,
  DEVELOPMENT,
  type RecordReader,
  requireFunction,
  stateOf,
  type WorldState,
} from "../../ecs/internal.ts";
import {
  DuplicateHistoryError,
  HistoryBusyError,
  HistoryConflictError,
  reasonOf,
  StepDroppedError,
} from "../errors.ts";
import {
  DEFAULT_BYTES,
  type HistoryOptions,
  historyOptions,
  requireLimit,
  type StepOptions,
  stepOptions,
} from "./options.ts";
import { type Recording, recordingOf, replay, rollBack } from "./recording.ts";
import { bytesOf, copyOf, type Step, Steps } from "./steps.ts";
import { enableTransactions, isPromise, recordsToRead, requireSync, transaction } from "./transaction.ts";
import type { UndoStack } from "./undo-stack.ts";

/**
 * Records the changes of a world from now on, so that they can be undone.
 *
 * @throws DuplicateHistoryError when the world has a history; HistoryBusyError inside a transaction.
 *
 * @example
 * ```ts
 * const history = createHistory(world);
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * history.step("Delete tank", () => world.destroy(tank));
 * world.isAlive(turret); // → false
 * history.undo();
 * tree.childrenOf(tank); // → [turret]
 * ```
 */
export function createHistory(world: World, options: HistoryOptions = {}): UndoHistory {
  stateOf(world).requireUsable("create a history");
  checkOptions(world.checks, "create a history", options, historyOptions);
  const history = new UndoHistory(world, options);
  enableTransactions(world);
  return history;
}

/** Undo and redo of a world. Created by `createHistory`. */
export class UndoHistory implements UndoStack {
  /** The world whose changes it records. */
  readonly world: World;
  /** Increases whenever what can be undone or redone changes. */
  version = 0;
  /** How many undo steps were dropped for lack of space, the oldest first. */
  dropped = 0;
  private readonly state: WorldState;
  private readonly records: ChangeRecords;
  private readonly recording: Recording;
  /** Reads the records of changes that belong to no step yet; `undefined` while nothing is recorded. */
  private reader: RecordReader | undefined;
  private readonly done = new Steps();
  private readonly undone = new Steps();
  private readonly maxSteps: number;
  private readonly maxBytes: number;
  private readonly implicit: boolean;
  /** The open step. `depth`: how many nested steps are open. */
  private open:
    | {
        readonly label: string;
        readonly key: string | undefined;
        readonly transactions: number;
        depth: number;
      }
    | undefined;
  /** How many undone steps were dropped for lack of space since the last new step. */
  private lostRedo = 0;
  /** Whether the last step is sealed and cannot be joined. */
  private sealed = true;
  /** Whether the open step grew too large: the rest of it is not recorded. */
  private overflown = false;
  private isClosed = false;
  private readonly endCheck: (() => void) | undefined;

  /** @internal Use `createHistory`. */
  constructor(world: World, options: HistoryOptions) {
    this.world = world;
    this.state = stateOf(world);
    this.maxSteps = requireLimit("maxSteps", options.maxSteps ?? Infinity);
    this.maxBytes = requireLimit("maxBytes", options.maxBytes ?? DEFAULT_BYTES);
    this.implicit = options.implicit ?? true;
    this.recording = recordingOf(this.state);
    if (this.recording.history !== undefined) {
      throw new DuplicateHistoryError(
        "Cannot create a history: this world has one already, and two would undo each other's steps. Share it, or close() it first.",
      );
    }
    this.requireNoTransaction("create a history");
    this.records = recordsToRead(this.state);
    this.recording.history = this;
    if (this.implicit) this.listen();
    if (DEVELOPMENT) this.endCheck = registerCheck(world, { name: "history", check: () => this.wrong() });
  }

  /** For the self-test. */
  private *wrong(): IterableIterator<Finding> {
    const code = "history/inconsistent";
    for (const steps of [this.done, this.undone])
      for (const message of steps.wrong(this.state)) yield { code, message };
    if (this.done.bytes + this.undone.bytes > this.maxBytes)
      yield { code, message: `its steps take more than maxBytes (${this.maxBytes})` };
  }

  private listen(): void {
    this.reader ??= this.records.open(() => this.makeRoom());
  }

  private stopListening(): void {
    if (this.reader !== undefined) this.records.close(this.reader);
    this.reader = undefined;
  }

  /** After a step: stops recording if changes outside of steps are not recorded. */
  private endListening(): void {
    if (!this.implicit) this.stopListening();
  }

  // Steps --------------------------------------------------------------------------------------------------------------

  /**
   * Runs `fn` and makes one step of what it changes. A step inside a step is part of it. When `fn` throws, its changes
   * until then still form a step; use `transaction` to roll them back. No step is added when nothing changed.
   *
   * @throws AsyncTransactionError when `fn` returns a promise; its changes are rolled back. Use `begin` and `commit` instead.
   *
   * @example
   * ```ts
   * const history = createHistory(world);
   * history.step("Spawn", () => world.spawn());
   * history.undo(); // → true
   * world.count; // → 0
   * ```
   */
  step<Result>(label: string, fn: () => Result, options: StepOptions = {}): Result {
    requireFunction(fn, "make a step", "the work");
    return this.run(label, options, () => {
      const mark = this.records.mark();
      const result = fn();
      if (isPromise(result) && !this.overflown) rollBack(this.state, mark);
      requireSync(result, "step");
      return result;
    });
  }

  /** `step`, all or nothing: when `fn` throws, all its changes are rolled back and there is no step. */
  transaction<Result>(label: string, fn: () => Result, options: StepOptions = {}): Result {
    requireFunction(fn, "start a transaction", "the work");
    return this.run(label, options, () => transaction(this.world, fn));
  }

  private run<Result>(label: string, options: StepOptions, work: () => Result): Result {
    this.begin(label, options);
    try {
      return work();
    } finally {
      if (!this.world.isDisposed) this.commit();
    }
  }

  /** Begins a step that `commit` ends, for changes that do not fit into one function. Inside a step it is part of that. */
  begin(label: string, options: StepOptions = {}): void {
    this.requireOpen("begin a step");
    checkOptions(this.world.checks, "begin a step", options, stepOptions);
    if (this.open !== undefined) {
      this.open.depth++;
      return;
    }
    this.requireNoTransaction("begin a step");
    this.requireNoReplay("begin a step");
    this.closeStep("");
    this.open = { label, key: options.key, transactions: this.recording.transactions, depth: 1 };
    this.listen();
    this.records.mark();
  }

  /** Ends the step that `begin` began. Outside of steps: ends the step that collects loose changes. */
  commit(): void {
    this.requireOpen("commit a step");
    if (this.open === undefined) {
      this.requireNoTransaction("commit");
      this.closeStep("");
      return;
    }
    if (this.recording.transactions > this.open.transactions) {
      throw new HistoryBusyError(
        `Cannot commit step ${describeValue(this.open.label)} inside a transaction that began in it. End the transaction first.`,
        { subject: this.open.label },
      );
    }
    if (--this.open.depth > 0) return;
    const { label, key } = this.open;
    this.open = undefined;
    this.closeStep(label, key);
    this.endListening();
  }

  /** Rolls back the open step and ends it, with all steps around it. */
  cancel(): void {
    this.requireOpen("cancel a step");
    if (this.open === undefined) {
      throw new HistoryBusyError("Cannot cancel: no step is open. Begin one with history.begin().");
    }
    this.requireNoTransaction("cancel a step");
    this.requireSettled("cancel a step");
    if (this.overflown) {
      throw new HistoryConflictError(
        `Cannot cancel step ${describeValue(this.open.label)}: it is larger than maxBytes (${this.maxBytes}), so it was not recorded to its end. Raise maxBytes, or commit it.`,
        { subject: this.open.label, limit: this.maxBytes },
      );
    }
    this.open = undefined;
    if (this.reader !== undefined) rollBack(this.state, this.reader);
    this.endListening();
  }

  /** Makes the next step a new one, even if it has the key of the last one. Call it when a drag ends. */
  seal(): void {
    this.sealed = true;
  }

  // Undo and redo ------------------------------------------------------------------------------------------------------

  /**
   * Undoes the last step: every entity, value, link, order and name is as before, including ids. `false` when there is
   * nothing to undo.
   *
   * @throws HistoryConflictError when an unrecorded change blocks it; HistoryBusyError inside a step
   * or transaction. Nothing has changed then.
   *
   * @example
   * ```ts
   * const history = createHistory(world);
   * const tank = history.step("Spawn", () => world.spawn());
   * history.undo(); // → true
   * history.redo();
   * world.isAlive(tank); // → true
   * ```
   */
  undo(): boolean {
    return this.shift("undo", this.done, this.undone);
  }

  /**
   * Redoes the last undone step. `false` when there is none, or when something else was done since.
   *
   * @throws StepDroppedError when undone steps were dropped because they did not fit into `maxBytes`; otherwise as `undo`.
   */
  redo(): boolean {
    if (this.shift("redo", this.undone, this.done)) return true;
    if (this.lostRedo === 0) return false;
    const lost = this.lostRedo === 1 ? "an undone step was" : `${this.lostRedo} undone steps were`;
    throw new StepDroppedError(
      `Cannot redo: ${lost} dropped, because together with the rest more than maxBytes (${this.maxBytes}) was needed. Raise maxBytes, or make smaller steps.`,
      { limit: this.maxBytes, steps: this.lostRedo },
    );
  }

  /** Whether there is a step to undo. */
  get canUndo(): boolean {
    return this.done.count > 0 || this.hasLoose;
  }

  /** Whether there is a step to redo. */
  get canRedo(): boolean {
    return this.undone.count > 0 && !this.hasRest;
  }

  /** The labels of what can be undone, next one first. Loose changes have the label "". */
  get undoLabels(): string[] {
    const { labels } = this.done;
    return this.hasLoose ? ["", ...labels] : labels;
  }

  /** The labels of what can be redone, next one first. */
  get redoLabels(): string[] {
    return this.canRedo ? this.undone.labels : [];
  }

  /** Whether a step is being undone or redone now. */
  get isReplaying(): boolean {
    return this.state.isReplaying;
  }

  /** The size of all records: 8 bytes per number and reference. */
  get bytes(): number {
    return this.done.bytes + this.undone.bytes + this.restBytes;
  }

  private get restBytes(): number {
    return this.reader === undefined ? 0 : this.records.bytesSince(this.reader);
  }

  /** Whether there are recorded changes that belong to no step yet. */
  private get hasRest(): boolean {
    return this.reader !== undefined && this.reader.numbers !== this.records.changedEnd.numbers;
  }

  /** Takes the records that belong to no step yet. */
  private takeRest(): Omit<Step, "label" | "key"> {
    const { records } = this;
    const reader = this.reader as RecordReader;
    const end = records.changedEnd;
    const rest = records.since(reader, end);
    records.skip(reader, end);
    // Running loops continue to write, and those writes belong to the next step.
    records.mark();
    return rest;
  }

  /** Forgets all steps. The world stays as it is. */
  clear(): void {
    this.requireIdle("clear the history");
    this.forgetAll();
    this.endOverflow();
    this.version++;
  }

  private forgetAll(): void {
    this.done.clear();
    this.clearRedo();
    if (this.reader !== undefined) this.records.skip(this.reader);
  }

  /** Closes the history: nothing is recorded any more, and its calls throw. Nothing happens when it is already closed. */
  close(): void {
    if (this.isClosed) return;
    if (!this.world.isDisposed) {
      this.clear();
      this.stopListening();
      this.endCheck?.();
      this.recording.history = undefined;
    }
    this.isClosed = true;
  }

  // --------------------------------------------------------------------------------------------------------------------

  /** @internal Whether changes outside of steps are recorded, and none is being undone or redone. */
  get takesLoose(): boolean {
    return this.implicit && !this.isReplaying;
  }

  /** Whether there are changes that belong to no step yet. */
  private get hasLoose(): boolean {
    return this.open === undefined && this.hasRest;
  }

  private shift(doing: "undo" | "redo", from: Steps, to: Steps): boolean {
    this.requireIdle(doing);
    this.requireSettled(doing);
    this.closeStep("");
    if (from.count === 0) return false;
    const step = from.pop();
    this.listen();
    const start = this.records.end;
    try {
      replay(this.state, copyOf(step));
      to.push({ ...step, ...this.takeRest() });
    } catch (cause) {
      try {
        rollBack(this.state, start);
        from.push(step);
      } catch {
        // Observers change the world during both undo and its rollback, so no step is valid any more.
        this.forgetAll();
      }
      throw new HistoryConflictError(
        `Cannot ${doing} ${describeValue(step.label)}: ${reasonOf(cause)} Something changed the world without being recorded, or an observer does while isReplaying(world).`,
        { entities: (cause as { entities?: readonly never[] }).entities ?? [], cause, subject: step.label },
      );
    } finally {
      this.endListening();
    }
    this.keepWithinBytes();
    this.sealed = true;
    this.version++;
    return true;
  }

  /** After undo or redo, which may record more than they consumed: undoing the creation of many entities records all of them. */
  private keepWithinBytes(): void {
    const { done, undone, maxBytes } = this;
    // A single step may be larger than the whole limit.
    if (undone.last !== undefined && bytesOf(undone.last) > maxBytes)
      this.lostRedo += undone.keepWithin(0, 0);
    this.dropped += done.keepWithin(Infinity, maxBytes - undone.bytes);
    // Only when no older step is left: the furthest redo steps are dropped, because each redo depends on those before it.
    this.lostRedo += undone.keepWithin(Infinity, maxBytes - done.bytes);
  }

  /** Something new was done, so there is nothing left to redo. */
  private clearRedo(): void {
    this.undone.clear();
    this.lostRedo = 0;
  }

  /** Makes a step of the loose changes; without any there is no step. */
  private closeStep(label: string, key?: string): void {
    const { done } = this;
    this.endOverflow();
    if (!this.hasRest) return;
    this.clearRedo();
    const rest = this.takeRest();
    if (key !== undefined && !this.sealed && done.last?.key === key) done.join(rest);
    else done.push({ label, key, ...rest });
    this.sealed = false;
    this.dropped += done.keepWithin(this.maxSteps, this.maxBytes);
    this.version++;
  }

  /** The limit for records is reached: drops old steps, and finally the open one. */
  private makeRoom(): void {
    const { done } = this;
    if (this.isReplaying || this.recording.transactions > 0) return;
    if (this.bytes <= this.maxBytes) return;
    this.clearRedo();
    this.dropped += done.keepWithin(this.maxSteps, this.maxBytes - this.restBytes);
    if (this.restBytes <= this.maxBytes) return;
    this.overflown = true;
    this.dropped++;
    done.clear();
    this.stopListening();
    this.version++;
  }

  private endOverflow(): void {
    if (!this.overflown) return;
    this.overflown = false;
    if (this.implicit) this.listen();
  }

  private requireIdle(doing: string): void {
    this.requireOpen(doing);
    if (this.open !== undefined) {
      throw new HistoryBusyError(
        `Cannot ${doing} inside step ${describeValue(this.open.label)}: it has not ended. Commit or cancel it first.`,
        { subject: this.open.label },
      );
    }
    this.requireNoTransaction(doing);
    this.requireNoReplay(doing);
  }

  private requireNoTransaction(doing: string): void {
    if (this.recording.transactions === 0) return;
    throw new HistoryBusyError(
      `Cannot ${doing} inside a transaction, which may take it back. Do it before, or use history.transaction().`,
    );
  }

  private requireNoReplay(doing: string): void {
    if (!this.isReplaying) return;
    throw new HistoryBusyError(
      `Cannot ${doing} while a step is undone or redone. In observers, check isReplaying(world) and skip it.`,
    );
  }

  /** Refuses to run inside a loop or an observer that depends on the current state of the world. */
  private requireSettled(doing: string): void {
    this.state.requireUnlocked(doing);
    if (!this.state.isNotifying) return;
    throw new HistoryBusyError(
      `Cannot ${doing} inside an observer: further observers have yet to be notified of the same change. Do it after the call that made the change.`,
    );
  }

  private requireOpen(doing: string): void {
    this.state.requireUsable(doing);
    if (!this.isClosed) return;
    throw new HistoryBusyError(
      `Cannot ${doing}: this history was closed. Create another with createHistory().`,
    );
  }
}
