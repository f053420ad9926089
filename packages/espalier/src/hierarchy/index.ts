/**
 * Parents and ordered children for entities. Knows nothing of space.
 *
 * @packageDocumentation
 */

export { checkTree } from "./check.ts";
export { type HierarchyCommands, hierarchyCommands } from "./commands.ts";
export { createHierarchy } from "./create-hierarchy.ts";
export { depthLimit } from "./depth-limit.ts";
export {
  attachAll,
  attachMany,
  attachNewAt,
  detachChildren,
  detachMany,
  dissolve,
  insertChildren,
  isolate,
  replaceChildren,
  setParent,
  sortChildren,
  sortChildrenBy,
  swap,
} from "./edit/edits.ts";
export { attachNewMany, destroyChildren, ensurePath, replaceInTree } from "./edit/more-edits.ts";
export type { SiblingPosition } from "./edit/swap.ts";
export {
  CircularHierarchyError,
  ConstraintError,
  DuplicateNameError,
  EntityEventError,
  EntityEventHandlerError,
  HasChildrenError,
  HierarchyError,
  HierarchyTooDeepError,
  InvalidEditError,
  InvalidHierarchyError,
  InvalidPathError,
  NotAChildError,
  TooManyChildrenError,
} from "./errors.ts";
export { bubble } from "./events/bubble.ts";
export {
  EntityEvent,
  type EntityEventKind,
  type EntityEventOptions,
  type EventPhase,
  entityEvent,
  type PayloadArgument,
} from "./events/entity-event.ts";
export {
  createEntityEvents,
  type EntityEventHandler,
  type EntityEvents,
  type HandlerOptions,
} from "./events/entity-events.ts";
export type {
  ChildAdded,
  ChildMoved,
  ChildRemoved,
  ChildrenReordered,
  HierarchyEvent,
  SubtreeWatcher,
} from "./events/events.ts";
export type { ChildrenListener } from "./events/notices.ts";
export { type ReplayedEvents, replayedEvents } from "./events/replayed-events.ts";
export { onChildrenChanged, onDestroying, watchSubtree } from "./events/tree-listeners.ts";
export type { Hierarchy } from "./hierarchy.ts";
export { inlineLinks, type UpLinks, upLinks } from "./link-forms.ts";
export type { DepthLimit, InlineLinks } from "./links/forms.ts";
export type { RawLinks } from "./links/links.ts";
export { childNamed, findAll, findOutwards, relativePath } from "./names/look-up.ts";
export type {
  AttachOptions,
  DestroyOptions,
  DestroyPolicy,
  HierarchyOptions,
  KeepOptions,
  SpaceName,
} from "./options.ts";
export { compareOrder } from "./order/compare-order.ts";
export {
  bytesPerNode,
  compactOrder,
  flatOrder,
  hasFlatOrder,
  limitsOf,
  rawLinks,
  subtreeRange,
} from "./order/fast-loops.ts";
export type { FlatOrderView as FlatOrder, ReadonlyInt32Array } from "./order/flat-order-view.ts";
export { type KeepSortedBy, type KeptOrder, keepSorted } from "./order/keep-sorted.ts";
export { moveToBack, moveToFront, setOrder } from "./order/sibling-order.ts";
export { type PrintOptions, printTree } from "./print-tree.ts";
export { type ChildrenChangedTerm, childrenChanged } from "./queries/children-changed.ts";
export { componentsInChildren, componentsInParent, type EntityValue } from "./queries/components-in.ts";
export {
  Ghost,
  hierarchyComponents,
  solidChildren,
  solidDescendants,
  solidParent,
} from "./queries/ghosts.ts";
export { type HierarchyQuery, type Pair, parentsFirst, throughTree } from "./queries/related-query.ts";
export { byDepth, byTreeOrder, groupByParent } from "./queries/sort-keys.ts";
export {
  type AncestorHasOptions,
  type AnyHierarchy,
  ancestorHas,
  childHas,
  childOf,
  descendantHas,
  descendantOf,
  type HasChildrenOptions,
  hasChildren,
  hasParent,
  isRoot,
  parentHas,
  siblingHas,
} from "./queries/terms.ts";
export { topmost } from "./queries/topmost.ts";
export { type Constraint, forbidOnChildren, requireOnParent } from "./rules/constraints.ts";
export { addKeeper, constrain, whyNotAttach } from "./rules/rules.ts";
export { type SpawnedTree, spawnTree, type TreeLiteral } from "./spawn-tree.ts";
export type { Keeper } from "./state.ts";
export { createUpHierarchy, type UpHierarchy, type UpHierarchyOptions } from "./up-hierarchy.ts";
export {
  childrenBackwards,
  commonAncestor,
  descendantCount,
  descendantsBackwards,
  forEachAncestor,
  heightOf,
  isDescendant,
  isIntermediate,
  leavesOf,
  nextInList,
  pathBetween,
  previousInList,
  siblingsOf,
} from "./walks/relatives.ts";
export type { Verdict } from "./walks/verdict.ts";
export type { TreeIterator } from "./walks/visit.ts";
export type { TraverseOptions } from "./walks/walk.ts";
export type { Order } from "./walks/written-walk.ts";
