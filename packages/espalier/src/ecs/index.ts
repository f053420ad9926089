/** Entities, components, queries. Knows no trees. */
export type { ChangeKind, ChangeReader, Changes } from "./changes.ts";
export { check } from "./check.ts";
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
  tag,
} from "./component.ts";
export { type ComputedSource, registerComputed } from "./computed.ts";
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
  InvalidArgumentError,
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
export {
  bool,
  type Column,
  type ColumnsOf,
  describeValue,
  entityRef,
  type Field,
  type FieldKind,
  type FieldValue,
  f32,
  f64,
  finite,
  type InputOf,
  type IntegerKind,
  i8,
  i16,
  i32,
  named,
  object,
  type Schema,
  string,
  u8,
  u16,
  u32,
  type ValueOf,
} from "./fields.ts";
export type { FixedStepOptions, FixedStepState } from "./fixed-step.ts";
export { type FlushResult, flush, type RefusedCommand, type SkippedCommand } from "./flush.ts";

export {
  type ComponentInfo,
  type InspectedComponent,
  type InspectedValue,
  type Inspection,
  inspect,
  listComponents,
  listQueries,
  type QueryInfo,
} from "./inspect.ts";
export type { EntityObserver, Guard, Observer, ObserverOptions } from "./observers.ts";
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
  type NarrowingTerm,
  not,
  optional,
  type RelatedTerm,
  related,
  type Term,
  type ViewsOf,
  where,
} from "./terms.ts";
export { claimComponent, createWorld, requireAlive, type World } from "./world.ts";
