/**
 * Entities, components, queries. Knows no trees.
 *
 * @packageDocumentation
 */

export { type TableRow, toTable } from "./archetypes/table.ts";
export type { AssetBytes, AssetFile, AssetKind, AssetNeed, LoadedAsset } from "./assets.ts";
export { type Bundle, type BundleValues, bundle } from "./bundles/bundle.ts";
export { checkWorld } from "./checks/check.ts";
export { checkOptions, type OptionKind, type OptionKinds } from "./checks/check-options.ts";
export {
  type ArgumentKind,
  type ArgumentTest,
  type ExpectedArgument,
  expectArguments,
  explainThrown,
} from "./checks/expect-arguments.ts";
export { type CheckSource, type Finding, registerCheck } from "./checks/findings.ts";
export {
  type ComponentInfo,
  type InspectedComponent,
  type InspectedValue,
  type Inspection,
  inspect,
  listComponents,
  listQueries,
  type QueryInfo,
} from "./checks/inspect.ts";
export { nearestName } from "./checks/nearest-name.ts";
export type { CustomCommand } from "./commands/command-list.ts";
export { type Commands, type CommandsOptions, createCommands } from "./commands/commands.ts";
export { type FlushResult, flush, type RefusedCommand, type SkippedCommand } from "./commands/flush.ts";
export {
  type AnyBundle,
  type AnyBundleInit,
  type AnyComponent,
  type AnyInit,
  type Component,
  type ComponentInit,
  type ComponentOptions,
  component,
  type Init,
  isBundle,
  isComponent,
  isTag,
  Props,
  type Requirements,
  type Resource,
  resource,
  type Tag,
  Transient,
  tag,
} from "./components/component.ts";
export {
  type Column,
  type ColumnsOf,
  describeValue,
  type Field,
  type FieldKind,
  type FieldType,
  type FieldValue,
  type FlatSchema,
  finite,
  type InputOf,
  type IntegerKind,
  named,
  type Schema,
  type SchemaInput,
  type ValueKind,
  type ValueOf,
} from "./components/fields.ts";
export { type SharedStorage, shared } from "./components/shared.ts";
export { DEVELOPMENT } from "./development.ts";
export {
  type Entity,
  type EntityHolder,
  type EntityLike,
  formatEntity,
  generationOf,
  indexOf,
  MAX_ENTITIES,
} from "./entities/entity.ts";
export {
  AmbiguousOrderError,
  ClosedReaderError,
  CommandError,
  DeadEntityError,
  DisposedWorldError,
  DuplicateComponentError,
  EntityLimitError,
  type ErrorFacts,
  EspalierError,
  type FactsOf,
  ForeignEntityError,
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
  NestedEditError,
  ObserverError,
  QueryError,
  ReferencedEntityError,
  RelationError,
  ReservedComponentError,
  ScheduleCycleError,
  ScheduleError,
  StructureLockedError,
  SystemError,
  UnknownComponentError,
} from "./errors.ts";
export { type AssetField, asset } from "./field-types/asset.ts";
export { bool } from "./field-types/bool.ts";
export { type EnumField, enumOf } from "./field-types/enum.ts";
export { f32 } from "./field-types/f32.ts";
export { f64 } from "./field-types/f64.ts";
export { i8 } from "./field-types/i8.ts";
export { i16 } from "./field-types/i16.ts";
export { i32 } from "./field-types/i32.ts";
export { i53 } from "./field-types/i53.ts";
export { fieldTypeOf } from "./field-types/list.ts";
export { object } from "./field-types/object.ts";
export { string } from "./field-types/string.ts";
export { u8 } from "./field-types/u8.ts";
export { u16 } from "./field-types/u16.ts";
export { u32 } from "./field-types/u32.ts";
export { type FieldGroup, vec2, vec3 } from "./field-types/vectors.ts";
export type { ChangeKind, ChangeReader, Changes } from "./listeners/changes.ts";
export { changesOf } from "./listeners/changes-of.ts";
export { type EventReader, type ReaderOptions, readInOrder } from "./listeners/event-reader.ts";
export type { ChannelOptions, EventStream, PackedOptions } from "./listeners/event-ring.ts";
export {
  createChannel,
  createPackedChannel,
  type EventChannel,
  type EventHold,
  holdEvents,
  lastSequence,
  type PackedChannel,
} from "./listeners/events.ts";
export { guard, guardWrites, observe, observeCapture, observeEntities } from "./listeners/listen.ts";
export type {
  CaptureObserver,
  EntityObserver,
  Guard,
  Observer,
  ObserverOptions,
  WriteGuard,
} from "./listeners/observers.ts";
export { addAll, destroyAll, removeAll } from "./mutate/bulk.ts";
export { added, type ChangeTerm, changed, removed } from "./queries/change-terms.ts";
export { compileLoop, type LoopArrays, type LoopFactory } from "./queries/compile-loop.ts";
export { type ComputedSource, registerComputed } from "./queries/computed.ts";
export type { Query, QueryArgument } from "./queries/query.ts";
export { type SortBy, type SortedQuery, sortedQuery } from "./queries/sorted-query.ts";
export {
  any,
  type ComputedMemory,
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
} from "./queries/terms.ts";
export { type RelationCommands, relationCommands } from "./relations/commands.ts";
export {
  type EntityRefsField,
  type EntityRefsOptions,
  entityRef,
  entityRefs,
  type IndexedRefOptions,
  indexedRef,
  type MultiPolicy,
  type Pair,
  type PairData,
  type PairSchema,
  type SinglePolicy,
} from "./relations/entity-ref.ts";
export {
  addTarget,
  hasTarget,
  type MultiFields,
  type PairDataOf,
  type PairOf,
  pairOf,
  pairsOf,
  type ReferenceFields,
  referrerCount,
  referrersOf,
  removeTarget,
  type SingleFields,
  setPair,
  setTarget,
  targetsOf,
} from "./relations/targets.ts";
export { type OtherSide, referredBy, refersTo } from "./relations/terms.ts";
export type { Owner } from "./rooms.ts";
export { allOf, anyOf, noneOf, resourceIs } from "./schedule/conditions.ts";
export type { FixedStepOptions, FixedStepState } from "./schedule/fixed-step.ts";
export type { PhaseOptions } from "./schedule/phases.ts";
export {
  componentsOfPlugins,
  installPlugin,
  type PluginDefinition,
  type PluginOptions,
  type PluginResource,
  plugin,
  pluginsOf,
  startWith,
} from "./schedule/plugin.ts";
export {
  createSchedule,
  type Schedule,
  type ScheduleOptions,
  type SystemInfo,
  type SystemTiming,
} from "./schedule/schedule.ts";
export type { RunCondition, SystemAccess, SystemContext, SystemOptions } from "./schedule/system.ts";
export type { SystemSetInfo, SystemSetOptions } from "./schedule/system-set.ts";
export type { WorldOptions } from "./state.ts";
export { claimComponent, createWorld, handleOf, requireAlive, type World } from "./world.ts";
