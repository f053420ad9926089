/**
 * Bounds of subtrees: of an entity and everything below it. Whole subtrees outside of a view, or away from
 * a point, are skipped with one test.
 *
 * Stored by entity index and computed on demand. A change invalidates the entity and its ancestors up to one that is
 * invalid already, so that invalid entities always have invalid ancestors.
 */
import { type Entity, indexOf } from "../../ecs/index.ts";
import { flatOrder, type Hierarchy, rawLinks } from "../../hierarchy/index.ts";
import type { Item, Items } from "../renderer/items.ts";
import { type Bounds, setBounds } from "./bounds.ts";

export interface SubtreeBounds<Node> {
  /** The entity's drawings or its children changed. */
  invalidate(entity: Entity): void;
  invalidateAll(): void;
  /** Bounds of the entity's own drawings and of everything below it. */
  of(entity: Entity, out: Bounds): Bounds;
  /** Calls `visit` with the items whose bounds overlap `area`, in tree order. */
  overlapping(area: Bounds, visit: (item: Item<Node>) => void): void;
}

/**
 * @param boundsOf - The bounds of an item in the world.
 * @param isActive - Whether an entity takes part: the others cover nothing.
 */
export function createSubtreeBounds<Node>(
  tree: Hierarchy,
  items: Items<Node>,
  boundsOf: (item: Item<Node>) => Bounds,
  isActive: (entity: Entity) => boolean,
): SubtreeBounds<Node> {
  const raw = rawLinks(tree);
  /** minX, minY, maxX, maxY by index. */
  let boxes = new Float64Array(0);
  /** The entity whose box is stored; 0 when it is invalid. A reused index is invalid automatically. */
  let owner = new Int32Array(0);
  const waiting: number[] = [];

  function reach(index: number): void {
    if (index < owner.length) return;
    const size = Math.max(index + 1, owner.length * 2, 64);
    const [before, owners] = [boxes, owner];
    boxes = new Float64Array(size * 4);
    boxes.set(before);
    owner = new Int32Array(size);
    owner.set(owners);
  }

  /** 0 if the handle exceeds 32 bits: such entities are computed each time. */
  const order = flatOrder(tree);
  const handleAt = (node: number): number => order.entityAt[order.slotOf[node]];

  function isValid(node: number): boolean {
    return node < owner.length && owner[node] !== 0 && owner[node] === handleAt(node);
  }

  function invalidate(entity: Entity): void {
    let node = indexOf(entity);
    while (node > 0 && node < owner.length && owner[node] !== 0) {
      owner[node] = 0;
      node = raw.parent(node);
    }
  }

  /** Computes what is invalid at and below `top`: listed parents first, computed children first. */
  function ensure(top: number): void {
    if (isValid(top)) return;
    waiting.length = 0;
    waiting.push(top);
    for (let k = 0; k < waiting.length; k++) {
      for (let child = raw.first(waiting[k]); child !== 0; child = raw.next(child))
        if (!isValid(child)) waiting.push(child);
    }
    for (let k = waiting.length - 1; k >= 0; k--) compute(waiting[k]);
  }

  function compute(node: number): void {
    reach(node);
    let minX = Number.POSITIVE_INFINITY;
    let minY = minX;
    let maxX = Number.NEGATIVE_INFINITY;
    let maxY = maxX;
    for (let item = ownItem(node); item !== undefined; item = item.next) {
      const bounds = boundsOf(item);
      if (bounds.minX < minX) minX = bounds.minX;
      if (bounds.minY < minY) minY = bounds.minY;
      if (bounds.maxX > maxX) maxX = bounds.maxX;
      if (bounds.maxY > maxY) maxY = bounds.maxY;
    }
    for (let child = raw.first(node); child !== 0; child = raw.next(child)) {
      const at = child * 4;
      if (boxes[at] < minX) minX = boxes[at];
      if (boxes[at + 1] < minY) minY = boxes[at + 1];
      if (boxes[at + 2] > maxX) maxX = boxes[at + 2];
      if (boxes[at + 3] > maxY) maxY = boxes[at + 3];
    }
    const at = node * 4;
    boxes[at] = minX;
    boxes[at + 1] = minY;
    boxes[at + 2] = maxX;
    boxes[at + 3] = maxY;
    owner[node] = handleAt(node);
  }

  function ownItem(node: number): Item<Node> | undefined {
    const item = items.at(node);
    // Drawings on the screen are not in the world. That applies to all drawings of an entity.
    return item !== undefined &&
      item.spot === null &&
      tree.world.isAlive(item.entity) &&
      isActive(item.entity)
      ? item
      : undefined;
  }

  function isOutside(node: number, area: Bounds): boolean {
    const at = node * 4;
    return !(
      boxes[at] <= area.maxX &&
      boxes[at + 2] >= area.minX &&
      boxes[at + 1] <= area.maxY &&
      boxes[at + 3] >= area.minY
    );
  }

  return {
    invalidate,
    invalidateAll: () => void owner.fill(0),
    of(entity, out) {
      const node = indexOf(entity);
      ensure(node);
      const at = node * 4;
      return setBounds(out, boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]);
    },
    overlapping(area, visit) {
      let node = raw.first(0);
      while (node !== 0) {
        ensure(node);
        const skip = isOutside(node, area);
        if (!skip) {
          for (let item = ownItem(node); item !== undefined; item = item.next) {
            const bounds = boundsOf(item);
            if (
              bounds.minX <= area.maxX &&
              bounds.maxX >= area.minX &&
              bounds.minY <= area.maxY &&
              bounds.maxY >= area.minY
            )
              visit(item);
          }
        }
        const first = skip ? 0 : raw.first(node);
        if (first !== 0) {
          node = first;
          continue;
        }
        while (node !== 0 && raw.next(node) === 0) node = raw.parent(node);
        if (node !== 0) node = raw.next(node);
      }
    },
  };
}
