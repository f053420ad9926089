/**
 * Reading a hierarchy. Nothing here changes anything.
 *
 * All calls take living entities and throw `DeadEntityError` otherwise; all answers are `null`, 0 or empty where there
 * is nothing to tell.
 */

import type { Entity, EventStream, World } from "../ecs/index.ts";
import { describeValue } from "../ecs/index.ts";
import {
  INDEX_MASK,
  refuseArgument,
  requireFunction,
  requireNumber,
  requireObject,
} from "../ecs/internal.ts";
import { createTree } from "./create-tree.ts";
import { InvalidEditError } from "./errors.ts";
import type { HierarchyEvent, SubtreeWatcher } from "./events/events.ts";
import { onDestroying } from "./events/listen.ts";
import type { ChildrenListener } from "./events/notices.ts";
import type { RawLinks } from "./links/links.ts";
import { LinksView } from "./links/links-view.ts";
import {
  childNodes,
  commonAncestorAt,
  countBelow,
  depthAt,
  isInside,
  nodesUpTo,
  rootAt,
} from "./links/measure.ts";
import { heightBelow } from "./links/preorder.ts";
import { find, findAll, pathOf, relativePath } from "./names/find.ts";
import { entityAt, entityOrNull, goneNode, labelOf, nodeOf, parentNodeOf } from "./nodes.ts";
import type { DestroyPolicy, HierarchyOptions } from "./options.ts";
import { FlatOrderView } from "./order/flat-order-view.ts";
import { orderOf, type TreeState } from "./state.ts";
import { registerTree } from "./trees.ts";
import type { Verdict } from "./walks/verdict.ts";
import {
  EntityIterator,
  leavesOf,
  type TreeIterator,
  visitAncestors,
  visitChildren,
  visitDescendants,
} from "./walks/visit.ts";
import {
  type TraverseOptions,
  walkAncestors,
  walkChildren,
  walkDescendants,
  walkSiblings,
} from "./walks/walk.ts";

/**
 * The key under which a hierarchy keeps its state, for the rooms of this package. The same in every copy of the library.
 */
export const TREE: unique symbol = Symbol.for("espalier.tree");

/** What a hierarchy holds, for the rooms of this package. */
export function treeOf(hierarchy: HierarchyReader): TreeState {
  return (
    (hierarchy as HierarchyReader | undefined | null)?.[TREE] ??
    refuseArgument(
      hierarchy,
      "use a tree",
      "it",
      "a hierarchy with children. Pass what createHierarchy() returned",
    )
  );
}

/** The part of `Hierarchy` that reads. */
export class HierarchyReader {
  /** @internal */
  readonly [TREE]: TreeState;
  /** The world whose entities are in it. */
  readonly world: World;
  /** The name of the hierarchy; unique in its world. */
  readonly name: string;
  /** What happens to the children of a destroyed entity, unless the call says otherwise. */
  readonly onDestroy: DestroyPolicy;
  /** The one stream of events. Nothing is recorded while it has no reader. */
  readonly events: EventStream<HierarchyEvent>;
  readonly #raw: RawLinks;
  #order: FlatOrderView | undefined;

  /** @internal Use `createHierarchy`. */
  constructor(world: World, options: HierarchyOptions) {
    const t = createTree(world, options);
    this[TREE] = t;
    this.world = world;
    this.name = t.name;
    this.onDestroy = t.onDestroy;
    this.events = t.events;
    this.#raw = new LinksView(t.links);
    registerTree(t.ecs, this);
  }

  /** Grows with every change of structure. */
  get version(): number {
    return this[TREE].version;
  }

  /** The limits this hierarchy was created with. */
  get limits(): { readonly maxChildren: number | undefined; readonly maxDepth: number | undefined } {
    const { maxChildren, limits } = this[TREE].options;
    return { maxChildren, maxDepth: limits?.max };
  }

  /** What one entity costs in the links, in bytes; 20 more in the flat order once it has been used. */
  get bytesPerNode(): number {
    return this[TREE].links.bytesPerNode;
  }

  /** The entity at an index of `raw` or `order`. */
  handleAt(node: number): Entity {
    requireNumber(node, "look for an entity", "the node");
    return entityAt(this[TREE], node);
  }

  /** `turret#3`, or `#3` where there is no name. */
  label(entity: Entity): string {
    return labelOf(this[TREE], entity);
  }

  // One entity -----------------------------------------------------------------------------------------------------------

  /** The parent, or `null` for a root. Inside observers and listeners also the last parent of what the call destroyed. */
  parentOf(entity: Entity): Entity | null {
    const t = this[TREE];
    const gone = goneNode(t, entity);
    if (gone !== undefined) return gone.parent;
    const node = nodeOf(t, entity, "read the parent");
    const parent = t.links.parentHandle(node);
    return parent > 0 ? (parent as Entity) : entityOrNull(t, t.links.parent(node));
  }

