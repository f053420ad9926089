/**
 * What queries can ask of a tree: `world.query(Sprite, not(Hidden), isRoot(tree), parentHas(tree, Panel))`.
 *
 * The terms are answered from the links while the query runs, so they need no upkeep; what each costs per candidate is
 * said with it.
 */

import {
  type AnyComponent,
  type Entity,
  type EntityLike,
  type FilterTerm,
  formatEntity,
  type RelatedTerm,
  related,
  where,
} from "../../ecs/index.ts";
import { checkOptions, stateOf } from "../../ecs/internal.ts";
import { requireAnyTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { PARENTS, UpHierarchy } from "../up-hierarchy.ts";
import { DescendantCounts } from "./descendant-counts.ts";
import { formerParents } from "./former-parents.ts";

/** What has parents: a tree, or parent pointers alone. */
export type AnyHierarchy = Hierarchy | UpHierarchy;

/** Entities without a parent. One look-up. */
export function isRoot(tree: AnyHierarchy): FilterTerm {
  const parent = parentsOf(tree);
  return where("isRoot", (node) => parent(node) === 0, tree.world);
}

/** Entities with a parent. One look-up. */
export function hasParent(tree: AnyHierarchy): FilterTerm {
  const parent = parentsOf(tree);
  return where("hasParent", (node) => parent(node) !== 0, tree.world);
}

/** Options of `hasChildren`. */
export interface HasChildrenOptions {
  /**
   * Match also entities that had children since this option was first used with the tree: an entity goes on matching when its
   * last child leaves. Costs a note per entity that gets a child.
   */
  readonly keepEmpty?: boolean;
}

/** Entities with children. One look-up. */
export function hasChildren(tree: Hierarchy, options: HasChildrenOptions = {}): FilterTerm {
  const { links } = treeOf(tree);
  checkOptions(tree.world.checks, "query a tree", options, { keepEmpty: "boolean" });
  if (options.keepEmpty !== true) return where("hasChildren", (node) => links.first(node) !== 0, tree.world);
  const former = formerParents(tree);
  const test = (node: number) => links.first(node) !== 0 || former(node);
  return where("hasChildren({ keepEmpty: true })", test, tree.world);
}

/** The children of `parent`. One look-up; nothing matches once it is dead. */
export function childOf(tree: AnyHierarchy, parent: EntityLike): FilterTerm {
  const parentOf = parentsOf(tree);
  const node = stateOf(tree.world).require(parent, "query its children");
  const entity = stateOf(tree.world).handleAt(node);
  return where(
    `childOf(${labelOf(tree, entity)})`,
    (n) => parentOf(n) === node && tree.world.isAlive(entity),
    tree.world,
  );
}

/** Everything below `ancestor`. O(depth). */
export function descendantOf(tree: AnyHierarchy, ancestor: EntityLike): FilterTerm {
  const parentOf = parentsOf(tree);
  const top = stateOf(tree.world).require(ancestor, "query its descendants");
  const entity = stateOf(tree.world).handleAt(top);
  const test = (node: number) => {
    if (!tree.world.isAlive(entity)) return false;
    for (let up = parentOf(node); up > 0; up = parentOf(up)) if (up === top) return true;
    return false;
  };
  return where(`descendantOf(${labelOf(tree, entity)})`, test, tree.world);
}

/** Entities whose parent has `component`; the callback gets the parent's values. Two look-ups. */
export function parentHas<C extends AnyComponent>(tree: AnyHierarchy, component: C): RelatedTerm<C> {
  const has = hasComponent(tree, component);
  const parentOf = parentsOf(tree);
  const resolve = (node: number) => {
    const parent = parentOf(node);
    return parent !== 0 && has(parent) ? parent : 0;
  };
  return related(`parentHas(${component.name})`, component, resolve, tree.world);
}

/** Options of `ancestorHas`. */
export interface AncestorHasOptions {
  /** Ask the entity itself first: "self or above". */
  readonly includeSelf?: boolean;
}

/**
 * Entities with an ancestor that has `component`; the callback gets the nearest one's values, and `query.sourceOf(entity, term)`
 * says which that is. O(depth).
 *
 * @example
 * ```ts
 * const Team = component("Team", { number: u8() });
 * const base = world.spawn(Team({ number: 2 }));
 * const tank = tree.attachNew(base);
 * const team = ancestorHas(tree, Team, { includeSelf: true });
 * const query = world.query(team);
 * query.count(); // → 2
 * query.sourceOf(tank, team); // → base
 * ```
 */
export function ancestorHas<C extends AnyComponent>(
  tree: AnyHierarchy,
  component: C,
  options: AncestorHasOptions = {},
): RelatedTerm<C> {
  const has = hasComponent(tree, component);
  const parentOf = parentsOf(tree);
  checkOptions(tree.world.checks, "query a tree", options, { includeSelf: "boolean" });
  const isSelf = options.includeSelf ?? false;
  const resolve = (node: number) => {
    for (let up = isSelf ? node : parentOf(node); up > 0; up = parentOf(up)) if (has(up)) return up;
    return 0;
  };
  const name = `ancestorHas(${component.name}${isSelf ? ", { includeSelf: true }" : ""})`;
  return related(name, component, resolve, tree.world);
}

/**
 * Entities with something below them that has `component`. Counts are kept for every entity from the first use on:
 * the question is one look-up, and each add, remove and attach of `component`'s owners is O(depth).
 */
export function descendantHas(tree: Hierarchy, component: AnyComponent): FilterTerm {
  const counts = DescendantCounts.of(tree, component);
  return where(`descendantHas(${component.name})`, (node) => counts.below(node) > 0, tree.world);
}

/**
 * Entities with a child that has `component`; the callback gets the first one's values. Looks at the
 * children in order until it finds one.
 *
 * @example
 * ```ts
 * const Gun = component("Gun", { rounds: u8(6) });
 * const tank = world.spawn();
 * tree.attachNew(tank);
 * tree.attachNew(tank, Gun({ rounds: 3 }));
 * world.query(childHas(tree, Gun)).each((entity, gun) => console.log(entity === tank, gun.rounds));
 * // → true 3
 * ```
 */
export function childHas<C extends AnyComponent>(tree: Hierarchy, component: C): RelatedTerm<C> {
  const has = hasComponent(tree, component);
  const { links } = treeOf(tree);
  const resolve = (node: number) => {
    let child = links.first(node);
    while (child !== 0 && !has(child)) child = links.next(child);
    return child;
  };
  return related(`childHas(${component.name})`, component, resolve, tree.world);
}

/**
 * Entities with a sibling (other than themselves) that has `component`; the callback gets the first one's values. Roots
 * have no siblings. Each family is looked through once and then remembered until something changes: one
 * look-up.
 */
export function siblingHas<C extends AnyComponent>(tree: Hierarchy, component: C): RelatedTerm<C> {
  const has = hasComponent(tree, component);
  const { world } = tree;
  const { links } = treeOf(tree);
  /** By parent: the first child with the component; by its negative the second. */
  const found = new Map<number, number>();
  let treeVersion = tree.version;
  let worldVersion = world.version;
  const next = (node: number) => {
    let n = node;
    while (n !== 0 && !has(n)) n = links.next(n);
    return n;
  };
  const resolve = (node: number) => {
    if (treeVersion !== tree.version || worldVersion !== world.version) {
      found.clear();
      treeVersion = tree.version;
      worldVersion = world.version;
    }
    if (links.parent(node) === 0) return 0;
    const key = links.parent(node) + 1;
    let first = found.get(key);
    if (first === undefined) found.set(key, (first = next(links.first(key - 1))));
    if (first !== node) return first;
    let second = found.get(-key);
    if (second === undefined) found.set(-key, (second = next(links.next(first))));
    return second;
  };
  return related(`siblingHas(${component.name})`, component, resolve, world);
}

/** Gives the parent of a node, 0 for none. */
function parentsOf(tree: AnyHierarchy): (node: number) => number {
  requireAnyTree(tree, "query a tree");
  const { links } = tree instanceof UpHierarchy ? tree[PARENTS] : treeOf(tree);
  return (node) => links.parent(node);
}

function labelOf(tree: AnyHierarchy, entity: Entity): string {
  return tree instanceof UpHierarchy ? formatEntity(entity) : tree.label(entity);
}

function hasComponent(tree: AnyHierarchy, component: AnyComponent): (node: number) => boolean {
  requireAnyTree(tree, "query a tree");
  const { world } = tree;
  const { id } = stateOf(world).store(component);
  return (node) => stateOf(world).archetypeAt(node)?.has[id] === 1;
}
