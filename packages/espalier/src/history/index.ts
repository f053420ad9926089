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
export { createHistory, type History } from "./history.ts";
export type { HistoryOptions, StepOptions } from "./options.ts";
export { isReplaying } from "./recording.ts";
export type { RestoreOptions } from "./restore.ts";
export { restoreSnapshot, type SnapshotOptions, takeSnapshot } from "./snapshot.ts";
export type { AnyTree, StateOptions } from "./state.ts";
export { transaction } from "./transaction.ts";
export type { ValueCodec } from "./value-codec.ts";
