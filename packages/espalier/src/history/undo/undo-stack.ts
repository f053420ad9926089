/**
 * What tools need for undo and redo, independent of what stores the steps.
 */
import type { StepOptions } from "./options.ts";

/**
 * Steps that can be undone and redone. `createHistory` creates one for a world in one process; a session that several people share
 * provides another, in which each person undoes their own edits. Tools that use this interface work with both.
 *
 * @example
 * ```ts
 * const history = createHistory(world);
 * history.step("Spawn", () => world.spawn());
 * history.canUndo ? `Undo ${history.undoLabels[0]}` : "Undo"; // → "Undo Spawn"
 * ```
 */
export interface UndoStack {
  /** Increases whenever what can be undone or redone changes. */
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
  /** Redoes the last undone step; `false` when there is none. */
  redo(): boolean;
  /** Runs `fn` and makes one step of what it changes. */
  step<Result>(label: string, fn: () => Result, options?: StepOptions): Result;
  /** `step`, all or nothing: when `fn` throws, all its changes are rolled back and there is no step. */
  transaction<Result>(label: string, fn: () => Result, options?: StepOptions): Result;
  /** Makes the next step a new one, even if it has the key of the last one. */
  seal(): void;
  /** Forgets all steps; their changes stay. */
  clear(): void;
}
