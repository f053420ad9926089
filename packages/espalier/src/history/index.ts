/**
 * Changes as values: undo and redo, transactions, snapshots, differences.
 *
 * @packageDocumentation
 */

export {
  AsyncTransactionError,
  ChangesLostError,
  DamagedBatchError,
  DamagedSnapshotError,
  DuplicateHistoryError,
  DuplicateKeyError,
  FormatMismatchError,
  HistoryBusyError,
  HistoryConflictError,
  HistoryError,
  InvalidDataError,
  InvalidHistoryError,
  InvalidPatchError,
  SnapshotMismatchError,
  SnapshotVersionError,
  StepDroppedError,
  UnsupportedValueError,
} from "./errors.ts";
export { type AppliedPatch, applyPatch, type PatchOptions } from "./patch/apply-patch.ts";
export { type DiffOptions, diff } from "./patch/diff.ts";
export { expandColumns } from "./patch/expand-columns.ts";
export { createIdMap, type IdMap, type IdMapOptions } from "./patch/id-map.ts";
export type { KeyFunction, StateReader, StateSource } from "./patch/keyed-state.ts";
export type {
  AddEntry,
  ColumnsEntry,
  FieldValues,
  Key,
  MoveEntry,
  Patch,
  PatchEntry,
  RemoveEntry,
  RenameEntry,
  ReorderEntry,
  SetEntry,
  StreamPatch,
  TreePosition,
} from "./patch/patch.ts";
export { requirePatch } from "./patch/patch.ts";
export { type Reconciled, type ReconcileOptions, reconcile } from "./patch/reconcile.ts";
export { revive } from "./patch/revive.ts";
export type { Violation } from "./patch/rule-report.ts";
export type { RestoreOptions } from "./snapshot/restore.ts";
export { restoreSnapshot, type SnapshotOptions, takeSnapshot } from "./snapshot/snapshot.ts";
export type { AnyTree, StateOptions, WorldWithTrees } from "./state.ts";
export {
  type ChangeBatch,
  type ChangeStream,
  type ChangeStreamOptions,
  followChanges,
} from "./stream/change-stream.ts";
export { createFollower, type Follower, type FollowerOptions, type Received } from "./stream/follower.ts";
export {
  type ChangeFormat,
  type ChangeFormatOptions,
  createChangeFormat,
} from "./stream/format/change-format.ts";
export { createHistory, type UndoHistory } from "./undo/history.ts";
export type { HistoryOptions, StepOptions } from "./undo/options.ts";
export { isReplaying } from "./undo/recording.ts";
export { enableTransactions, transaction } from "./undo/transaction.ts";
export type { UndoStack } from "./undo/undo-stack.ts";
export { unrecorded } from "./undo/unrecorded.ts";
export { createVersions, type Versions } from "./undo/versions.ts";
export { fromJson, type Json, type ValueCodec } from "./values/value-codec.ts";
