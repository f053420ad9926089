/**
 * Reading a hierarchy. Nothing here changes anything, and nothing recurses.
 *
 * All calls take living entities and throw `DeadEntityError` otherwise; all answers are `null`, 0 or empty where there
 * is nothing to tell.
 */

import type { Entity } from "../ecs/index.ts";
import { describeValue } from "../ecs/index.ts";
import { checkOptions, INDEX_MASK, requireFunction, stateOf } from "../ecs/internal.ts";
import { HierarchyCore } from "./core.ts";
import { InvalidEditError } from "./errors.ts";
import type { FlatOrder } from "./flat-order.ts";
import { FIRST, HANDLE, LinkedLinks, NEXT, PARENT, type RawLinks } from "./links.ts";
import { ancestorOptions, siblingOptions, traverseOptions } from "./options.ts";
import {
  AncestorsWalk,
  ChildrenWalk,
  createWalk,
  type Order,
  PreorderWalk,
  SiblingsWalk,
  type Walk,
} from "./walk.ts";

export interface TraverseOptions {
  /** `pre` (the default): a parent, then its children. `post`: children first. `level`: one depth after the other. */
  readonly order?: Order;
  /** Give the start itself too. */
  readonly includeSelf?: boolean;
}

/** What a visitor may answer: go not below this entity, or end the walk. Anything else goes on. */
// biome-ignore lint/suspicious/noConfusingVoidType: visitors that answer nothing return void
export type Verdict = "skip" | "stop" | void | undefined;

/** An iterator over entities that can be told not to go below the one it gave last. */
export interface TreeIterator extends IterableIterator<Entity> {
  skip(): void;
}

/** Putting the order into pre-order costs about as much as walks along the order save in so many walks. */
const WALKS_THAT_PAY = 8;

export class HierarchyReader extends HierarchyCore {
  /** How many nodes were walked over along the links since the tree was `walkedVersion`. */
  private walkedNodes = 0;
  private walkedVersion = 0;

  /** The parent, or `null` for a root. */
  parentOf(entity: Entity): Entity | null {
    const node = this.node(entity, "read the parent");
    const { links } = this;
    const parent = links.parentHandle(node);
    return parent > 0 ? (parent as Entity) : this.entityOrNull(links.parent(node));
  }

  /** The children in order, as a new array. For walking them, `children` or `forEachChild` are cheaper. */
  childrenOf(entity: Entity | null): Entity[] {
    const found: Entity[] = [];
    const { links } = this;
    for (let n = links.first(this.parentNode(entity, "read the children")); n !== 0; n = links.next(n)) {
      found.push(this.handleAt(n));
    }
    return found;
  }

  /** How many children (`null`: roots) there are. Constant time. */
  childCount(entity: Entity | null): number {
    return this.links.count(this.parentNode(entity, "count the children"));
  }

  /** The first child (`null`: root), or `null` if there is none. */
  firstChild(entity: Entity | null): Entity | null {
    return this.entityOrNull(this.links.first(this.parentNode(entity, "read the children")));
  }

  /** The last child (`null`: root), or `null` if there is none. */
  lastChild(entity: Entity | null): Entity | null {
    return this.entityOrNull(this.links.last(this.parentNode(entity, "read the children")));
  }

  /** The next sibling, or `null` for the last one. Roots are siblings of each other. */
  nextSibling(entity: Entity): Entity | null {
    return this.entityOrNull(this.links.next(this.node(entity, "read a sibling")));
  }

  /** The sibling before, or `null` for the first one. */
  previousSibling(entity: Entity): Entity | null {
    return this.entityOrNull(this.links.prev(this.node(entity, "read a sibling")));
  }

  /**
   * The child at `index`; a negative one counts from the end. `null` outside the list. Walks up to 128 links in small
   * families; in larger ones about a microsecond per million siblings' square root, see `indexOf`.
   */
  childAt(entity: Entity | null, index: number): Entity | null {
    const parent = this.parentNode(entity, "read a child");
    if (!Number.isInteger(index))
      throw new InvalidEditError(`Cannot read child ${describeValue(index)}: an index is an integer.`);
    return this.entityOrNull(this.positions.at(parent, index < 0 ? index + this.links.count(parent) : index));
  }

  /**
   * The position among its siblings (of a root: among the roots). Up to 256 siblings are walked (under a microsecond);
   * above, blocks are kept from the first call on: about 10 microseconds at a million siblings, and every later change
   * of that family costs about a microsecond more.
   */
  indexOf(entity: Entity): number {
    return this.positions.indexOf(this.node(entity, "read the position"));
  }

  isRoot(entity: Entity): boolean {
    return this.links.parent(this.node(entity, "ask for the parent")) === 0;
  }

