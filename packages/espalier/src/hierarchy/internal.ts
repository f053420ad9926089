/** What other rooms of this package use of `hierarchy`. Not published. */

export { NAMED, REORDERED } from "./edit/record.ts";
export { onPlaced } from "./events/listen.ts";
export { treeOf } from "./hierarchy-reader.ts";
export { moveUnchecked, reversibleOf } from "./move-unchecked.ts";
export type { FlatOrder, SlotFollower } from "./order/flat-order.ts";
export { orderOf, type PlaceListener } from "./state.ts";
export { type TreeReversible, treesOf } from "./trees.ts";
