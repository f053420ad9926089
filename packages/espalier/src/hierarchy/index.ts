/** Parents and ordered children for entities. Knows nothing of space. */
export type { PlaceListener } from "./base.ts";
export { bubble } from "./bubble.ts";
export { check } from "./check.ts";
export { type HierarchyCommands, hierarchyCommands } from "./commands.ts";
export { compareOrder } from "./compare-order.ts";
export { componentsInChildren, componentsInParent, type EntityValue } from "./components-in.ts";
export { type Constraint, forbidOnChildren, requireOnParent } from "./constraints.ts";
export {
  EntityEvent,
  type EntityEventKind,
  type EntityEventOptions,
  type EventPhase,
  entityEvent,
  type PayloadArgument,
} from "./entity-event.ts";
export {
  createEntityEvents,
  type EntityEventHandler,
  type EntityEvents,
  type HandlerOptions,
} from "./entity-events.ts";
export {
  CircularHierarchyError,
  ConstraintError,
  DuplicateNameError,
  EntityEventError,
  EntityEventHandlerError,
  HierarchyError,
  HierarchyTooDeepError,
  InvalidEditError,
  InvalidHierarchyError,
  InvalidPathError,
  NotAChildError,
  TooManyChildrenError,
} from "./errors.ts";
export type {
  ChildAdded,
  ChildMoved,
  ChildRemoved,
  ChildrenReordered,
  HierarchyEvent,
  SubtreeWatcher,
} from "./events.ts";
export type { FlatOrder, SlotFollower } from "./flat-order.ts";
export { Ghost, hierarchyComponents, solidChildren, solidDescendants, solidParent } from "./ghosts.ts";
export {
  createHierarchy,
  type DestroyOptions,
  type Hierarchy,
} from "./hierarchy.ts";
export type { RawLinks } from "./links.ts";
export type { ChildrenListener } from "./notices.ts";
export type { DestroyPolicy, HierarchyOptions } from "./options.ts";
export type { Keeper, PlaceOptions } from "./placing.ts";
export { type PrintOptions, print } from "./print.ts";
export type { TraverseOptions, TreeIterator, Verdict } from "./reader.ts";
export { type HierarchyQuery, type Pair, parentsFirst, throughTree } from "./related-query.ts";
export { moveToBack, moveToFront, setOrder } from "./sibling-order.ts";
export { type SpawnedTree, spawnTree, type TreeLiteral } from "./spawn-tree.ts";
export {
  type AnyHierarchy,
  ancestorHas,
  childOf,
  descendantHas,
  descendantOf,
  hasChildren,
  hasParent,
  isRoot,
  parentHas,
  siblingHas,
} from "./terms.ts";
export { topmost } from "./topmost.ts";
export { createUpHierarchy, type UpHierarchy, type UpHierarchyOptions } from "./up-hierarchy.ts";
export type { Order } from "./walk.ts";
