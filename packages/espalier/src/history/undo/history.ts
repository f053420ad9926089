/**
 * Undo and redo.
 */
import { type Finding, registerCheck, type World } from "../../ecs/index.ts";
import {
  checkOptions,
  type RecordReader,
  recordsOf,
  requireFunction,
  stateOf,
  type WorldState,
} from "../../ecs/internal.ts";
import { DuplicateHistoryError, HistoryBusyError, HistoryConflictError } from "../errors.ts";
import {
  DEFAULT_BYTES,
  type HistoryOptions,
  historyOptions,
  requireLimit,
  type StepOptions,
  stepOptions,
} from "./options.ts";
import { type Recording, recordingOf } from "./recording.ts";
import { copyOf, type Step, Steps } from "./steps.ts";
import { enableTransactions, isPromise, requireSync, transaction } from "./transaction.ts";

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
export function createHistory(world: World, options: HistoryOptions = {}): History {
  stateOf(world).requireUsable("create a history");
  checkOptions(world.checks, "create a history", options, historyOptions);
  const history = new History(world, options);
  enableTransactions(world);
  return history;
}

/** Undo and redo of a world. Made by `createHistory`. */
export class History {
  readonly world: World;
  /** Grows whenever what can be undone or redone changes. */
  version = 0;
  /** How many steps were given up for want of room. */
  dropped = 0;
  private readonly state: WorldState;
  private readonly recording: Recording;
  /** Reads the records of changes that belong to no step yet; there is none while nothing is recorded. */
  private reader: RecordReader | undefined;
  private readonly done = new Steps();
  private readonly undone = new Steps();
  private readonly maxSteps: number;
  private readonly maxBytes: number;
  private readonly implicit: boolean;
  private open:
    | { readonly label: string; readonly key: string | undefined; readonly transactions: number }
    | undefined;
  private depth = 0;
  /** Whether the last step may be joined. */
  private sealed = true;
  /** The open step grew too large: the rest of it is not recorded. */
  private overflown = false;
  private isClosed = false;

  private readonly endCheck: () => void;

  /** @internal Use `createHistory`. */
  constructor(world: World, options: HistoryOptions) {
    this.world = world;
    this.state = stateOf(world);
    this.maxSteps = requireLimit("maxSteps", options.maxSteps ?? Number.POSITIVE_INFINITY);
    this.maxBytes = requireLimit("maxBytes", options.maxBytes ?? DEFAULT_BYTES);
    this.implicit = options.implicit ?? true;
    this.recording = recordingOf(world);
    const { recording } = this;
    if (recording.hasHistory) {
      throw new DuplicateHistoryError(
        "Cannot create a history: this world has one already, and two would undo each other's steps. Share it, or close() it first.",
      );
    }
    this.requireNoTransaction("create a history");
    recording.hasHistory = true;
    if (this.implicit) this.listen();
    this.endCheck = registerCheck(world, { name: "history", check: () => this.wrong() });
  }

  /** For the self-test. */
  private *wrong(): IterableIterator<Finding> {
    const code = "history/inconsistent";
    for (const steps of [this.done, this.undone])
      for (const message of steps.wrong(this.state)) yield { code, message };
    if (this.done.bytes + this.undone.bytes > this.maxBytes)
      yield { code, message: `its steps take more than maxBytes (${this.maxBytes})` };
    if (this.depth > 0 !== (this.open !== undefined))
      yield {
        code,
        message: `${this.depth} steps are open, but ${this.open === undefined ? "none" : "one"} is`,
      };
  }

  private listen(): void {
    this.reader ??= recordsOf(this.state).open(() => this.makeRoom());
  }

  private stopListening(): void {
    if (this.reader === undefined) return;
    recordsOf(this.state).close(this.reader);
    this.reader = undefined;
  }

  // Steps --------------------------------------------------------------------------------------------------------------

  /**
   * Runs `fn` and makes one step of what it changes. A step inside a step is part of it. When `fn` throws, what it did
   * until then is a step all the same; use `transaction` to take it back. Nothing is added when nothing changed.
   *
   * @throws AsyncTransactionError when `fn` returns a promise, and takes back what it did; use `begin` and `commit`.
   */
  step<Result>(label: string, fn: () => Result, options: StepOptions = {}): Result {
    requireFunction(fn, "make a step", "the work");
    this.begin(label, options);
    const mark = recordsOf(this.state).mark();
    try {
      const result = fn();
      if (isPromise(result) && !this.overflown) this.recording.rollBack(mark);
      requireSync(result, "step");
      return result;
    } finally {
      if (!this.world.isDisposed) this.commit();
    }
  }

