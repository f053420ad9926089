/**
 * Which items must be updated, and which parts of them.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Item, Items } from "./items.ts";

export interface DirtyItems<Node> {
  /** Marks that the `PLACE` or the `STYLE` of an item changed. */
  mark(item: Item<Node>, what: number): void;
  /** The same for all items of an entity. */
  markAll(entity: Entity, what: number): void;
  /** Passes each item once to `apply`, in the order in which they were marked, including those marked meanwhile. */
  take(apply: (item: Item<Node>, what: number) => void): void;
}

export function createDirtyItems<Node>(items: Items<Node>): DirtyItems<Node> {
  /** The first `count` are dirty; the rest is spare. */
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
      // Emptied only when it is much larger than needed: removed items must not be kept for ever.
      if (dirty.length > 64 && dirty.length > count * 8) dirty.length = 0;
      count = 0;
    },
  };
}