  /** Whether the entity has no children. A lone entity is root and leaf. */
  isLeaf(entity: Entity): boolean {
    return this.links.first(this.node(entity, "ask for children")) === 0;
  }

  /** Whether the entity has both a parent and children. */
  isIntermediate(entity: Entity): boolean {
    return !this.isRoot(entity) && !this.isLeaf(entity);
  }

  /** The entity at the top of the tree; the entity itself if it is a root. Costs the depth. */
  rootOf(entity: Entity): Entity {
    let node = this.node(entity, "find the root");
    for (let up = this.links.parent(node); up > 0; up = this.links.parent(up)) node = up;
    return this.handleAt(node);
  }

  /** How many ancestors it has. Costs the depth, about 2 ns a level. */
  depthOf(entity: Entity): number {
    return this.depthOfNode(this.node(entity, "read the depth"));
  }

  /** How many levels are below it; 0 for a leaf. Walks the subtree. */
  heightOf(entity: Entity): number {
    return this.heightOfNode(this.node(entity, "read the height"));
  }

  /** How many entities are below it. Walks the subtree. */
  descendantCount(entity: Entity): number {
    const { links } = this;
    const top = this.node(entity, "count the descendants");
    let count = 0;
    let node = top;
    for (;;) {
      const first = links.first(node);
      if (first !== 0) {
        node = first;
      } else {
        while (node !== top && links.next(node) === 0) node = links.parent(node);
        if (node === top) return count;
        node = links.next(node);
      }
      count++;
    }
  }

  /**
   * Whether `ancestor` is somewhere above `entity`. Nobody is above itself. Costs the depth, or two comparisons while
   * the flat order is exact.
   */
  isAncestor(ancestor: Entity, entity: Entity): boolean {
    const above = this.node(ancestor, "compare entities");
    const node = this.node(entity, "compare entities");
    return node !== above && this.isInside(node, above);
  }

  /** Whether `entity` is somewhere below `ancestor`. */
  isDescendant(entity: Entity, ancestor: Entity): boolean {
    return this.isAncestor(ancestor, entity);
  }

  /** The deepest entity that is above both, or one of them if it is above the other; `null` in different trees. */
  commonAncestor(a: Entity, b: Entity): Entity | null {
    const { links } = this;
    let left = this.node(a, "compare entities");
    let right = this.node(b, "compare entities");
    let deeper = this.depthOfNode(left) - this.depthOfNode(right);
    for (; deeper > 0; deeper--) left = links.parent(left);
    for (; deeper < 0; deeper++) right = links.parent(right);
    while (left !== right) {
      left = links.parent(left);
      right = links.parent(right);
    }
    return this.entityOrNull(left);
  }

  /** The way from `a` to `b` through their common ancestor, both included; `null` in different trees. */
  pathBetween(a: Entity, b: Entity): Entity[] | null {
    const top = this.commonAncestor(a, b);
    if (top === null) return null;
    const { links } = this;
    const path: Entity[] = [];
    for (let n = a & INDEX_MASK; n !== (top & INDEX_MASK); n = links.parent(n)) path.push(this.handleAt(n));
    path.push(top);
    const down: Entity[] = [];
    for (let n = b & INDEX_MASK; n !== (top & INDEX_MASK); n = links.parent(n)) down.push(this.handleAt(n));
    return path.concat(down.reverse());
  }

  // Raw ----------------------------------------------------------------------------------------------------------------

  /**
   * Advanced: the links by index (`indexOf(entity)` of `espalier`), for loops that read nothing else. 0 stands for
   * nobody, and as a parent for the list of roots. Nothing is checked: of an index that no living entity has, it tells
   * nonsense.
   */
  get raw(): RawLinks {
    return this.links;
  }

  // Walks --------------------------------------------------------------------------------------------------------------

  /** Walks the children in order. Safe while the tree changes: the list is as it was when the walk began. */
  children(entity: Entity | null): IterableIterator<Entity> {
    return new EntityIterator(this, new ChildrenWalk(this, this.parentNode(entity, "walk the children")));
  }

