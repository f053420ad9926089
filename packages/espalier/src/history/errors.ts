/**
 * Every error this room throws. When one is thrown, nothing has changed.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about undo, transactions, snapshots and patches. */
export class HistoryError extends EspalierError {
  override get name(): string {
    return "HistoryError";
  }
}

/** The call is not possible now: a step or a transaction is open, or none is. */
export class HistoryBusyError extends HistoryError {
  override get name(): string {
    return "HistoryBusyError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/busy", message, facts);
  }
}

/** The world has a history already. */
export class DuplicateHistoryError extends HistoryError {
  override get name(): string {
    return "DuplicateHistoryError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/duplicate", message, facts);
  }
}

/** A function that was to finish at once returned a promise. */
export class AsyncTransactionError extends HistoryError {
  override get name(): string {
    return "AsyncTransactionError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/async", message, facts);
  }
}

/** Undone steps did not fit into the memory limit of the history, so they cannot be redone. */
export class StepDroppedError extends HistoryError {
  override get name(): string {
    return "StepDroppedError";
  }
  /** How many undone steps were dropped. */
  declare readonly steps: number;
  constructor(message: string, facts: FactsOf<StepDroppedError, "steps">) {
    super("history/step-dropped", message, facts);
  }
}

/** Something that was not recorded blocks undo or restore; `cause` is the error. */
export class HistoryConflictError extends HistoryError {
  override get name(): string {
    return "HistoryConflictError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/conflict", message, facts);
  }
}

/** An option or argument that cannot work. */
export class InvalidHistoryError extends HistoryError {
  override get name(): string {
    return "InvalidHistoryError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/invalid-options", message, facts);
  }
}

/** A value that cannot be written into a snapshot or a patch. */
export class UnsupportedValueError extends HistoryError {
  override get name(): string {
    return "UnsupportedValueError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/unsupported-value", message, facts);
  }
}

/** Data that does not encode a value: of an unknown kind, too deep, or containing itself. */
export class InvalidDataError extends HistoryError {
  override get name(): string {
    return "InvalidDataError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/invalid-data", message, facts);
  }
}

/** The buffer is not a snapshot, or was damaged in transit. */
export class DamagedSnapshotError extends HistoryError {
  override get name(): string {
    return "DamagedSnapshotError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/damaged-snapshot", message, facts);
  }
}

/** The snapshot was written by a later version of the library. */
export class SnapshotVersionError extends HistoryError {
  override get name(): string {
    return "SnapshotVersionError";
  }
  /** The version of the format that the snapshot has. */
  declare readonly version: number;
  constructor(message: string, facts: FactsOf<SnapshotVersionError, "version">) {
    super("history/snapshot-version", message, facts);
  }
}

/** The snapshot or patch refers to a component, a field, a hierarchy or a resource that this world does not have. */
export class SnapshotMismatchError extends HistoryError {
  override get name(): string {
    return "SnapshotMismatchError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/snapshot-mismatch", message, facts);
  }
}

/** The patch contradicts itself or does not fit the world. */
export class InvalidPatchError extends HistoryError {
  override get name(): string {
    return "InvalidPatchError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/invalid-patch", message, facts);
  }
}

/** Bytes that are not a complete encoded batch. */
export class DamagedBatchError extends HistoryError {
  override get name(): string {
    return "DamagedBatchError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/damaged-batch", message, facts);
  }
}

/** A batch and the format do not match: different components, fields, hierarchies or versions. */
export class FormatMismatchError extends HistoryError {
  override get name(): string {
    return "FormatMismatchError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/format-mismatch", message, facts);
  }
}

/** The requested changes were dropped, or never existed. */
export class ChangesLostError extends HistoryError {
  override get name(): string {
    return "ChangesLostError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("history/changes-lost", message, facts);
  }
}

/** Two items of a list, or two entities, have the same key. */
export class DuplicateKeyError extends HistoryError {
  override get name(): string {
    return "DuplicateKeyError";
  }
  /** The duplicate key. */
  declare readonly key: string | number;
  constructor(message: string, facts: FactsOf<DuplicateKeyError, "key">) {
    super("history/duplicate-key", message, facts);
  }
}

/** The message of another error, as a part of a message. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
