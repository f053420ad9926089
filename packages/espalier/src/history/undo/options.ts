/**
 * The options of a history.
 */
import { describeValue } from "../../ecs/internal.ts";
import { InvalidHistoryError } from "../errors.ts";

/** Options of `createHistory`. */
export interface HistoryOptions {
  /** The maximum number of steps that can be undone; the oldest are dropped. No limit if left out. */
  readonly maxSteps?: number;
  /**
   * The maximum memory for records, 64 MiB if left out. The oldest steps are dropped; a single step that is larger
   * cannot be undone. Strings and objects count as references.
   */
  readonly maxBytes?: number;
  /**
   * Whether to also record changes outside of steps (the default): they are collected in a step without a label. Otherwise
   * they cost nothing, and undo throws `HistoryConflictError` where such a change blocks it.
   */
  readonly implicit?: boolean;
}

/** Options of one step. */
export interface StepOptions {
  /** A step joins the previous one when both have this key and nothing changed in between: all moves of one drag. */
  readonly key?: string;
}

/** The options of `createHistory` and of steps. */
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
