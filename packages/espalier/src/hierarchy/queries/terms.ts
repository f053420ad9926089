/**
 * What queries can ask of a tree: `world.query(Sprite, not(Hidden), isRoot(tree), parentHas(tree, Panel))`.
 *
 * The terms are answered from the links while the query runs, so they need no upkeep; what each costs per candidate is
 * said with it.
 */
import {
  type AnyComponent,
  type Entity,
  type FilterTerm,
  formatEntity,
  type RelatedTerm,
  related,
  where,
} from "../../ecs/index.ts";
import { stateOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { UpHierarchy, upParents } from "../up-hierarchy.ts";
import { DescendantCounts } from "./descendant-counts.ts";

/** What has parents: a tree, or parent pointers alone. */
export type AnyHierarchy = Hierarchy | UpHierarchy;

/** Entities without a parent. One look-up. */
export function isRoot(tree: AnyHierarchy): FilterTerm {
  const parent = parentsOf(tree);
  return where("isRoot", (node) => parent(node) === 0);
}

/** Entities with a parent. One look-up. */
export function hasParent(tree: AnyHierarchy): FilterTerm {
  const parent = parentsOf(tree);
  return where("hasParent", (node) => parent(node) !== 0);
}

/** Entities with children. One look-up. */
export function hasChildren(tree: Hierarchy): FilterTerm {
  const { links } = treeOf(tree);
  return where("hasChildren", (node) => links.first(node) !== 0);
}

/** The children of `parent`. One look-up; nothing matches once it is dead. */
export function childOf(tree: AnyHierarchy, parent: Entity): FilterTerm {
  const node = stateOf(tree.world).require(parent, "query its children");
  const parentOf = parentsOf(tree);
  return where(
    `childOf(${labelOf(tree, parent)})`,
    (n) => parentOf(n) === node && tree.world.isAlive(parent),
  );
}

/** Everything below `ancestor`. Costs the depth. */
export function descendantOf(tree: AnyHierarchy, ancestor: Entity): FilterTerm {
  const top = stateOf(tree.world).require(ancestor, "query its descendants");
  const parentOf = parentsOf(tree);
  return where(`descendantOf(${labelOf(tree, ancestor)})`, (node) => {
    if (!tree.world.isAlive(ancestor)) return false;
    for (let up = parentOf(node); up > 0; up = parentOf(up)) if (up === top) return true;
    return false;
  });
}

/** Entities whose parent has `component`; the callback gets the parent's values. Two look-ups. */
export function parentHas<C extends AnyComponent>(tree: AnyHierarchy, component: C): RelatedTerm<C> {
  const has = hasComponent(tree, component);
  const parentOf = parentsOf(tree);
  return related(`parentHas(${component.name})`, component, (node) => {
    const parent = parentOf(node);
    return parent !== 0 && has(parent) ? parent : 0;
  });
}

/** Entities with an ancestor that has `component`; the callback gets the nearest one's values. Costs the way up to it. */
export function ancestorHas<C extends AnyComponent>(tree: AnyHierarchy, component: C): RelatedTerm<C> {
  const has = hasComponent(tree, component);
  const parentOf = parentsOf(tree);
  return related(`ancestorHas(${component.name})`, component, (node) => {
    for (let up = parentOf(node); up > 0; up = parentOf(up)) if (has(up)) return up;
    return 0;
  });
}

/**
 * Entities with something below them that has `component`. Counts are kept for every entity from the first use on:
 * the question is one look-up, and each add, remove and attach of `component`'s owners costs the depth.
 */
export function descendantHas(tree: Hierarchy, component: AnyComponent): FilterTerm {
  const counts = DescendantCounts.of(tree, component);
  return where(`descendantHas(${component.name})`, (node) => counts.below(node) > 0);
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
  return related(`siblingHas(${component.name})`, component, (node) => {
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
  });
}

/** Gives the parent of a node, 0 for none. */
function parentsOf(tree: AnyHierarchy): (node: number) => number {
  if (tree instanceof UpHierarchy) return upParents(tree);
  const { links } = treeOf(tree);
  return (node) => links.parent(node);
}

function labelOf(tree: AnyHierarchy, entity: Entity): string {
  return tree instanceof UpHierarchy ? formatEntity(entity) : tree.label(entity);
}

function hasComponent(tree: AnyHierarchy, component: AnyComponent): (node: number) => boolean {
  const { world } = tree;
  const { id } = stateOf(world).store(component);
  return (node) => stateOf(world).archetypeAt(node)?.has[id] === 1;
}
