/**
 * Reading a hierarchy, for users: what the first page of the guide does not use.
 */
import { type Entity, type EntityLike, indexOf } from "../../ecs/index.ts";
import { handleIn, INDEX_MASK } from "../../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { commonAncestorAt, countBelow, nodesUpTo } from "../links/measure.ts";
import { heightBelow } from "../links/preorder.ts";
import { entityAt, entityOrNull, nodeOf } from "../nodes.ts";
import type { Verdict } from "./verdict.ts";
import { EntityIterator, leavesIn, visitAncestors } from "./visit.ts";
import { type TraverseOptions, walkDescendants, walkSiblings } from "./walk.ts";

/** The next in the list that the entity stands in: of a child the next sibling, of a root the next root. */
export function nextInList(tree: Hierarchy, entity: EntityLike): Entity | null {
  const t = treeOf(tree);
  return entityOrNull(t, t.links.next(nodeOf(t, entity, "read the next sibling")));
}

/** The one before in the list that the entity stands in: among its siblings, or among the roots. */
export function previousInList(tree: Hierarchy, entity: EntityLike): Entity | null {
  const t = treeOf(tree);
  return entityOrNull(t, t.links.prev(nodeOf(t, entity, "read the previous sibling")));
}

/** Whether the entity has both a parent and children. */
export function isIntermediate(tree: Hierarchy, entity: EntityLike): boolean {
  const { links } = treeOf(tree);
  const node = nodeOf(treeOf(tree), entity, "ask for relatives");
  return links.parent(node) !== 0 && links.first(node) !== 0;
}

/** How many levels are below it; 0 for a leaf. Walks the subtree. */
export function heightOf(tree: Hierarchy, entity: EntityLike): number {
  const t = treeOf(tree);
  return heightBelow(t.links, nodeOf(t, entity, "read the height"));
}

/** How many entities are below it. Walks the subtree. */
export function descendantCount(tree: Hierarchy, entity: EntityLike): number {
  const t = treeOf(tree);
  return countBelow(t, nodeOf(t, entity, "count the descendants"));
}

/** Whether `entity` is somewhere below `ancestor`. `tree.isAncestor` the other way round. */
export function isDescendant(tree: Hierarchy, entity: EntityLike, ancestor: EntityLike): boolean {
  treeOf(tree);
  return tree.isAncestor(ancestor, entity);
}

/**
 * The deepest entity that is above both, or one of them if it is above the other; `null` in different trees.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const [turret, hatch] = [tree.attachNew(tank), tree.attachNew(tank)];
 * commonAncestor(tree, turret, hatch); // → tank
 * ```
 */
export function commonAncestor(tree: Hierarchy, a: EntityLike, b: EntityLike): Entity | null {
  const t = treeOf(tree);
  const doing = "compare entities";
  return entityOrNull(t, commonAncestorAt(t, nodeOf(t, a, doing), nodeOf(t, b, doing)));
}

/** The way from `a` to `b` through their common ancestor, both included; `null` in different trees. */
export function pathBetween(tree: Hierarchy, a: EntityLike, b: EntityLike): Entity[] | null {
  const t = treeOf(tree);
  const top = commonAncestor(tree, a, b);
  if (top === null) return null;
  const up = nodesUpTo(t, indexOf(a), top & INDEX_MASK);
  const down = nodesUpTo(t, indexOf(b), top & INDEX_MASK).reverse();
  return [...up, top & INDEX_MASK, ...down].map((node) => entityAt(t, node));
}

/**
 * Walks the siblings, without the entity itself. From the first on; with `from: "self"` those behind it, and with
 * `wrap` also those before it, all the way round. Roots have none. Safe while the tree changes, like `tree.children`.
 */
export function siblingsOf(
  tree: Hierarchy,
  entity: EntityLike,
  options: { readonly from?: "first" | "self"; readonly wrap?: boolean } = {},
): IterableIterator<Entity> {
  const t = treeOf(tree);
  return new EntityIterator(t, walkSiblings(t, handleIn(t.ecs, entity), options));
}

/** Calls `visit` for each ancestor, the parent first; ends early on `"stop"`. Safe like `tree.ancestors`. */
export function forEachAncestor(
  tree: Hierarchy,
  entity: EntityLike,
  visit: (ancestor: Entity) => Verdict,
  options: { readonly includeSelf?: boolean } = {},
): void {
  const t = treeOf(tree);
  visitAncestors(t, handleIn(t.ecs, entity), visit, options);
}

/** Walks those below that have no children; the entity itself if it has none. Safe like `tree.descendants`. */
export function leavesOf(tree: Hierarchy, entity: EntityLike): IterableIterator<Entity> {
  const t = treeOf(tree);
  return leavesIn(
    t,
    new EntityIterator(t, walkDescendants(t, handleIn(t.ecs, entity), { includeSelf: true })),
  );
}

/**
 * Walks everything below an entity in the opposite order of `tree.descendants` with the same options: the last one first. What is below is written down
 * by the call; what died or left the subtree meanwhile is passed over.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * const barrel = tree.attachNew(turret);
 * [...descendantsBackwards(tree, tank)]; // → [barrel, turret]
 * ```
 */
export function descendantsBackwards(
  tree: Hierarchy,
  entity: EntityLike,
  options: TraverseOptions = {},
): IterableIterator<Entity> {
  const top = handleIn(treeOf(tree).ecs, entity);
  const list = [...tree.descendants(top, options)];
  return backwards(tree, top, list, tree.version);
}

function* backwards(
  tree: Hierarchy,
  entity: Entity,
  list: readonly Entity[],
  version: number,
): IterableIterator<Entity> {
  for (let k = list.length - 1; k >= 0; k--) {
    const below = list[k];
    if (tree.version === version || isStillBelow(tree, below, entity)) yield below;
  }
}

function isStillBelow(tree: Hierarchy, below: Entity, top: Entity): boolean {
  const { world } = tree;
  return world.isAlive(below) && world.isAlive(top) && (below === top || tree.isAncestor(top, below));
}

/**
 * Walks the children (`null`: the roots) from the last to the first. The list is as it was when this was called, without those that died or left
 * meanwhile.
 */
export function childrenBackwards(tree: Hierarchy, entity: EntityLike | null): IterableIterator<Entity> {
  const parent = handleIn(treeOf(tree).ecs, entity);
  const list = tree.childrenOf(parent);
  return listBackwards(tree, parent, list);
}

function* listBackwards(
  tree: Hierarchy,
  entity: Entity | null,
  list: readonly Entity[],
): IterableIterator<Entity> {
  for (let k = list.length - 1; k >= 0; k--) {
    const child = list[k];
    if (tree.world.isAlive(child) && tree.parentOf(child) === entity) yield child;
  }
}
