/**
 * What a renderer stores for each drawing, found by entity.
 */
import { type Entity, indexOf } from "../../ecs/index.ts";
import { type Bounds, emptyBounds } from "../bounds/bounds.ts";
import type { ContentScale } from "../drawings/content-matrix.ts";
import type { Drawing } from "../drawings/drawing.ts";
import type { ScreenSpot } from "../screen/on-screen.ts";

// The parts of an item that must be updated.
/** Values, tint or alpha. */
export const STYLE = 1;
/** The world transform. */
export const TRANSFORM = 2;

/**
 * The record of one drawing. When thousands move in a frame, most of the time goes into fetching their memory: the data for a move
 * is in this object itself, and `content` and `bounds` are only used when its exact position is needed.
 */
export interface Item<Node> extends ContentScale {
  readonly entity: Entity;
  /** Its index in `drawingKinds`. */
  readonly rank: number;
  readonly drawing: Drawing;
  readonly node: Node;
  /** Bounds in its own coordinates. */
  readonly content: Bounds;
  /** Bounds in the world, valid when `isBounded`. */
  readonly bounds: Bounds;
  isBounded: boolean;
  /** No point of `content` is farther than this from its origin, along either axis; -1 when there is none. */
  reach: number;
  /** Whether the tree hides it. */
  hidden: boolean;
  /** Whether it is inside or near the view of a camera. */
  inView: boolean;
  /** The visibility last passed to the backend. */
  shown: boolean;
  /** Whether culling lists it as in view; it may have left since. */
  listed: boolean;
  /** The culling pass in which it was last seen. */
  seenIn: number;
  /** The update of the renderer in which it was created. */
  madeIn: number;
  /** Its anchor on the screen; `null` in the world. */
  spot: ScreenSpot | null;
  z: number;
  /** Position in tree order. */
  slot: number;
  /** Increases from back to front, with gaps; -1 for an item without a position yet. */
  order: number;
  dirty: number;
  /** Whether the node was destroyed. */
  gone: boolean;
  /** The next drawing of the same entity. */
  next: Item<Node> | undefined;
}

export function createItem<Node>(entity: Entity, rank: number, drawing: Drawing, node: Node): Item<Node> {
  return {
    entity,
    rank,
    drawing,
    node,
    content: emptyBounds(),
    bounds: emptyBounds(),
    isBounded: false,
    reach: -1,
    scaleX: 1,
    scaleY: 1,
    isFree: false,
    hidden: false,
    inView: true,
    shown: true,
    listed: false,
    seenIn: 0,
    madeIn: 0,
    spot: null,
    z: 0,
    slot: 0,
    order: -1,
    dirty: 0,
    gone: false,
    next: undefined,
  };
}

/** All items of a renderer. */
export interface Items<Node> {
  /** The number of items. */
  readonly count: number;
  /** The first drawing of an entity; its `next` leads to the others. */
  of(entity: Entity): Item<Node> | undefined;
  /** The same by index, for loops over the links of the tree; may belong to a dead entity. */
  at(index: number): Item<Node> | undefined;
  find(entity: Entity, rank: number): Item<Node> | undefined;
  add(item: Item<Node>): void;
  remove(item: Item<Node>): void;
  forEach(fn: (item: Item<Node>) => void): void;
}

export function createItems<Node>(): Items<Node> {
  const byIndex: (Item<Node> | undefined)[] = [];
  /** Items of destroyed entities whose index was reused: their removal is reported after the new entity was added. */
  const stale = new Map<Entity, Item<Node>>();
  let count = 0;

  function of(entity: Entity): Item<Node> | undefined {
    const item = byIndex[indexOf(entity)];
    if (item !== undefined && item.entity === entity) return item;
    return stale.size === 0 ? undefined : stale.get(entity);
  }

  /** Replaces the first item of an entity. */
  function setFirst(entity: Entity, item: Item<Node> | undefined): void {
    if (stale.has(entity)) {
      if (item === undefined) stale.delete(entity);
      else stale.set(entity, item);
      return;
    }
    const index = indexOf(entity);
    byIndex[index] = item;
    if (item !== undefined) return;
    // Undo may have restored the former item.
    for (const [other, first] of stale) {
      if (indexOf(other) !== index) continue;
      stale.delete(other);
      byIndex[index] = first;
      return;
    }
  }

  return {
    get count() {
      return count;
    },
    of,
    at: (index) => byIndex[index],
    find(entity, rank) {
      let item = of(entity);
      while (item !== undefined && item.rank !== rank) item = item.next;
      return item;
    },
    add(item) {
      const index = indexOf(item.entity);
      // Plain arrays with holes are slow: fill up to the index.
      while (byIndex.length <= index) byIndex.push(undefined);
      let first = byIndex[index];
      if (first !== undefined && first.entity !== item.entity) {
        stale.set(first.entity, first);
        first = undefined;
      }
      item.next = first;
      byIndex[index] = item;
      count++;
    },
    remove(item) {
      let at = of(item.entity);
      if (at === item) setFirst(item.entity, item.next);
      else {
        while (at !== undefined && at.next !== item) at = at.next;
        if (at === undefined) return;
        at.next = item.next;
      }
      item.next = undefined;
      item.gone = true;
      count--;
    },
    forEach(fn) {
      for (const first of byIndex) for (let item = first; item !== undefined; item = item.next) fn(item);
      for (let item of stale.values() as Iterable<Item<Node> | undefined>)
        for (; item !== undefined; item = item.next) fn(item);
    },
  };
}
