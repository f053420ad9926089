/**
 * Back to front: effective z decides, tree order breaks ties, and the drawings of one entity have a fixed order.
 */
import { indexOf } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { Item, Items } from "./items.ts";

export interface DrawOrder<Node> {
  /** Back to front, as of the last `sort()`. */
  readonly items: readonly Item<Node>[];
  /** Something came, or changed its z or its place in the tree. */
  invalidate(): void;
  /** A drawing went. */
  removed(): void;
  /** Brings the order up to date; says whether the order of those that stay, or who is in it, changed. */
  sort(): boolean;
}

export function createDrawOrder<Node>(tree: Hierarchy, items: Items<Node>): DrawOrder<Node> {
  let sorted: Item<Node>[] = [];
  let isSorted = true;
  let isFull = true;

  return {
    get items() {
      return sorted;
    },
    invalidate() {
      isSorted = false;
    },
    removed() {
      isFull = false;
    },
    sort() {
      if (!isFull) {
        sorted = sorted.filter((item) => !item.gone);
        isFull = true;
      }
      if (isSorted) return false;
      isSorted = true;
      if (sorted.length < items.count) {
        items.forEach((item) => {
          if (item.order < 0) sorted.push(item);
        });
      }
      if (sorted.length === 0) return false;
      // Brings the flat order to exact pre-order, so that slots can be compared.
      tree.subtreeRange(sorted[0].entity);
      const { slotOf } = tree.order;
      for (const item of sorted) item.slot = slotOf[indexOf(item.entity)];
      // The list is nearly sorted already, which the built-in merge sort makes use of.
      sorted.sort(compare);
      let changed = false;
      for (let k = 0; k < sorted.length; k++) {
        if (sorted[k].order === k) continue;
        sorted[k].order = k;
        changed = true;
      }
      return changed;
    },
  };
}

function compare(a: Item<unknown>, b: Item<unknown>): number {
  return a.z - b.z || a.slot - b.slot || a.rank - b.rank;
}
