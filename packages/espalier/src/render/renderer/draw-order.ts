/**
 * Back to front: effective z decides, tree order breaks ties, and the drawings of one entity have a fixed order.
 */
import { indexOf } from "../../ecs/index.ts";
import { flatOrder, type Hierarchy, subtreeRange } from "../../hierarchy/index.ts";
import type { Item } from "./items.ts";

export interface DrawOrder<Node> {
  /** Back to front, as of the last `sort()`. */
  readonly items: readonly Item<Node>[];
  added(item: Item<Node>): void;
  /** An item's z or its position in the tree changed. */
  invalidate(): void;
  /** A drawing was removed. */
  removed(): void;
  /** Updates the order; returns whether an item was added or moved. */
  sort(): boolean;
}

export function createDrawOrder<Node>(tree: Hierarchy): DrawOrder<Node> {
  const sorted: Item<Node>[] = [];
  const fresh: Item<Node>[] = [];
  let isSorted = true;
  let isFull = true;

  return {
    items: sorted,
    added(item) {
      fresh.push(item);
      isSorted = false;
    },
    invalidate() {
      isSorted = false;
    },
    removed() {
      isFull = false;
    },
    sort() {
      if (!isFull) dropGone(sorted);
      isFull = true;
      if (isSorted) return false;
      isSorted = true;
      for (const item of fresh) if (!item.gone) sorted.push(item);
      fresh.length = 0;
      if (sorted.length === 0) return false;
      // Slots can be compared while the flat order is pre-order, with or without holes; requesting a range restores it.
      if (!flatOrder(tree).exact) subtreeRange(tree, sorted[0].entity);
      const { slotOf } = flatOrder(tree);
      for (const item of sorted) item.slot = slotOf[indexOf(item.entity)];
      // New items are usually last already, and the built-in merge sort is fast on nearly sorted lists.
      if (!isInOrder(sorted)) sorted.sort(compareItems);
      return renumber(sorted);
    },
  };
}

/** Removes items in place: the list may be long, and this may happen in every frame. */
function dropGone(list: Item<unknown>[]): void {
  let kept = 0;
  for (const item of list) if (!item.gone) list[kept++] = item;
  list.length = kept;
}

/** Assigns numbers that increase along the list. Those that already do stay, so that a new item does not change all others. */
function renumber(sorted: readonly Item<unknown>[]): boolean {
  let changed = false;
  let last = -1;
  for (const item of sorted) {
    if (item.order <= last) {
      item.order = last + 1;
      changed = true;
    }
    last = item.order;
  }
  return changed;
}

function isInOrder(items: readonly Item<unknown>[]): boolean {
  for (let k = 1; k < items.length; k++) if (compareItems(items[k - 1], items[k]) > 0) return false;
  return true;
}

/** Below 0 when `a` is behind `b`. Their slots must be up to date. */
export function compareItems(a: Item<unknown>, b: Item<unknown>): number {
  return a.z - b.z || a.slot - b.slot || a.rank - b.rank;
}