  /** `step`, all or nothing: when `fn` throws, everything it changed is taken back and there is no step. */
  transaction<Result>(label: string, fn: () => Result, options: StepOptions = {}): Result {
    requireFunction(fn, "start a transaction", "the work");
    this.begin(label, options);
    try {
      return transaction(this.world, fn);
    } finally {
      if (!this.world.isDisposed) this.commit();
    }
  }

  /** Begins a step that `commit` ends, for what does not fit into one function. Inside a step it is part of that. */
  begin(label: string, options: StepOptions = {}): void {
    this.requireOpen("begin a step");
    checkOptions(this.world.checks, "begin a step", options, stepOptions);
    if (this.depth++ > 0) return;
    try {
      this.requireNoTransaction("begin a step");
      this.requireNoReplay("begin a step");
    } catch (error) {
      this.depth--;
      throw error;
    }
    this.closeRest();
    this.open = { label, key: options.key, transactions: this.recording.transactions };
    this.listen();
    recordsOf(this.state).mark();
  }

  /** Ends the step that `begin` began. Outside of steps: ends the step in which loose changes gather. */
  commit(): void {
    this.requireOpen("commit a step");
    if (this.open === undefined) {
      this.requireNoTransaction("commit");
      this.closeRest();
      return;
    }
    if (this.recording.transactions > this.open.transactions) {
      throw new HistoryBusyError(
        `Cannot commit step ${JSON.stringify(this.open.label)} inside a transaction that began in it. End the transaction first.`,
      );
    }
    if (--this.depth > 0) return;
    const { label, key } = this.open;
    this.open = undefined;
    this.closeStep(label, key);
    if (!this.implicit) this.stopListening();
  }

  /** Takes back what the open step did until now and ends it, with all steps around it. */
  cancel(): void {
    this.requireOpen("cancel a step");
    if (this.open === undefined) {
      throw new HistoryBusyError("Cannot cancel: no step is open. Begin one with history.begin().");
    }
    this.requireNoTransaction("cancel a step");
    this.requireSettled("cancel a step");
    if (this.overflown) {
      throw new HistoryConflictError(
        `Cannot cancel step ${JSON.stringify(this.open.label)}: it is larger than maxBytes (${this.maxBytes}), so it was not recorded to its end. Raise maxBytes, or commit it.`,
        [],
      );
    }
    this.open = undefined;
    this.depth = 0;
    if (this.reader !== undefined) this.recording.rollBack(this.reader);
    if (!this.implicit) this.stopListening();
  }

  /** The next step starts over, also when it has the key of the last one. Call it where a drag ends. */
  seal(): void {
    this.sealed = true;
  }

  // Undo and redo ------------------------------------------------------------------------------------------------------

  /**
   * Undoes the last step: every entity, value, link, order and name is as before it, ids included. `false` when there is
   * nothing to undo.
   *
   * @throws HistoryConflictError when something that was not recorded stands in the way; HistoryBusyError inside a step
   * or transaction. Nothing has changed then.
   */
  undo(): boolean {
    return this.shift("undo", this.done, this.undone);
  }

  /** Does the last undone step again. `false` when there is none, or when something else was done since. */
  redo(): boolean {
    return this.shift("redo", this.undone, this.done);
  }

