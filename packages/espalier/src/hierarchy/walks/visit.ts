/**
 * Driving walks: as iterators, and with a function that is called for each entity.
 *
 * While the tree does not change, the `forEach…` calls follow the links, or the flat order, by themselves; the first
 * change freezes the walk, and it goes on by itself.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK, requireFunction } from "../../ecs/internal.ts";
import { FIRST, HANDLE, LinkedLinks, NEXT, PARENT } from "../links/linked-links.ts";
import { entityAt } from "../nodes.ts";
import type { FlatOrder } from "../order/flat-order.ts";
import type { TreeState } from "../state.ts";
import type { ListWalk } from "./list-walk.ts";
import { PreorderWalk } from "./preorder-walk.ts";
import type { Verdict } from "./verdict.ts";
import { SMALL_FAMILY, visitFamily } from "./visit-family.ts";
import { type TraverseOptions, type Walk, walkAncestors, walkChildren, walkDescendants } from "./walk.ts";

/** An iterator over entities that can skip what is below the one it gave last. */
export interface TreeIterator extends IterableIterator<Entity> {
  /** Leaves out everything below the entity that was given last. */
  skip(): void;
}

/** Putting the order into pre-order costs about as much as walks along the order save in so many walks. */
const WALKS_THAT_PAY = 8;

type Visit = (entity: Entity) => Verdict;

/** Any walk as an iterator over entities. Leaving a loop early ends it. */
export class EntityIterator implements TreeIterator {
  private readonly t: TreeState;
  private walk: Walk | undefined;

  constructor(t: TreeState, walk: Walk) {
    this.t = t;
    this.walk = walk;
  }

  next(): IteratorResult<Entity> {
    const node = this.walk?.next() ?? 0;
    return node === 0 ? this.return() : { done: false, value: entityAt(this.t, node) };
  }

  return(): IteratorResult<Entity> {
    this.walk?.close();
    this.walk = undefined;
    return { done: true, value: undefined };
  }

  skip(): void {
    this.walk?.skip();
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** Those of a walk that have no children. */
export function* leavesIn({ links }: TreeState, subtree: TreeIterator): IterableIterator<Entity> {
  for (const entity of subtree) if (links.first(entity & INDEX_MASK) === 0) yield entity;
}

export function visitChildren(
  t: TreeState,
  parent: number,
  visit: (child: Entity, index: number) => Verdict,
): void {
  requireFunction(visit, "walk the children", "the callback");
  const count = t.links.count(parent);
  if (count === 0) return;
  if (count <= SMALL_FAMILY) visitFamily(t, parent, visit);
  else visitList(t, walkChildren(t, parent), NEXT, visit);
}

export function visitAncestors(
  t: TreeState,
  entity: Entity,
  visit: Visit,
  options: { readonly includeSelf?: boolean },
): void {
  requireFunction(visit, "walk the ancestors", "the callback");
  visitList(t, walkAncestors(t, entity, options), PARENT, (ancestor) => visit(ancestor));
}

/** To the end of the walk. Where there are records, along one of their fields until the first change that the walk must know of. */
function visitList(
  t: TreeState,
  walk: ListWalk,
  field: number,
  visit: (entity: Entity, index: number) => Verdict,
): void {
  const { links } = t;
  let index = 0;
  try {
    if (links instanceof LinkedLinks) {
      for (let node = walk.upcoming; node !== 0 && !walk.isFrozen; node = walk.upcoming) {
        // Read anew for each entity: they are replaced when the world grows, which does not end the walk.
        const { records } = links;
        walk.upcoming = records[(node << 3) | field];
        walk.last = node;
        if (visit((records[(node << 3) | HANDLE] as Entity) || entityAt(t, node), index++) === "stop") return;
      }
    }
    for (let node = walk.next(); node !== 0; node = walk.next()) {
      if (visit(entityAt(t, node), index++) === "stop") return;
    }
  } finally {
    walk.close();
  }
}

export function visitDescendants(t: TreeState, entity: Entity, visit: Visit, options: TraverseOptions): void {
  requireFunction(visit, "walk the descendants", "the callback");
  const walk = walkDescendants(t, entity, options);
  try {
    let verdict: Verdict;
    if (walk instanceof PreorderWalk) {
      if (t.order?.exact) verdict = visitSlots(t, t.order, walk, visit);
      else if (t.links instanceof LinkedLinks) verdict = visitRecords(t, t.links, walk, visit);
    }
    while (verdict !== "stop") {
      if (verdict === "skip") walk.skip();
      const node = walk.next();
      verdict = node === 0 ? "stop" : visit(entityAt(t, node));
    }
  } finally {
    walk.close();
  }
}

/**
 * Pre-order where the flat order is just that: one slot after the other.
 * Gives the verdict at which the tree changed and the walk must go on by itself; `"stop"` at the end.
 */
function visitSlots(t: TreeState, order: FlatOrder, walk: PreorderWalk, visit: Visit): Verdict {
  // Replaced only when the tree changes, and then the walk is frozen; put in order also on request.
  const { nodeAt, entityAt: entities, end, version } = order;
  const from = order.slotOf[walk.top];
  const to = end[from];
  for (let slot = walk.includeTop ? from : from + 1; slot < to; slot++) {
    let entity = entities[slot] as Entity;
    if (entity === 0) {
      if (nodeAt[slot] === 0) continue;
      entity = entityAt(t, nodeAt[slot]);
    }
    walk.current = entity & INDEX_MASK;
    const verdict = visit(entity);
    if (verdict === "stop" || walk.isFrozen || order.version !== version) return verdict;
    if (verdict === "skip") slot = end[slot] - 1;
  }
  return "stop";
}

/**
 * Pre-order along the records of the links, read directly: three quarters of the time. They are replaced only when an entity is
 * created, and then the walk is frozen. Gives what `visitSlots` gives.
 */
function visitRecords(t: TreeState, { records }: LinkedLinks, walk: PreorderWalk, visit: Visit): Verdict {
  const { top } = walk;
  let visited = 0;
  let verdict: Verdict;
  let node = walk.next();
  while (node !== 0) {
    verdict = visit((records[(node << 3) | HANDLE] as Entity) || entityAt(t, node));
    visited++;
    if (verdict === "stop" || walk.isFrozen) break;
    let next = verdict === "skip" ? 0 : records[(node << 3) | FIRST];
    while (next === 0 && node !== top) {
      next = records[(node << 3) | NEXT];
      node = records[(node << 3) | PARENT];
    }
    node = next;
    walk.current = node;
  }
  if (t.order !== undefined) countWalked(t, t.order, visited);
  return node === 0 ? "stop" : verdict;
}

/**
 * Walks along the links jump through memory where walks along the order do not. Brings the order to pre-order when so
 * many nodes were walked over in an unchanged tree that it would have paid.
 */
function countWalked(t: TreeState, order: FlatOrder, nodes: number): void {
  if (t.walkedVersion !== t.version) {
    t.walkedVersion = t.version;
    t.walkedNodes = 0;
  }
  t.walkedNodes += nodes;
  // Loops under way may hold slots.
  if (t.walkedNodes < order.count * WALKS_THAT_PAY || t.ecs.isIterating) return;
  t.walkedNodes = 0;
  order.compact();
}
