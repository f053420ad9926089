/**
 * Reading a hierarchy. Nothing here changes anything, and nothing recurses.
 *
 * All calls take living entities and throw `DeadEntityError` otherwise; all answers are `null`, 0 or empty where there
 * is nothing to tell.
 */
import { type Entity, INDEX_MASK } from "../ecs/index.ts";
import { HierarchyCore } from "./core.ts";
import { LinkedLinks } from "./links.ts";
import { ChildrenWalk, createWalk, type Order, PreorderWalk, type Walk } from "./walk.ts";

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

export class HierarchyReader extends HierarchyCore {
  /** The parent, or `null` for a root. */
  parentOf(entity: Entity): Entity | null {
    return this.entityOrNull(this.links.parent(this.node(entity, "read the parent")));
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

  childCount(entity: Entity): number {
    return this.links.count(this.node(entity, "count the children"));
  }

  firstChild(entity: Entity): Entity | null {
    return this.entityOrNull(this.links.first(this.node(entity, "read the children")));
  }

  lastChild(entity: Entity): Entity | null {
    return this.entityOrNull(this.links.last(this.node(entity, "read the children")));
  }

  /** The next sibling, or `null` for the last one. Roots are siblings of each other. */
  nextSibling(entity: Entity): Entity | null {
    return this.entityOrNull(this.links.next(this.node(entity, "read a sibling")));
  }

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
      throw new TypeError(`Cannot read child ${String(index)}: an index is an integer.`);
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
    let count = 0;
    this.forEachDescendant(entity, () => {
      count++;
    });
    return count;
  }

  /** Whether `ancestor` is somewhere above `entity`. Nobody is above itself. */
  isAncestor(ancestor: Entity, entity: Entity): boolean {
    const above = this.node(ancestor, "compare entities");
    const { links } = this;
    for (let up = links.parent(this.node(entity, "compare entities")); up > 0; up = links.parent(up)) {
      if (up === above) return true;
    }
    return false;
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

  // Walks --------------------------------------------------------------------------------------------------------------

  /** Walks the children in order. Safe while the tree changes: the list is as it was when the walk began. */
  *children(entity: Entity | null): IterableIterator<Entity> {
    const walk = new ChildrenWalk(this, this.parentNode(entity, "walk the children"));
    try {
      for (let node = walk.next(); node !== 0; node = walk.next()) yield this.handleAt(node);
    } finally {
      walk.close();
    }
  }

  /** Calls `visit` for each child; ends early on `"stop"`. */
  forEachChild(entity: Entity | null, visit: (child: Entity, index: number) => Verdict): void {
    const parent = this.parentNode(entity, "walk the children");
    const walk = new ChildrenWalk(this, parent);
    try {
      let index = 0;
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
   * `wrap` also those before it, all the way round.
   */
  *siblings(
    entity: Entity,
    options: { readonly from?: "first" | "self"; readonly wrap?: boolean } = {},
  ): IterableIterator<Entity> {
    const self = this.node(entity, "walk the siblings");
    const list = this.childrenOf(this.entityOrNull(this.links.parent(self)));
    const parent = this.links.parent(self);
    const at = list.indexOf(this.handleAt(self));
    const behind = list.slice(at + 1);
    const before = list.slice(0, at);
    const all =
      options.from !== "self" ? [...before, ...behind] : options.wrap ? [...behind, ...before] : behind;
    for (const sibling of all) {
      const node = sibling & INDEX_MASK;
      if (this.isAliveAt(node, sibling) && this.links.parent(node) === parent) yield sibling;
    }
  }

  /** Walks up: the parent first, the root last. */
  *ancestors(entity: Entity, options: { readonly includeSelf?: boolean } = {}): IterableIterator<Entity> {
    const start = this.node(entity, "walk the ancestors");
    if (options.includeSelf) yield entity;
    for (let up = this.links.parent(start); up > 0; up = this.links.parent(up)) yield this.handleAt(up);
  }

  /** Calls `visit` for each ancestor, the parent first; ends early on `"stop"`. */
  forEachAncestor(entity: Entity, visit: (ancestor: Entity) => Verdict): void {
    const { links } = this;
    for (let up = links.parent(this.node(entity, "walk the ancestors")); up > 0; up = links.parent(up)) {
      if (visit(this.handleAt(up)) === "stop") return;
    }
  }

  /**
   * Walks everything below, in pre-order and sibling order unless told otherwise. Safe while the tree changes: each
   * list of children is as it was when its parent was given out. `skip()` leaves out what is below the last one.
   */
  descendants(entity: Entity, options: TraverseOptions = {}): TreeIterator {
    const top = this.node(entity, "walk the descendants");
    return this.iterate(createWalk(this, top, options.order ?? "pre", options.includeSelf ?? false));
  }

  /** Calls `visit` for everything below. `"skip"` leaves out what is below the entity (pre and level order). */
  forEachDescendant(entity: Entity, visit: (entity: Entity) => Verdict, options: TraverseOptions = {}): void {
    const top = this.node(entity, "walk the descendants");
    if ((options.order ?? "pre") === "pre" && !options.includeSelf && this.links instanceof LinkedLinks) {
      this.visitLinked(this.links, top, visit);
      return;
    }
    const walk = createWalk(this, top, options.order ?? "pre", options.includeSelf ?? false);
    this.drive(walk, visit);
  }

  /** Walks those below that have no children. */
  *leaves(entity: Entity): IterableIterator<Entity> {
    for (const descendant of this.descendants(entity, { includeSelf: true })) {
      if (this.isLeaf(descendant)) yield descendant;
    }
  }

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

  /** Pre-order without an object per step: reads the links directly and hands over to a real walk on the first change. */
  private visitLinked(links: LinkedLinks, top: number, visit: (entity: Entity) => Verdict): void {
    const state = { node: links.first(top), takenOver: undefined as Walk | undefined };
    if (state.node === 0) return;
    const watch = {
      freeze: () => {
        this.walks.delete(watch);
        state.takenOver = PreorderWalk.frozenAt(this, top, state.node);
      },
    };
    this.walks.add(watch);
    try {
      let node = state.node;
      const { table } = this.world;
      for (;;) {
        state.node = node;
        const verdict = visit(table.handleAt(node));
        if (verdict === "stop") return;
        if (state.takenOver !== undefined) {
          if (verdict === "skip") state.takenOver.skip();
          this.drive(state.takenOver, visit);
          return;
        }
        const { records } = links;
        const first = verdict === "skip" ? 0 : records[(node << 3) | 1];
        if (first !== 0) {
          node = first;
          continue;
        }
        let next = records[(node << 3) | 4];
        while (next === 0) {
          node = records[node << 3];
          if (node === top) return;
          next = records[(node << 3) | 4];
        }
        node = next;
      }
    } finally {
      this.walks.delete(watch);
    }
  }

  private iterate(walk: Walk): TreeIterator {
    const handleAt = (node: number) => this.handleAt(node);
    let done = false;
    const end = (): IteratorResult<Entity> => {
      done = true;
      walk.close();
      return { done: true, value: undefined };
    };
    return {
      next() {
        if (done) return { done: true, value: undefined };
        const node = walk.next();
        return node === 0 ? end() : { done: false, value: handleAt(node) };
      },
      return: end,
      skip: () => walk.skip(),
      [Symbol.iterator]() {
        return this;
      },
    };
  }
}
