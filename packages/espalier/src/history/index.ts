/** Changes as values: undo and redo, transactions, snapshots, differences. */
export {
  AsyncTransactionError,
  DamagedSnapshotError,
  DuplicateHistoryError,
  DuplicateKeyError,
  HistoryBusyError,
  HistoryConflictError,
  HistoryError,
  InvalidHistoryError,
  InvalidPatchError,
  SnapshotMismatchError,
  SnapshotVersionError,
  UnsupportedValueError,
} from "./errors.ts";
export { createHistory, type History, type HistoryOptions, type StepOptions } from "./history.ts";
export { isReplaying } from "./recording.ts";
export { transaction } from "./transaction.ts";
