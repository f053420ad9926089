/**
 * What tools need to undo and redo, whatever keeps the steps.
 */
import type { StepOptions } from "./options.ts";

/**
 * Steps that can be undone and redone. `createHistory` makes one for a world in one process; a session that several people share
 * offers another, in which each person undoes their own edits. Tools that use this interface work with both.
 *
 * @example
 * ```ts
 * const history = createHistory(world);
 * history.step("Spawn", () => world.spawn());
 * history.canUndo ? `Undo ${history.undoLabels[0]}` : "Undo"; // → "Undo Spawn"
 * ```
 */
export interface UndoStack {
  /** Grows whenever what can be undone or redone changes. */
  readonly version: number;
  /** Whether there is a step to undo. */
  readonly canUndo: boolean;
  /** Whether there is a step to redo. */
  readonly canRedo: boolean;
  /** The labels of what can be undone, next one first. */
  readonly undoLabels: readonly string[];
  /** The labels of what can be redone, next one first. */
  readonly redoLabels: readonly string[];
  /** Undoes the last step; `false` when there is none. */
  undo(): boolean;
  /** Does the last undone step again; `false` when there is none. */
  redo(): boolean;
  /** Runs `fn` and makes one step of what it changes. */
  step<Result>(label: string, fn: () => Result, options?: StepOptions): Result;
  /** `step`, all or nothing: when `fn` throws, everything it changed is taken back and there is no step. */
  transaction<Result>(label: string, fn: () => Result, options?: StepOptions): Result;
  /** The next step starts over, also when it has the key of the last one. */
  seal(): void;
  /** Forgets all steps; what they changed stays. */
  clear(): void;
}