  /** The children in order, as a new array. For walking them, `children` or `forEachChild` are cheaper. */
  childrenOf(entity: Entity | null): Entity[] {
    const t = this[TREE];
    return childNodes(t, parentNodeOf(t, entity, "read the children")).map((node) => entityAt(t, node));
  }

  /** How many children (`null`: roots) there are. Constant time. */
  childCount(entity: Entity | null): number {
    const t = this[TREE];
    return t.links.count(parentNodeOf(t, entity, "count the children"));
  }

  /** The first child (`null`: root), or `null` if there is none. */
  firstChild(entity: Entity | null): Entity | null {
    const t = this[TREE];
    return entityOrNull(t, t.links.first(parentNodeOf(t, entity, "read the children")));
  }

  /** The last child (`null`: root), or `null` if there is none. */
  lastChild(entity: Entity | null): Entity | null {
    const t = this[TREE];
    return entityOrNull(t, t.links.last(parentNodeOf(t, entity, "read the children")));
  }

  /** The next sibling, or `null` for the last one. Roots have no siblings; for those see `nextInList`. */
  nextSibling(entity: Entity): Entity | null {
    const t = this[TREE];
    const node = nodeOf(t, entity, "read a sibling");
    return t.links.parent(node) === 0 ? null : entityOrNull(t, t.links.next(node));
  }

  /** The sibling before, or `null` for the first one and for roots. */
  previousSibling(entity: Entity): Entity | null {
    const t = this[TREE];
    const node = nodeOf(t, entity, "read a sibling");
    return t.links.parent(node) === 0 ? null : entityOrNull(t, t.links.prev(node));
  }

  /** The next in the list that the entity stands in: of a child the next sibling, of a root the next root. */
  nextInList(entity: Entity): Entity | null {
    const t = this[TREE];
    return entityOrNull(t, t.links.next(nodeOf(t, entity, "read the next sibling")));
  }

  /** The one before in the list that the entity stands in: among its siblings, or among the roots. */
  previousInList(entity: Entity): Entity | null {
    const t = this[TREE];
    return entityOrNull(t, t.links.prev(nodeOf(t, entity, "read the previous sibling")));
  }

  /**
   * The child at `index`; a negative one counts from the end. `null` outside the list. Walks up to 128 links in small
   * families; O(sqrt n) in larger ones, see `indexOf`.
   */
  childAt(entity: Entity | null, index: number): Entity | null {
    const t = this[TREE];
    const parent = parentNodeOf(t, entity, "read a child");
    if (!Number.isInteger(index))
      throw new InvalidEditError(`Cannot read child ${describeValue(index)}: an index is an integer.`, {
        value: index,
      });
    return entityOrNull(t, t.positions.at(parent, index < 0 ? index + t.links.count(parent) : index));
  }

  /**
   * The position among its siblings (of a root: among the roots). Up to 256 siblings are walked; above it is O(sqrt n), about
   * 10 microseconds at a million.
   */
  indexOf(entity: Entity): number {
    const t = this[TREE];
    return t.positions.indexOf(nodeOf(t, entity, "read the position"));
  }

  /** Whether the entity has no parent. */
  isRoot(entity: Entity): boolean {
    const t = this[TREE];
    return t.links.parent(nodeOf(t, entity, "ask for the parent")) === 0;
  }

  /** Whether the entity has no children. A lone entity is root and leaf. */
  isLeaf(entity: Entity): boolean {
    const t = this[TREE];
    return t.links.first(nodeOf(t, entity, "ask for children")) === 0;
  }

  /** Whether the entity has both a parent and children. */
  isIntermediate(entity: Entity): boolean {
    return !this.isRoot(entity) && !this.isLeaf(entity);
  }

  /** The entity at the top of the tree; the entity itself if it is a root. O(depth). */
  rootOf(entity: Entity): Entity {
    const t = this[TREE];
    return entityAt(t, rootAt(t, nodeOf(t, entity, "find the root")));
  }

  /** How many ancestors it has. O(depth), about 2 ns a level. */
  depthOf(entity: Entity): number {
    const t = this[TREE];
    return depthAt(t, nodeOf(t, entity, "read the depth"));
  }

  /** How many levels are below it; 0 for a leaf. Walks the subtree. */
  heightOf(entity: Entity): number {
    const t = this[TREE];
    return heightBelow(t.links, nodeOf(t, entity, "read the height"));
  }

  /** How many entities are below it. Walks the subtree. */
  descendantCount(entity: Entity): number {
    const t = this[TREE];
    return countBelow(t, nodeOf(t, entity, "count the descendants"));
  }

