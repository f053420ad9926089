/**
 * Which items are to be brought up to date, and what of them.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Item, Items } from "./items.ts";

export interface DirtyItems<Node> {
  /** Notes that an item has another `PLACE`, or another `STYLE`. */
  mark(item: Item<Node>, what: number): void;
  /** The same for all items of an entity. */
  markAll(entity: Entity, what: number): void;
  /** Hands over each item once, in the order in which they were marked; those that are marked meanwhile too. */
  take(apply: (item: Item<Node>, what: number) => void): void;
}

export function createDirtyItems<Node>(items: Items<Node>): DirtyItems<Node> {
  /** The first `count` are dirty; the rest is room. */
  const dirty: Item<Node>[] = [];
  let count = 0;

  function mark(item: Item<Node>, what: number): void {
    if (item.dirty === 0) dirty[count++] = item;
    item.dirty |= what;
  }

  return {
    mark,
    markAll(entity, what) {
      for (let item = items.of(entity); item !== undefined; item = item.next) mark(item, what);
    },
    take(apply) {
      for (let k = 0; k < count; k++) {
        const item = dirty[k];
        const what = item.dirty;
        item.dirty = 0;
        if (!item.gone) apply(item, what);
      }
      // Emptied only when it holds much more than is used: what went must not be kept for ever.
      if (dirty.length > 64 && dirty.length > count * 8) dirty.length = 0;
      count = 0;
    },
  };
}
