/** What other rooms of this package use of `ecs`. Not published. */

export type { Archetype } from "./archetypes/archetype.ts";
export { complete } from "./bundles/complete.ts";
export {
  refuseArgument,
  requireFunction,
  requireList,
  requireNumber,
  requireObject,
  requireText,
} from "./checks/arguments.ts";
export { checkOptions, needCheck, type OptionKinds } from "./checks/check-options.ts";
export { provideCheck } from "./checks/findings.ts";
export { distance } from "./checks/nearest-name.ts";
export { shortText } from "./checks/short-text.ts";
export { isBufferOf } from "./commands/commands.ts";
export type { Columns } from "./components/access.ts";
export { InitValues, initOf } from "./components/component.ts";
export {
  atLeast,
  decodeValue,
  defaultOf,
  describeValue,
  encodeValue,
  type Field,
  initialValue,
  isPacked,
  misfit,
} from "./components/fields.ts";
export type { ExternalMemory, ExternalStorage, Store } from "./components/store.ts";
export { checkForEntity, storeOfInit } from "./components/validate.ts";
export { createLastingView } from "./components/view.ts";
export type { View } from "./components/view-prototype.ts";
export { DEVELOPMENT } from "./development.ts";
export { GENERATION_STEP, heldId, INDEX_MASK, isHandle } from "./entities/entity.ts";
export { giveBackRoom } from "./entities/give-back-room.ts";
export { handleIn, handlesIn } from "./entities/handle-in.ts";
export { ARCHETYPE, ROW } from "./entities/index-record.ts";
export { type IndexState, readIndexState } from "./entities/index-state.ts";
export { type HeldRefs, withoutTargets } from "./field-types/entity-refs.ts";
export { numberToText } from "./field-types/float.ts";
export { fieldTypeOf, fieldTypes, isKind } from "./field-types/list.ts";
export { grown } from "./grown.ts";
export { IndexList } from "./index-list.ts";
export { runBeforeEdit } from "./listeners/before-edit.ts";
export { notifyCapture, notifyRestored } from "./listeners/captures.ts";
export { ChangeLog, ChangeReader, type LogMark, markLogs, rewindLogs } from "./listeners/changes.ts";
export type { Reversible, RoomHooks } from "./listeners/hooks.ts";
export { asOneCall, asOneCallOrNone, endlessNotices, type Notice, settle } from "./listeners/notices.ts";
export { runRemoving } from "./listeners/notify.ts";
export { observing } from "./listeners/run-observers.ts";
export { addOne, addRows, removeOne, removeRows } from "./mutate/change-components.ts";
export {
  archetypeOfNew,
  createReserved,
  type RawValues,
  releaseReserved,
  reserveHandle,
  revive,
  reviveRaw,
  spawn,
  spawnChecked,
} from "./mutate/create.ts";
export { destroyAlone, destroyEach, letGo, overrule, runDestroyingOf } from "./mutate/destroy.ts";
export { makeDefaults } from "./mutate/start-values.ts";
export { assign, written } from "./mutate/write.ts";
export { provideComputed } from "./queries/computed.ts";
export type { ChangeRecords, RecordReader } from "./record/change-records.ts";
export { recordsOf, writtenField } from "./record/change-records.ts";
export { type CopyParts, partsOf, readCopy } from "./record/column-copy.ts";
export * from "./record/kinds.ts";
export { playBack } from "./record/play-back.ts";
export { recordSize } from "./record/record-size.ts";
export { type Mark, type Records, Tape } from "./record/tape.ts";
export {
  addRaw,
  removeRaw,
  setArchetypeOrder,
  setIndexState,
  setRows,
  writeRaw,
} from "./record/write-raw.ts";
export { announce, claim, extend, followComponent, type Owner } from "./rooms.ts";
export type { WorldState } from "./state.ts";
export { isWorld, stateOf } from "./world.ts";