  /**
   * Whether `ancestor` is somewhere above `entity`. No entity is its own ancestor. O(depth), or two comparisons while
   * the flat order is exact.
   */
  isAncestor(ancestor: Entity, entity: Entity): boolean {
    const t = this[TREE];
    const above = nodeOf(t, ancestor, "compare entities");
    const node = nodeOf(t, entity, "compare entities");
    return node !== above && isInside(t, node, above);
  }

  /** Whether `entity` is somewhere below `ancestor`. */
  isDescendant(entity: Entity, ancestor: Entity): boolean {
    return this.isAncestor(ancestor, entity);
  }

  /** The deepest entity that is above both, or one of them if it is above the other; `null` in different trees. */
  commonAncestor(a: Entity, b: Entity): Entity | null {
    const t = this[TREE];
    const doing = "compare entities";
    return entityOrNull(t, commonAncestorAt(t, nodeOf(t, a, doing), nodeOf(t, b, doing)));
  }

  /** The way from `a` to `b` through their common ancestor, both included; `null` in different trees. */
  pathBetween(a: Entity, b: Entity): Entity[] | null {
    const t = this[TREE];
    const top = this.commonAncestor(a, b);
    if (top === null) return null;
    const up = nodesUpTo(t, a & INDEX_MASK, top & INDEX_MASK);
    const down = nodesUpTo(t, b & INDEX_MASK, top & INDEX_MASK).reverse();
    return [...up, top & INDEX_MASK, ...down].map((node) => entityAt(t, node));
  }

  // Names and paths ------------------------------------------------------------------------------------------------------

  /** The name of an entity, if it has one. Inside observers and listeners also that of what the call destroyed. */
  nameOf(entity: Entity): string | undefined {
    const t = this[TREE];
    const gone = goneNode(t, entity);
    if (gone !== undefined) return gone.name;
    return t.names.of(nodeOf(t, entity, "read the name"));
  }

  /** The child (`null`: the root) of that name; the first one if several share it; `null` if there is none. */
  childNamed(parent: Entity | null, name: string): Entity | null {
    const t = this[TREE];
    return entityOrNull(t, t.names.find(parentNodeOf(t, parent, "find a child"), name));
  }

  /**
   * The entity at the end of a path, or `null`. `/a/b` starts at the roots, `a/b` and `../a` at `from` (at the roots if
   * that is left out). `.` is the entity itself, `..` its parent, `#7` a child by its number, `\` escapes. O(length of the path).
   *
   * @example
   * ```ts
   * const { named } = spawnTree(tree, { name: "tank", children: [{ name: "turret" }] });
   * tree.find("/tank/turret"); // → named.turret
   * tree.find("..", named.turret); // → named.tank
   * ```
   */
  find(path: string, from: Entity | null = null): Entity | null {
    return find(this[TREE], path, from);
  }

  /**
   * All entities that match a pattern, in tree order, each once: `*` is any part of a name, `?` one character, `**` any
   * number of levels. Unnamed entities match only `**`.
   */
  findAll(pattern: string, from: Entity | null = null): Entity[] {
    return findAll(this[TREE], pattern, from);
  }

  /**
   * A path that leads to the entity from the roots. Entities without a name, and those that `find` would not reach by
   * it because an earlier sibling has the same, appear as `#7`.
   */
  pathOf(entity: Entity): string {
    return pathOf(this[TREE], entity);
  }

  /** A path that leads to `entity` from `from`; through the roots when they are in different trees. */
  relativePath(from: Entity, entity: Entity): string {
    return relativePath(this[TREE], from, entity);
  }

  // Walks ----------------------------------------------------------------------------------------------------------------

  /** Walks the children in order. Safe while the tree changes: the list is as it was when the walk began. */
  children(entity: Entity | null): IterableIterator<Entity> {
    const t = this[TREE];
    return new EntityIterator(t, walkChildren(t, parentNodeOf(t, entity, "walk the children")));
  }

  /** Calls `visit` for each child; ends early on `"stop"`. Safe while the tree changes, like `children`. */
  forEachChild(entity: Entity | null, visit: (child: Entity, index: number) => Verdict): void {
    const t = this[TREE];
    visitChildren(t, parentNodeOf(t, entity, "walk the children"), visit);
  }

  /** Walks the roots in order. */
  roots(): IterableIterator<Entity> {
    return this.children(null);
  }

  /** How many entities have no parent. */
  get rootCount(): number {
    return this[TREE].links.count(0);
  }

