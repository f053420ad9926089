/**
 * The options of a history.
 */
import { describeValue } from "../../ecs/internal.ts";
import { InvalidHistoryError } from "../errors.ts";

/** Options of `createHistory`. */
export interface HistoryOptions {
  /** The most steps that can be undone; the oldest are given up. No limit if left out. */
  readonly maxSteps?: number;
  /**
   * The most memory for what is recorded, 64 MiB if left out. The oldest steps are given up; one that alone is larger
   * cannot be undone. Strings and objects count as references.
   */
  readonly maxBytes?: number;
  /**
   * Whether to record what happens outside of steps too (the default): it gathers in a step without a label. Without,
   * it costs nothing there, and undo throws `HistoryConflictError` where such a change stands in its way.
   */
  readonly implicit?: boolean;
}

/** Options of one step. */
export interface StepOptions {
  /** A step joins the one before it when both have this key and nothing happened between them: all moves of one drag. */
  readonly key?: string;
}

/** What `createHistory` and its steps take. */
export const historyOptions = { maxSteps: "anything", maxBytes: "anything", implicit: "boolean" } as const;
export const stepOptions = { key: "string" } as const;

export const DEFAULT_BYTES = 64 * 2 ** 20;

/** @throws InvalidHistoryError */
export function requireLimit(what: string, value: number): number {
  if (typeof value === "number" && value >= 1) return value;
  throw new InvalidHistoryError(
    `Cannot create a history with ${what} ${describeValue(value)}. Give a number of at least 1, or leave it out.`,
    { option: what, value },
  );
}
