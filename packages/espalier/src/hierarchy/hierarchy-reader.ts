/**
 * Reading a hierarchy. Nothing here changes anything.
 *
 * All calls take living entities and throw `DeadEntityError` otherwise; all answers are `null`, 0 or empty where there
 * is nothing.
 */

import type { Entity, EntityLike, EventStream, World } from "../ecs/index.ts";
import { describeValue } from "../ecs/index.ts";
import { handleIn, refuseArgument } from "../ecs/internal.ts";
import { createTree } from "./create-tree.ts";
import { InvalidEditError } from "./errors.ts";
import type { HierarchyEvent } from "./events/events.ts";
import { childNodes, depthAt, isInside, rootAt } from "./links/measure.ts";
import { find, pathOf } from "./names/find.ts";
import { entityAt, entityOrNull, goneNode, labelOf, nodeOf, parentNodeOf } from "./nodes.ts";
import type { DestroyPolicy, HierarchyOptions } from "./options.ts";
import type { TreeState } from "./state.ts";
import { registerTree } from "./trees.ts";
import type { Verdict } from "./walks/verdict.ts";
import { EntityIterator, type TreeIterator, visitChildren, visitDescendants } from "./walks/visit.ts";
import { type TraverseOptions, walkAncestors, walkChildren, walkDescendants } from "./walks/walk.ts";

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

  /** @internal Use `createHierarchy`. */
  constructor(world: World, options: HierarchyOptions) {
    const t = createTree(world, options);
    this[TREE] = t;
    this.world = world;
    this.name = t.name;
    this.onDestroy = t.onDestroy;
    this.events = t.events;
    registerTree(t.ecs, this);
  }

  /** Grows with every change of structure. */
  get version(): number {
    return this[TREE].version;
  }

  /** `turret#3`, or `#3` where there is no name. */
  label(entity: EntityLike): string {
    return labelOf(this[TREE], entity);
  }

  // One entity -----------------------------------------------------------------------------------------------------------

  /** The parent, or `null` for a root. Inside observers and listeners also the last parent of what the call destroyed. */
  parentOf(entity: EntityLike): Entity | null {
    const t = this[TREE];
    const gone = goneNode(t, entity);
    if (gone !== undefined) return gone.parent;
    const node = nodeOf(t, entity, "read the parent");
    const parent = t.links.parentHandle(node);
    return parent > 0 ? (parent as Entity) : entityOrNull(t, t.links.parent(node));
  }

  /** The children in order, as a new array. For walking them, `children` or `forEachChild` are cheaper. */
  childrenOf(entity: EntityLike | null): Entity[] {
    const t = this[TREE];
    return childNodes(t, parentNodeOf(t, entity, "read the children")).map((node) => entityAt(t, node));
  }

  /** How many children (`null`: roots) there are. Constant time. */
  childCount(entity: EntityLike | null): number {
    const t = this[TREE];
    return t.links.count(parentNodeOf(t, entity, "count the children"));
  }

  /** The first child (`null`: root), or `null` if there is none. */
  firstChild(entity: EntityLike | null): Entity | null {
    const t = this[TREE];
    return entityOrNull(t, t.links.first(parentNodeOf(t, entity, "read the children")));
  }

  /** The last child (`null`: root), or `null` if there is none. */
  lastChild(entity: EntityLike | null): Entity | null {
    const t = this[TREE];
    return entityOrNull(t, t.links.last(parentNodeOf(t, entity, "read the children")));
  }

  /** The next sibling, or `null` for the last one. Roots have no siblings; for those see `nextInList`. */
  nextSibling(entity: EntityLike): Entity | null {
    const t = this[TREE];
    const node = nodeOf(t, entity, "read a sibling");
    return t.links.parent(node) === 0 ? null : entityOrNull(t, t.links.next(node));
  }

  /** The sibling before, or `null` for the first one and for roots. */
  previousSibling(entity: EntityLike): Entity | null {
    const t = this[TREE];
    const node = nodeOf(t, entity, "read a sibling");
    return t.links.parent(node) === 0 ? null : entityOrNull(t, t.links.prev(node));
  }

  /**
   * The child at `index`; a negative one counts from the end. `null` outside the list. Walks up to 128 links in small
   * families; O(sqrt n) in larger ones, see `indexOf`.
   */
  childAt(entity: EntityLike | null, index: number): Entity | null {
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
  indexOf(entity: EntityLike): number {
    const t = this[TREE];
    return t.positions.indexOf(nodeOf(t, entity, "read the position"));
  }

  /** Whether the entity has no parent. */
  isRoot(entity: EntityLike): boolean {
    const t = this[TREE];
    return t.links.parent(nodeOf(t, entity, "ask for the parent")) === 0;
  }

  /** Whether the entity has no children. A lone entity is root and leaf. */
  isLeaf(entity: EntityLike): boolean {
    const t = this[TREE];
    return t.links.first(nodeOf(t, entity, "ask for children")) === 0;
  }

  /** The entity at the top of the tree; the entity itself if it is a root. O(depth). */
  rootOf(entity: EntityLike): Entity {
    const t = this[TREE];
    return entityAt(t, rootAt(t, nodeOf(t, entity, "find the root")));
  }

  /** How many ancestors it has. O(depth), about 2 ns a level. */
  depthOf(entity: EntityLike): number {
    const t = this[TREE];
    return depthAt(t, nodeOf(t, entity, "read the depth"));
  }

  /**
   * Whether `ancestor` is somewhere above `entity`. No entity is its own ancestor. O(depth), or two comparisons while
   * the flat order is exact.
   */
  isAncestor(ancestor: EntityLike, entity: EntityLike): boolean {
    const t = this[TREE];
    const above = nodeOf(t, ancestor, "compare entities");
    const node = nodeOf(t, entity, "compare entities");
    return node !== above && isInside(t, node, above);
  }

  // Names and paths ------------------------------------------------------------------------------------------------------

  /** The name of an entity, if it has one. Inside observers and listeners also that of what the call destroyed. */
  nameOf(entity: EntityLike): string | undefined {
    const t = this[TREE];
    const gone = goneNode(t, entity);
    if (gone !== undefined) return gone.name;
    return t.names.of(nodeOf(t, entity, "read the name"));
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
  find(path: string, from: EntityLike | null = null): Entity | null {
    const t = this[TREE];
    return find(t, path, handleIn(t.ecs, from));
  }

  /**
   * A path that leads to the entity from the roots. Entities without a name, and those that `find` would not reach by
   * it because an earlier sibling has the same, appear as `#7`.
   */
  pathOf(entity: EntityLike): string {
    const t = this[TREE];
    return pathOf(t, handleIn(t.ecs, entity));
  }

  // Walks ----------------------------------------------------------------------------------------------------------------

  /** Walks the children in order. Safe while the tree changes: the list is as it was when the walk began. */
  children(entity: EntityLike | null): IterableIterator<Entity> {
    const t = this[TREE];
    return new EntityIterator(t, walkChildren(t, parentNodeOf(t, entity, "walk the children")));
  }

  /** Calls `visit` for each child; ends early on `"stop"`. Safe while the tree changes, like `children`. */
  forEachChild(entity: EntityLike | null, visit: (child: Entity, index: number) => Verdict): void {
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
   * Walks up: the parent first, the root last. Safe while the tree changes: the ancestors are those it had when the
   * walk began, without those that died.
   */
  ancestors(entity: EntityLike, options: { readonly includeSelf?: boolean } = {}): IterableIterator<Entity> {
    const t = this[TREE];
    return new EntityIterator(t, walkAncestors(t, handleIn(t.ecs, entity), options));
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
  descendants(entity: EntityLike, options: TraverseOptions = {}): TreeIterator {
    const t = this[TREE];
    return new EntityIterator(t, walkDescendants(t, handleIn(t.ecs, entity), options));
  }

  /** Calls `visit` for everything below. `"skip"` leaves out what is below the entity (pre and level order). */
  forEachDescendant(
    entity: EntityLike,
    visit: (entity: Entity) => Verdict,
    options: TraverseOptions = {},
  ): void {
    const t = this[TREE];
    visitDescendants(t, handleIn(t.ecs, entity), visit, options);
  }
}