  /**
   * Walks the siblings, without the entity itself. From the first on; with `from: "self"` those behind it, and with
   * `wrap` also those before it, all the way round. Roots have none. Safe while the tree changes, like `children`.
   */
  siblings(
    entity: Entity,
    options: { readonly from?: "first" | "self"; readonly wrap?: boolean } = {},
  ): IterableIterator<Entity> {
    return new EntityIterator(this[TREE], walkSiblings(this[TREE], entity, options));
  }

  /**
   * Walks up: the parent first, the root last. Safe while the tree changes: the ancestors are those it had when the
   * walk began, without those that died.
   */
  ancestors(entity: Entity, options: { readonly includeSelf?: boolean } = {}): IterableIterator<Entity> {
    return new EntityIterator(this[TREE], walkAncestors(this[TREE], entity, options));
  }

  /** Calls `visit` for each ancestor, the parent first; ends early on `"stop"`. Safe like `ancestors`. */
  forEachAncestor(
    entity: Entity,
    visit: (ancestor: Entity) => Verdict,
    options: { readonly includeSelf?: boolean } = {},
  ): void {
    visitAncestors(this[TREE], entity, visit, options);
  }

  /**
   * Walks everything below, in pre-order and sibling order unless `options` say otherwise. Safe while the tree changes: each
   * list of children is as it was when its parent was given out. `skip()` leaves out what is below the last one.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * const turret = tree.attachNew(tank);
   * const barrel = tree.attachNew(turret);
   * [...tree.descendants(tank)]; // → [turret, barrel]
   * ```
   */
  descendants(entity: Entity, options: TraverseOptions = {}): TreeIterator {
    return new EntityIterator(this[TREE], walkDescendants(this[TREE], entity, options));
  }

  /** Calls `visit` for everything below. `"skip"` leaves out what is below the entity (pre and level order). */
  forEachDescendant(entity: Entity, visit: (entity: Entity) => Verdict, options: TraverseOptions = {}): void {
    visitDescendants(this[TREE], entity, visit, options);
  }

  /** Walks those below that have no children; the entity itself if it has none. Safe like `descendants`. */
  leaves(entity: Entity): IterableIterator<Entity> {
    return leavesOf(this[TREE], this.descendants(entity, { includeSelf: true }));
  }

  // Listening ------------------------------------------------------------------------------------------------------------

  /**
   * Calls `watcher` when a subtree comes under `entity` or goes from under it. A move inside is neither. Of a
   * destroyed subtree every entity is reported, children first. Returns a function that ends it; it also ends when
   * the entity is destroyed.
   */
  watchSubtree(entity: Entity, watcher: SubtreeWatcher): () => void {
    const t = this[TREE];
    requireObject(watcher, "watch a subtree", "the watcher");
    return t.notices.watch(nodeOf(t, entity, "watch a subtree"), watcher);
  }

  /**
   * Calls `listener` with each entity (`null`: the roots) whose list of children changed, also when it became empty;
   * once per call, however many came and went in it. Returns a function that ends it.
   */
  onChildrenChanged(listener: ChildrenListener): () => void {
    requireFunction(listener, "listen to children", "the listener");
    return this[TREE].notices.listen(listener);
  }

  /**
   * Calls `listener` with every entity that is about to be destroyed, parents first, before anything goes. It may detach
   * or move some: those live on. Returns a function that ends it.
   */
  onDestroying(listener: (entity: Entity) => void): () => void {
    return onDestroying(this[TREE], listener);
  }

  // Fast loops -----------------------------------------------------------------------------------------------------------

  /**
   * Advanced: the links by index (`indexOf(entity)` of `espalier`), for loops that read nothing else. 0 stands for
   * none, and as a parent for the list of roots. Nothing is checked: the answers for an index that no living entity has mean
   * nothing.
   */
  get raw(): RawLinks {
    return this.#raw;
  }

  /** The parents-first order. Kept up to date from the first time it is asked for. */
  get order(): FlatOrderView {
    this.#order ??= new FlatOrderView(orderOf(this[TREE]));
    return this.#order;
  }

  /** Whether the order has been used yet. */
  get hasOrder(): boolean {
    return this[TREE].order !== undefined;
  }

  /**
   * The slots of the flat order that hold the entity and everything below it, in pre-order: `from` (its own) up to
   * `to`, which is not included. `tree.order.entityAt` has the entity of a slot. Brings the order to exact pre-order
   * first if it is not; valid until the tree changes.
   */
  subtreeRange(entity: Entity): readonly [from: number, to: number] {
    const t = this[TREE];
    const node = nodeOf(t, entity, "read the range of a subtree");
    return orderOf(t).range(node);
  }

  /** Brings the flat order to exact pre-order. Worth it after loading; it happens by itself when much has moved. */
  compact(): void {
    const t = this[TREE];
    t.ecs.requireUsable("compact the order");
    orderOf(t).compact();
  }
}
