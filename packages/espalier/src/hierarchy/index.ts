/** Parents and ordered children for entities. Knows nothing of space. */
export { check } from "./check.ts";
export { type Constraint, forbidOnChildren, requireOnParent } from "./constraints.ts";
export type { DestroyPolicy, HierarchyOptions } from "./core.ts";
export {
  CircularHierarchyError,
  ConstraintError,
  DuplicateNameError,
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
export { createHierarchy, type Hierarchy, type PlaceOptions } from "./hierarchy.ts";
export { type PrintOptions, print } from "./print.ts";
export type { TraverseOptions, TreeIterator, Verdict } from "./reader.ts";
export { type SpawnedTree, spawnTree, type TreeLiteral } from "./spawn-tree.ts";
export type { Order } from "./walk.ts";
