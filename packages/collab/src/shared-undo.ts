/**
 * Undo of one's own edits in a shared scene: those of others stay as they are.
 */
import { describeValue } from "espalier";
import {
  AsyncTransactionError,
  HistoryConflictError,
  type StepOptions,
  transaction,
  type UndoStack,
} from "espalier/history";
import { type LoroDoc, UndoManager } from "loro-crdt";
import { notUndone } from "./document/shared-document.ts";
import { InvalidCollabError } from "./errors.ts";
import type { Binding } from "./world/binding.ts";
import type { Crossed } from "./world/crossing.ts";

/** A commit that can be undone. The commits of one step have the same number. */
interface Item {
  readonly label: string;
  readonly step: number;
  /** Nodes whose entities live on when it is undone or redone, as `Transient`: they lived before it, outside of the scene. */
  readonly crossed: Crossed;
}

const unlabelled = (step: number): Item => ({ label: "", step, crossed: new Map() });

/** The maximum number of commits: a drag is one commit for each move of the pointer. */
const MOST_COMMITS = 10_000;

export class SharedUndo implements UndoStack {
  /** Incremented whenever what can be undone or redone changes. */
  version = 0;
  private readonly binding: Binding;
  private readonly manager: UndoManager;
  private readonly done: Item[] = [];
  private readonly undone: Item[] = [];
  /** The step that the next commit belongs to. */
  private current = unlabelled(0);
  private lastStep = 0;
  private key: string | undefined;
  private depth = 0;
  private isReplaying = false;
  private isClosed = false;

  constructor(doc: LoroDoc, binding: Binding) {
    this.binding = binding;
    this.manager = new UndoManager(doc, {
      mergeInterval: 0,
      maxUndoSteps: MOST_COMMITS,
      excludeOriginPrefixes: notUndone,
      onPush: (isUndo) => {
        if (isUndo && !this.isReplaying) this.undone.length = 0;
        const stack = isUndo ? this.done : this.undone;
        stack.push(this.isReplaying ? this.current : { ...this.current, crossed: new Map(binding.crossed) });
        if (stack.length > MOST_COMMITS) stack.shift();
        this.version++;
        return { value: null, cursors: [] };
      },
      onPop: (isUndo) => {
        this.current = (isUndo ? this.done : this.undone).pop() ?? this.current;
        this.version++;
      },
    });
  }

  get canUndo(): boolean {
    return !this.isClosed && this.manager.canUndo();
  }

  get canRedo(): boolean {
    return !this.isClosed && this.manager.canRedo();
  }

  /** The labels of the steps that can be undone, the next one first. */
  get undoLabels(): readonly string[] {
    return labelsOf(this.done);
  }

  /** The labels of the steps that can be redone, the next one first. */
  get redoLabels(): readonly string[] {
    return labelsOf(this.undone);
  }

  /**
   * Undoes the last step of this program that still has an effect. Returns whether there was one.
   *
   * @throws HistoryConflictError when others moved an entity meanwhile that the step would put below itself; nothing has changed then.
   */
  undo(): boolean {
    return this.replay("undo", this.done);
  }

  /**
   * Redoes the last undone step. Returns whether there was one.
   *
   * @throws HistoryConflictError as `undo` does.
   */
  redo(): boolean {
    return this.replay("redo", this.undone);
  }

  /**
   * Runs `fn` and makes one step of its changes. Consecutive steps with the same key are joined.
   *
   * @throws InvalidCollabError; AsyncTransactionError when `fn` returns a promise: its changes until then are in the step,
   * later ones are not.
   */
  step<Result>(label: string, fn: () => Result, options: StepOptions = {}): Result {
    if (typeof fn !== "function") {
      throw new InvalidCollabError(
        `Cannot make the step "${label}": the work is a function, got ${describeValue(fn)}.`,
        { value: fn },
      );
    }
    if (this.isClosed) {
      throw new InvalidCollabError(
        `Cannot record the step "${label}": the session has ended. Edit the world itself, or join again.`,
        { subject: label },
      );
    }
    if (this.depth > 0) return requireSync(label, fn());
    this.begin(label, options.key);
    this.depth++;
    try {
      return requireSync(label, fn());
    } finally {
      this.depth--;
      this.binding.flush();
      this.current = unlabelled(this.current.step + 0.5);
    }
  }

  /** The same, all or nothing: changes of `fn` are rolled back when it throws. */
  transaction<Result>(label: string, fn: () => Result, options: StepOptions = {}): Result {
    return this.step(label, () => transaction(this.binding.shared.world, fn), options);
  }

  /** The next step with the same key does not join the last one. */
  seal(): void {
    this.key = undefined;
  }

  /** Forgets all steps. */
  clear(): void {
    if (this.isClosed) return;
    this.binding.flush();
    this.manager.clear();
    this.done.length = 0;
    this.undone.length = 0;
    this.seal();
    this.version++;
  }

  /** @internal */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.done.length = 0;
    this.undone.length = 0;
    this.version++;
    this.manager.free();
  }

  private begin(label: string, key: string | undefined): void {
    // Changes outside of steps are a step of their own.
    const isOutside = this.binding.flush();
    const isJoined = key !== undefined && key === this.key && !isOutside;
    this.key = key;
    if (!isJoined) this.lastStep++;
    this.current = { ...unlabelled(this.lastStep), label };
  }

  private replay(direction: "undo" | "redo", stack: Item[]): boolean {
    if (this.isClosed) return false;
    this.binding.flush();
    this.seal();
    const { document } = this.binding.shared;
    let isChanged = false;
    this.isReplaying = true;
    try {
      while (stack.length > 0 && !isChanged) {
        this.replayStep(direction, stack);
        // A step about entities that others deleted meanwhile is undone outside of the scene, and the previous step follows.
        isChanged = document.isAffected;
      }
    } finally {
      this.isReplaying = false;
      this.current = unlabelled(++this.lastStep);
      this.binding.receive(true);
    }
    return isChanged;
  }

  /** Replays the commits of the next step: all of them, or none. */
  private replayStep(direction: "undo" | "redo", stack: Item[]): void {
    const { manager } = this;
    const { label, step } = stack.at(-1) as Item;
    let count = 0;
    try {
      for (let left = stack.length; stack.at(-1)?.step === step; left = stack.length) {
        this.binding.hide((stack.at(-1) as Item).crossed);
        manager[direction]();
        count++;
        // The engine has nothing left: entries here without a counterpart are dropped.
        if (stack.length === left) stack.length = 0;
      }
    } catch (cause) {
      // The engine refused one commit completely.
      for (; count > 0; count--) manager[direction === "undo" ? "redo" : "undo"]();
      throw new HistoryConflictError(
        `Cannot ${direction} "${label}": others moved entities meanwhile, and one would come below itself. It is possible again once they are elsewhere; clear() forgets the steps.`,
        { subject: label, cause },
      );
    }
  }
}

function requireSync<Result>(label: string, result: Result): Result {
  if (typeof (Object(result) as { then?: unknown }).then !== "function") return result;
  throw new AsyncTransactionError(
    `Cannot wait for a promise inside the step "${label}": others would edit meanwhile. Do the waiting before it.`,
  );
}

function labelsOf(items: readonly Item[]): string[] {
  const labels: string[] = [];
  for (let k = items.length - 1; k >= 0; k--)
    if (items[k]?.step !== items[k + 1]?.step) labels.push((items[k] as Item).label);
  return labels;
}
