/**
 * Walking a tree while it may change under the walker.
 *
 * The rule: each child list is fixed when its parent is entered. Entries that died or left that parent are passed
 * over when their turn comes; ones added later are not visited. So every walk ends.
 *
 * As long as nothing changes, a walk follows the links and keeps no list at all. The first change that happens while
 * it is under way makes it write down the lists it has entered (`freeze`), and it goes on with those.
 */
import type { TreeState } from "../state.ts";
import { PreorderWalk } from "./preorder-walk.ts";
import { type Order, WrittenWalk } from "./written-walk.ts";

/** What drives any walk. */
export interface Walk {
  /** The next node, or 0 at the end. */
  next(): number;
  /** Do not go below the node last given out. */
  skip(): void;
  close(): void;
}

export function createWalk(t: TreeState, top: number, order: Order, includeTop: boolean): Walk {
  return order === "pre"
    ? new PreorderWalk(t, top, includeTop)
    : new WrittenWalk(t, order).begin(top, includeTop);
}
