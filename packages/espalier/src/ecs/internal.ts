/** What other rooms of this package use of `ecs`. Not published. */
export type { Columns } from "./access.ts";
export type { Archetype } from "./archetype.ts";
export {
  refuseArgument,
  requireFunction,
  requireList,
  requireNumber,
  requireObject,
  requireText,
} from "./arguments.ts";
export { addOne, removeOne } from "./change-components.ts";
export { ChangeLog, ChangeReader } from "./changes.ts";
export { checkOptions, type OptionKinds } from "./check-options.ts";
export { InitValues, initOf } from "./component.ts";
export { provideComputed } from "./computed.ts";
export { breakPromise, keepPromise, promise, type RawValues, revive, reviveRaw, spawn } from "./create.ts";
export { destroyAlone } from "./destroy.ts";
export { GENERATION_STEP, INDEX_MASK, isHandle } from "./entity.ts";
export { numberToText } from "./field-types/float.ts";
export { fieldTypes } from "./field-types/list.ts";
export {
  decodeValue,
  defaultOf,
  describeValue,
  encodeValue,
  type Field,
  fieldTypeOf,
  initialValue,
  isKind,
  isPacked,
  misfit,
} from "./fields.ts";
export { IndexList, type Reversible, type RoomHooks } from "./hooks.ts";
export { tellCapture, tellRestored } from "./notify.ts";
export { ARCHETYPE, ROW } from "./place-record.ts";
export { type Places, readPlaces } from "./places.ts";
export type { ChangeRecords, RecordReader } from "./record/change-records.ts";
export { writtenField } from "./record/change-records.ts";
export { readCopy } from "./record/column-copy.ts";
export * from "./record/kinds.ts";
export { playBack } from "./record/play-back.ts";
export { recordSize } from "./record/record-size.ts";
export { type Mark, type Records, Tape } from "./record/tape.ts";
export { addRaw, removeRaw, setPlaces, setRows, writeRaw } from "./record/write-raw.ts";
export { announce, claim, extend, followComponent, isDying, type Owner } from "./rooms.ts";
export type { WorldState } from "./state.ts";
export type { ExternalMemory, ExternalStorage, Store } from "./store.ts";
export { checkForEntity, storeOfInit } from "./validate.ts";
export { createLastingView, type View } from "./view.ts";
export { isWorld, stateOf } from "./world.ts";
export { assign, written } from "./write.ts";