  /** Calls `visit` for each child; ends early on `"stop"`. Safe while the tree changes, like `children`. */
  forEachChild(entity: Entity | null, visit: (child: Entity, index: number) => Verdict): void {
    requireFunction(visit, "walk the children", "the callback");
    const parent = this.parentNode(entity, "walk the children");
    const { links } = this;
    if (links.first(parent) === 0) return;
    const walk = new ChildrenWalk(this, parent);
    try {
      let index = 0;
      if (links instanceof LinkedLinks) {
        // The same as below, with the links read where they lie. They are replaced only when an entity is created, and
        // then the walk is frozen.
        const { records } = links;
        for (let node = walk.upcoming; node !== 0; node = walk.upcoming) {
          const at = node << 3;
          walk.upcoming = records[at | NEXT];
          const handle = records[at | HANDLE];
          if (visit(handle !== 0 ? (handle as Entity) : this.handleAt(node), index++) === "stop") return;
          if (walk.isFrozen) break;
        }
        if (!walk.isFrozen) return;
      }
      for (let node = walk.next(); node !== 0; node = walk.next()) {
        if (visit(this.handleAt(node), index++) === "stop") return;
      }
    } finally {
      walk.close();
    }
  }

  /** Walks the roots in order. */
  roots(): IterableIterator<Entity> {
    return this.children(null);
  }

  get rootCount(): number {
    return this.links.count(0);
  }

  /**
   * Walks the siblings, without the entity itself. From the first on; with `from: "self"` those behind it, and with
   * `wrap` also those before it, all the way round. Safe while the tree changes, like `children`.
   */
  siblings(
    entity: Entity,
    options: { readonly from?: "first" | "self"; readonly wrap?: boolean } = {},
  ): IterableIterator<Entity> {
    const self = this.node(entity, "walk the siblings");
    checkOptions(this.world.checks, "walk the siblings", options, siblingOptions);
    const way = options.from !== "self" ? "all" : options.wrap ? "round" : "behind";
    return new EntityIterator(this, new SiblingsWalk(this, self, way));
  }

  /**
   * Walks up: the parent first, the root last. Safe while the tree changes: the ancestors are those it had when the
   * walk began, without those that died.
   */
  ancestors(entity: Entity, options: { readonly includeSelf?: boolean } = {}): IterableIterator<Entity> {
    return new EntityIterator(this, this.wayUp(entity, options));
  }

  /** Calls `visit` for each ancestor, the parent first; ends early on `"stop"`. Safe like `ancestors`. */
  forEachAncestor(
    entity: Entity,
    visit: (ancestor: Entity) => Verdict,
    options: { readonly includeSelf?: boolean } = {},
  ): void {
    requireFunction(visit, "walk the ancestors", "the callback");
    const walk = this.wayUp(entity, options);
    const { links } = this;
    try {
      // As in `forEachChild`.
      for (let node = walk.upcoming; node !== 0; node = walk.upcoming) {
        walk.upcoming = links.parent(node);
        if (visit(this.handleAt(node)) === "stop") return;
        if (walk.isFrozen) break;
      }
      if (walk.isFrozen) this.drive(walk, visit);
    } finally {
      walk.close();
    }
  }

  private wayUp(entity: Entity, options: { readonly includeSelf?: boolean }): AncestorsWalk {
    const node = this.node(entity, "walk the ancestors");
    checkOptions(this.world.checks, "walk the ancestors", options, ancestorOptions);
    return new AncestorsWalk(this, options.includeSelf ? node : this.links.parent(node));
  }

  /**
   * Walks everything below, in pre-order and sibling order unless told otherwise. Safe while the tree changes: each
   * list of children is as it was when its parent was given out. `skip()` leaves out what is below the last one.
   */
  descendants(entity: Entity, options: TraverseOptions = {}): TreeIterator {
    const top = this.node(entity, "walk the descendants");
    checkOptions(this.world.checks, "walk the descendants", options, traverseOptions);
    return new EntityIterator(
      this,
      createWalk(this, top, options.order ?? "pre", options.includeSelf ?? false),
    );
  }

  /** Calls `visit` for everything below. `"skip"` leaves out what is below the entity (pre and level order). */
  forEachDescendant(entity: Entity, visit: (entity: Entity) => Verdict, options: TraverseOptions = {}): void {
    requireFunction(visit, "walk the descendants", "the callback");
    const top = this.node(entity, "walk the descendants");
    checkOptions(this.world.checks, "walk the descendants", options, traverseOptions);
    const { links, order_: order } = this;
    const walk = createWalk(this, top, options.order ?? "pre", options.includeSelf ?? false);
    if (!(walk instanceof PreorderWalk && links instanceof LinkedLinks)) this.drive(walk, visit);
    else if (order?.exact) {
      const slot = order.slotOf[top];
      this.visitFlat(order, walk, options.includeSelf ? slot : slot + 1, order.end[slot], visit);
    } else {
      const visited = this.visitLinked(links, walk, top, visit);
      if (order !== undefined) this.walked(order, visited);
    }
  }

