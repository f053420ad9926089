/** Changes as values: undo and redo, transactions, snapshots, differences. */
export { applyPatch, type PatchOptions } from "./apply-patch.ts";
export {
  type ChangeBatch,
  type ChangeStream,
  type ChangeStreamOptions,
  followChanges,
} from "./change-stream.ts";
export { type DiffOptions, diff } from "./diff.ts";
export {
  AsyncTransactionError,
  ChangesLostError,
  DamagedSnapshotError,
  DuplicateHistoryError,
  DuplicateKeyError,
  HistoryBusyError,
  HistoryConflictError,
  HistoryError,
  InvalidDataError,
  InvalidHistoryError,
  InvalidPatchError,
  SnapshotMismatchError,
  SnapshotVersionError,
  UnsupportedValueError,
} from "./errors.ts";
export { createHistory, type History } from "./history.ts";
export type { KeyFunction, StateReader, StateSource } from "./keyed-state.ts";
export type { HistoryOptions, StepOptions } from "./options.ts";
export type {
  AddEntry,
  FieldValues,
  Key,
  MoveEntry,
  Patch,
  PatchEntry,
  PatchPlace,
  RemoveEntry,
  RenameEntry,
  ReorderEntry,
  SetEntry,
} from "./patch.ts";
export { requirePatch } from "./patch.ts";
export { type Reconciled, type ReconcileOptions, reconcile } from "./reconcile.ts";
export { isReplaying } from "./recording.ts";
export type { RestoreOptions } from "./restore.ts";
export { restoreSnapshot, type SnapshotOptions, takeSnapshot } from "./snapshot.ts";
export type { AnyTree, StateOptions, WorldWithTrees } from "./state.ts";
export { enableTransactions, transaction } from "./transaction.ts";
export { fromJson, type Json, type ValueCodec } from "./value-codec.ts";
export { createVersions, type Versions } from "./versions.ts";
