/**
 * Verbs of scenes: find, create, move, set and all other edits, each a transaction with a diff, a dry run and an undo of its own.
 *
 * @packageDocumentation
 */

export type { AddComponentParameters } from "./calls/add-component.ts";
export type { AlignParameters } from "./calls/align.ts";
export type { ApplyParameters } from "./calls/apply.ts";
export type { CreateParameters } from "./calls/create.ts";
export type { DeleteParameters } from "./calls/delete.ts";
export type { DuplicateParameters } from "./calls/duplicate.ts";
export type { FindParameters } from "./calls/find.ts";
export type { GetParameters } from "./calls/get.ts";
export type { GroupParameters } from "./calls/group.ts";
export type { InsertParameters } from "./calls/insert.ts";
export type { InstantiateParameters } from "./calls/instantiate.ts";
export type { LogParameters } from "./calls/log.ts";
export type { MakeInstanceParameters } from "./calls/make-instance.ts";
export type { MakePrefabParameters } from "./calls/make-prefab.ts";
export type { Placement } from "./calls/placement.ts";
export type { RemoveComponentParameters } from "./calls/remove-component.ts";
export type { RenameParameters } from "./calls/rename.ts";
export type { ReorderParameters } from "./calls/reorder.ts";
export type { ReparentParameters } from "./calls/reparent.ts";
export type { ReplacePrefabParameters } from "./calls/replace-prefab.ts";
export type { RevertParameters } from "./calls/revert.ts";
export type { RewriteParameters } from "./calls/rewrite.ts";
export type { SetParameters } from "./calls/set.ts";
export type { ShowParameters } from "./calls/show.ts";
export type { UndoParameters } from "./calls/undo.ts";
export type { UnpackParameters } from "./calls/unpack.ts";
export type { UnsetParameters } from "./calls/unset.ts";
export type { Change, ChangeKind } from "./changes/change.ts";
export type { FileDelta } from "./changes/file-delta.ts";
export { printChanges } from "./changes/print-changes.ts";
export { compareScenes } from "./compare-scenes.ts";
export {
  type DocumentOptions,
  type DocumentSpaces,
  openSceneDocument,
  type SceneDocument,
} from "./document.ts";
export type { Edit, PrefabTexts, VerbStep } from "./edit.ts";
export { VerbError, type VerbErrorCode } from "./errors.ts";
export type { ParameterSchema, ParameterSchemas, ParameterType } from "./parameters/schema.ts";
export { verbSchema } from "./parameters/verb-schema.ts";
export { pickChanges } from "./pick-changes.ts";
export { type RunOptions, runBatch, runVerb, type VerbResult } from "./run-verb.ts";
export { type VerbName, type VerbParameters, verbNamed, verbs } from "./table.ts";
export type { AnyVerb, Verb, VerbContext, VerbWarning } from "./verb.ts";
export type { FileEdit } from "./waiting-edits.ts";
