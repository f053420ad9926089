/**
 * Every error this room throws. When one is thrown, nothing has changed.
 */
import { type Entity, EspalierError } from "../ecs/index.ts";

/** Base of the errors about undo, transactions, snapshots and patches. */
export class HistoryError extends EspalierError {
  override get name(): string {
    return "HistoryError";
  }
}

/** The call does not fit what is going on: a step or a transaction is open, or none is. */
export class HistoryBusyError extends HistoryError {
  override get name(): string {
    return "HistoryBusyError";
  }
  constructor(message: string) {
    super("history/busy", message);
  }
}

/** The world has a history already. */
export class DuplicateHistoryError extends HistoryError {
  override get name(): string {
    return "DuplicateHistoryError";
  }
  constructor(message: string) {
    super("history/duplicate", message);
  }
}

/** A function that was to finish at once returned a promise. */
export class AsyncTransactionError extends HistoryError {
  override get name(): string {
    return "AsyncTransactionError";
  }
  constructor(message: string) {
    super("history/async", message);
  }
}

/** Something that was not recorded stands in the way of undo or restore; `cause` is what refused. */
export class HistoryConflictError extends HistoryError {
  override get name(): string {
    return "HistoryConflictError";
  }
  constructor(message: string, entities: readonly Entity[], cause?: unknown) {
    super("history/conflict", message, entities, cause === undefined ? undefined : { cause });
  }
}

/** An option or argument that cannot work. */
export class InvalidHistoryError extends HistoryError {
  override get name(): string {
    return "InvalidHistoryError";
  }
  constructor(message: string) {
    super("history/invalid-options", message);
  }
}

/** A value that cannot be written into a snapshot or a patch. */
export class UnsupportedValueError extends HistoryError {
  override get name(): string {
    return "UnsupportedValueError";
  }
  constructor(message: string, entities: readonly Entity[] = []) {
    super("history/unsupported-value", message, entities);
  }
}

/** Data that no value is written as: of an unknown kind, too deep, or containing itself. */
export class InvalidDataError extends HistoryError {
  override get name(): string {
    return "InvalidDataError";
  }
  constructor(message: string) {
    super("history/invalid-data", message);
  }
}

/** The buffer is not a snapshot, or was damaged in transit. */
export class DamagedSnapshotError extends HistoryError {
  override get name(): string {
    return "DamagedSnapshotError";
  }
  constructor(message: string) {
    super("history/damaged-snapshot", message);
  }
}

/** The snapshot was written by a later version of the library. */
export class SnapshotVersionError extends HistoryError {
  override get name(): string {
    return "SnapshotVersionError";
  }
  /** The version of the format that the snapshot has. */
  readonly version: number;
  constructor(version: number, message: string) {
    super("history/snapshot-version", message);
    this.version = version;
  }
}

/** The snapshot or patch speaks of a component, a field, a hierarchy or a resource that this world has not. */
export class SnapshotMismatchError extends HistoryError {
  override get name(): string {
    return "SnapshotMismatchError";
  }
  constructor(message: string) {
    super("history/snapshot-mismatch", message);
  }
}

/** The patch contradicts itself or does not fit the world. */
export class InvalidPatchError extends HistoryError {
  override get name(): string {
    return "InvalidPatchError";
  }
  constructor(message: string) {
    super("history/invalid-patch", message);
  }
}

/** The changes that were asked for are gone, or never were. */
export class ChangesLostError extends HistoryError {
  override get name(): string {
    return "ChangesLostError";
  }
  constructor(message: string) {
    super("history/changes-lost", message);
  }
}

/** Two items of a list, or two entities, have the same key. */
export class DuplicateKeyError extends HistoryError {
  override get name(): string {
    return "DuplicateKeyError";
  }
  /** The key that is there twice. */
  readonly key: string | number;
  constructor(key: string | number, message: string, entities: readonly Entity[] = []) {
    super("history/duplicate-key", message, entities);
    this.key = key;
  }
}

/** What another error says, as a part of a message. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