  /**
   * Walks along the links jump through memory where walks along the order do not. Brings the order to pre-order when so
   * many nodes were walked over in a tree at rest that it would have paid.
   */
  private walked(order: FlatOrder, nodes: number): void {
    if (this.walkedVersion !== this.version) {
      this.walkedVersion = this.version;
      this.walkedNodes = 0;
    }
    this.walkedNodes += nodes;
    // Loops under way may hold slots.
    if (this.walkedNodes < order.count * WALKS_THAT_PAY || stateOf(this.world).isIterating) return;
    this.walkedNodes = 0;
    order.compact();
  }

  /** Walks those below that have no children; the entity itself if it has none. Safe like `descendants`. */
  leaves(entity: Entity): IterableIterator<Entity> {
    return this.leavesOf(this.descendants(entity, { includeSelf: true }));
  }

  private *leavesOf(subtree: TreeIterator): IterableIterator<Entity> {
    for (const entity of subtree) if (this.links.first(entity & INDEX_MASK) === 0) yield entity;
  }

  // The flat order -----------------------------------------------------------------------------------------------------

  /**
   * The slots of the flat order that hold the entity and everything below it, in pre-order: `from` (its own) up to
   * `to`, which is not included. `tree.order.entityAt` tells who is in a slot. Brings the order to exact pre-order
   * first if it is not; valid until the tree changes.
   */
  subtreeRange(entity: Entity): readonly [from: number, to: number] {
    const node = this.node(entity, "read the range of a subtree");
    return this.order.range(node);
  }

  /** Brings the flat order to exact pre-order. Worth it after loading; it happens by itself when much has moved. */
  compact(): void {
    stateOf(this.world).requireUsable("compact the order");
    this.order.compact();
  }

  // How walks are driven -----------------------------------------------------------------------------------------------

  private drive(walk: Walk, visit: (entity: Entity) => Verdict): void {
    try {
      for (let node = walk.next(); node !== 0; node = walk.next()) {
        const verdict = visit(this.handleAt(node));
        if (verdict === "stop") return;
        if (verdict === "skip") walk.skip();
      }
    } finally {
      walk.close();
    }
  }

  /** `drive` for pre-order where the flat order is just that: one slot after the other, until the first change. */
  private visitFlat(
    order: FlatOrder,
    walk: PreorderWalk,
    from: number,
    to: number,
    visit: (entity: Entity) => Verdict,
  ): void {
    // Replaced only when the tree changes, and then the walk is frozen; put in order also when somebody asks for that.
    const { nodeAt, entityAt, end, version } = order;
    try {
      for (let slot = from; slot < to; slot++) {
        let entity = entityAt[slot] as Entity;
        if (entity === 0) {
          if (nodeAt[slot] === 0) continue;
          entity = this.handleAt(nodeAt[slot]);
        }
        walk.current = entity & INDEX_MASK;
        const verdict = visit(entity);
        if (verdict === "stop") return;
        if (walk.isFrozen || order.version !== version) {
          if (verdict === "skip") walk.skip();
          this.drive(walk, visit);
          return;
        }
        if (verdict === "skip") slot = end[slot] - 1;
      }
    } finally {
      walk.close();
    }
  }

  /** `drive` for pre-order, with the links read where they lie until the first change. */
  private visitLinked(
    links: LinkedLinks,
    walk: PreorderWalk,
    top: number,
    visit: (entity: Entity) => Verdict,
  ): number {
    let visited = 0;
    // Replaced only when an entity is created, and then the walk is frozen.
    const { records } = links;
    try {
      let node = walk.next();
      while (node !== 0) {
        const handle = records[(node << 3) | HANDLE];
        const verdict = visit(handle !== 0 ? (handle as Entity) : this.handleAt(node));
        visited++;
        if (verdict === "stop") return visited;
        if (walk.isFrozen) {
          if (verdict === "skip") walk.skip();
          this.drive(walk, visit);
          return visited;
        }
        let next = verdict === "skip" ? 0 : records[(node << 3) | FIRST];
        while (next === 0) {
          if (node === top) return visited;
          next = records[(node << 3) | NEXT];
          if (next === 0) node = records[(node << 3) | PARENT];
        }
        node = next;
        walk.current = node;
      }
      return visited;
    } finally {
      walk.close();
    }
  }
}

/** Any walk as an iterator over entities. Leaving a loop early ends it. */
class EntityIterator implements TreeIterator {
  private readonly host: { handleAt(node: number): Entity };
  private walk: Walk | undefined;

  constructor(host: { handleAt(node: number): Entity }, walk: Walk) {
    this.host = host;
    this.walk = walk;
  }

  next(): IteratorResult<Entity> {
    const node = this.walk?.next() ?? 0;
    return node === 0 ? this.return() : { done: false, value: this.host.handleAt(node) };
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
