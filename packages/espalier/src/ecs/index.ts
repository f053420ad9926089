/** Entities, components, queries. Knows no trees. */
export type { ChangeKind, ChangeReader, Changes } from "./changes.ts";
export { checkWorld } from "./check.ts";
export type { CustomCommand } from "./command-list.ts";
export { type Commands, type CommandsOptions, createCommands } from "./commands.ts";
export { compileLoop, type LoopArrays, type LoopFactory } from "./compile-loop.ts";
export {
  type AnyComponent,
  type AnyInit,
  type Component,
  type ComponentInit,
  type ComponentOptions,
  component,
  type Init,
  isComponent,
  isTag,
  Props,
  type Resource,
  resource,
  type Tag,
  Transient,
  tag,
} from "./component.ts";
export {
  type Entity,
  formatEntity,
  generationOf,
  indexOf,
  MAX_ENTITIES,
} from "./entity.ts";
export {
  AmbiguousOrderError,
  ClosedReaderError,
  CommandError,
  DeadEntityError,
  DisposedWorldError,
  DuplicateComponentError,
  EntityLimitError,
  EspalierError,
  InternalError,
  InvalidEntityError,
  InvalidOptionError,
  InvalidSchemaError,
  InvalidValueError,
  MissedEventsError,
  MissingComponentError,
  MissingResourceError,
  MissingRoomError,
  ObserverError,
  QueryError,
  ReservedComponentError,
  ScheduleCycleError,
  ScheduleError,
  StructureLockedError,
  SystemError,
  UnknownComponentError,
} from "./errors.ts";
export { type EventReader, type ReaderOptions, readInOrder } from "./event-reader.ts";
export {
  type ChannelOptions,
  createChannel,
  createPackedChannel,
  type EventChannel,
  type EventHold,
  holdEvents,
  lastSequence,
  type PackedChannel,
  type PackedOptions,
} from "./events.ts";
export { bool } from "./field-types/bool.ts";
export { entityRef } from "./field-types/entity-ref.ts";
export { type EnumField, enumOf } from "./field-types/enum.ts";
export { f32 } from "./field-types/f32.ts";
export { f64 } from "./field-types/f64.ts";
export { i8 } from "./field-types/i8.ts";
export { i16 } from "./field-types/i16.ts";
export { i32 } from "./field-types/i32.ts";
export { i53 } from "./field-types/i53.ts";
export { object } from "./field-types/object.ts";
export { string } from "./field-types/string.ts";
export { u8 } from "./field-types/u8.ts";
export { u16 } from "./field-types/u16.ts";
export { u32 } from "./field-types/u32.ts";
export { type FieldGroup, vec2, vec3 } from "./field-types/vectors.ts";
export {
  type Column,
  type ColumnsOf,
  describeValue,
  type Field,
  type FieldKind,
  type FieldType,
  type FieldValue,
  type FlatSchema,
  fieldTypeOf,
  finite,
  type InputOf,
  type IntegerKind,
  named,
  type Schema,
  type SchemaInput,
  type ValueKind,
  type ValueOf,
} from "./fields.ts";
export type { FixedStepOptions, FixedStepState } from "./fixed-step.ts";
export { type FlushResult, flush, type RefusedCommand, type SkippedCommand } from "./flush.ts";

export {
  type ComponentInfo,
  type ComputedSource,
  type InspectedComponent,
  type InspectedValue,
  type Inspection,
  inspect,
  listComponents,
  listQueries,
  type QueryInfo,
  registerComputed,
} from "./inspect.ts";
export type {
  CaptureObserver,
  EntityObserver,
  Guard,
  Observer,
  ObserverOptions,
  WriteGuard,
} from "./observers.ts";
export type { Query } from "./query.ts";
export type { Owner } from "./rooms.ts";
export {
  createSchedule,
  type PhaseOptions,
  type Schedule,
  type ScheduleOptions,
  type SystemInfo,
  type SystemTiming,
} from "./schedule.ts";
export type { WorldOptions } from "./state.ts";
export type { RunCondition, SystemAccess, SystemContext, SystemOptions } from "./system.ts";
export type { TableRow } from "./table.ts";
export {
  any,
  type ComputedTerm,
  type FilterTerm,
  not,
  optional,
  type RelatedTerm,
  related,
  type Term,
  type ViewsOf,
  where,
} from "./terms.ts";
export { claimComponent, createWorld, requireAlive, type World } from "./world.ts";