  get canUndo(): boolean {
    return this.done.count > 0 || this.hasLoose;
  }

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
    return recordsOf(this.state).isReplaying;
  }

  /** What is recorded takes: 8 bytes per number and reference. */
  get bytes(): number {
    return this.done.bytes + this.undone.bytes + this.restBytes;
  }

  private get restBytes(): number {
    return this.reader === undefined ? 0 : recordsOf(this.state).bytesSince(this.reader);
  }

  /** Whether changes were recorded that belong to no step yet. */
  private get hasRest(): boolean {
    return this.reader !== undefined && this.reader.numbers !== recordsOf(this.state).changedEnd.numbers;
  }

  /** Takes the records of what belongs to no step yet. */
  private takeRest(): Omit<Step, "label" | "key"> {
    const reader = this.reader as RecordReader;
    const records = recordsOf(this.state);
    const end = records.changedEnd;
    const rest = records.since(reader, end);
    records.skip(reader, end);
    // Loops under way go on writing, and that belongs to what follows.
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
    this.undone.clear();
    if (this.reader !== undefined) recordsOf(this.state).skip(this.reader);
  }

  /** Ends the history: nothing is recorded any more, and its calls throw. Nothing happens when it is closed already. */
  close(): void {
    if (this.isClosed) return;
    if (!this.world.isDisposed) {
      this.clear();
      this.stopListening();
      this.endCheck();
      this.recording.hasHistory = false;
    }
    this.isClosed = true;
  }

  // --------------------------------------------------------------------------------------------------------------------

  /** Whether there are changes that belong to no step yet. */
  private get hasLoose(): boolean {
    return this.open === undefined && !this.overflown && this.hasRest;
  }

  private shift(doing: "undo" | "redo", from: Steps, to: Steps): boolean {
    this.requireIdle(doing);
    this.requireSettled(doing);
    this.closeRest();
    if (from.count === 0) return false;
    const step = from.pop();
    const wasListening = this.reader !== undefined;
    this.listen();
    const start = recordsOf(this.state).end;
    try {
      this.recording.replay(copyOf(step));
    } catch (cause) {
      try {
        this.recording.rollBack(start);
        from.push(step);
      } catch {
        // Observers change the world on the way there and on the way back: no step leads anywhere any more.
        this.forgetAll();
      }
      if (!wasListening) this.stopListening();
      throw this.conflict(doing, step, cause);
    }
    to.push({ label: step.label, key: step.key, ...this.takeRest() });
    // Undoing what created much records all that goes. The way on is given up first, what lies farthest away of each first.
    this.dropped += to.keepWithin(Number.POSITIVE_INFINITY, this.maxBytes - from.bytes);
    this.dropped += from.keepWithin(Number.POSITIVE_INFINITY, this.maxBytes - to.bytes);
    if (!wasListening) this.stopListening();
    this.sealed = true;
    this.version++;
    return true;
  }

  private conflict(doing: string, step: Step, cause: unknown): HistoryConflictError {
    const why = cause instanceof Error ? cause.message : String(cause);
    const entities = (cause as { entities?: readonly never[] }).entities ?? [];
    return new HistoryConflictError(
      `Cannot ${doing} ${JSON.stringify(step.label)}: ${why} Something changed the world without being recorded, or an observer does while isReplaying(world).`,
      entities,
      cause,
    );
  }

  /** Makes a step of changes that belong to none. */
  private closeRest(): void {
    if (this.open === undefined && this.hasRest) this.closeStep("", undefined);
    else if (this.open === undefined) this.endOverflow();
  }

  private closeStep(label: string, key: string | undefined): void {
    const { done } = this;
    if (this.overflown) {
      this.sealed = true;
      this.endOverflow();
      return;
    }
    if (!this.hasRest) return;
    this.undone.clear();
    const rest = this.takeRest();
    if (key !== undefined && !this.sealed && done.last?.key === key) done.join(rest);
    else done.push({ label, key, ...rest });
    this.sealed = false;
    this.dropped += done.keepWithin(this.maxSteps, this.maxBytes);
    this.version++;
  }

  /** There is no more room for records: gives up old steps, and in the end the open one. */
  private makeRoom(): void {
    const { recording, done, state } = this;
    if (recordsOf(state).isReplaying || recording.transactions > 0) return;
    if (this.bytes <= this.maxBytes) return;
    this.undone.clear();
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
        `Cannot ${doing} inside step ${JSON.stringify(this.open.label)}: it has not ended. Commit or cancel it first.`,
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
    if (!recordsOf(this.state).isReplaying) return;
    throw new HistoryBusyError(
      `Cannot ${doing} while a step is undone or redone. In observers, check isReplaying(world) and skip it.`,
    );
  }

  /** Not in the middle of something that relies on the world as it is. */
  private requireSettled(doing: string): void {
    this.state.requireUnlocked(doing);
    if (this.state.observerDepth === 0) return;
    throw new HistoryBusyError(
      `Cannot ${doing} inside an observer: the change it is told of has not ended. Do it after the call that made the change.`,
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
