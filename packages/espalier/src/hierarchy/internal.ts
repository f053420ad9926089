/** What other rooms of this package use of `hierarchy`. Not published. */
export { requireAnyTree, requireTree } from "./arguments.ts";
export { NAMED, REORDERED } from "./edit/record.ts";
export { onLinked } from "./events/listen.ts";
export { treeOf } from "./hierarchy-reader.ts";
export { EulerTour } from "./links/euler-tour.ts";
export { moveUnchecked, reversibleOf } from "./move-unchecked.ts";
export { parsePath, quoteSegment } from "./names/paths.ts";
export type { FlatOrder, SlotFollower, SlotMoves } from "./order/flat-order.ts";
export { brokenRules, suspendRules } from "./rules/suspend-rules.ts";
export { type LinkListener, orderOf } from "./state.ts";
export { type TreeReversible, treesOf } from "./trees.ts";
export { keptParent } from "./up-hierarchy.ts";
