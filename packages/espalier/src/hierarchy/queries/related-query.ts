/**
 * Queries as pairs of parent and child, and queries in tree order.
 */

import { type Entity, type EntityLike, handleOf, type Query, type Term } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";
import { requireQuery, requireTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { orderOf } from "../state.ts";

/** A parent and one of its children. */
export type Pair = readonly [parent: Entity, child: Entity];

/**
 * The matches of a query seen through a tree: only entities that match are listed, each with its parent. Walks are
 * safe while the tree changes, by the rules of `Hierarchy.descendants`.
 */
export class HierarchyQuery<T extends readonly Term[]> {
  private readonly tree: Hierarchy;
  private readonly query: Query<T>;

  constructor(tree: Hierarchy, query: Query<T>) {
    this.tree = tree;
    this.query = query;
  }

  /** Matching roots. */
  *roots(): IterableIterator<Entity> {
    for (const root of this.tree.roots()) if (this.query.includes(root)) yield root;
  }

  /** The parent of `child` if it matches, with it; `null` otherwise. */
  parent(child: EntityLike): Pair | null {
    const parent = this.tree.parentOf(child);
    return parent !== null && this.query.includes(parent) ? [parent, handleOf(this.tree.world, child)] : null;
  }

  /** Matching children of `parent`, in order. */
  *children(parent: EntityLike): IterableIterator<Pair> {
    const above = handleOf(this.tree.world, parent);
    for (const child of this.tree.children(above)) if (this.query.includes(child)) yield [above, child];
  }

  /** Matching entities below `ancestor`, depth first, each with its own parent. */
  *descendants(ancestor: EntityLike): IterableIterator<Pair> {
    for (const child of this.tree.descendants(ancestor)) {
      if (this.query.includes(child)) yield [this.tree.parentOf(child) as Entity, child];
    }
  }

  /** Matching ancestors of `entity`, nearest first, each with the child through which it was reached. */
  *ancestors(entity: EntityLike): IterableIterator<Pair> {
    let child = handleOf(this.tree.world, entity);
    for (const ancestor of this.tree.ancestors(entity)) {
      if (this.query.includes(ancestor)) yield [ancestor, child];
      child = ancestor;
    }
  }
}

/** Sees a query through a tree: `throughTree(tree, world.query(Health)).descendants(tank)`. */
export function throughTree<const T extends readonly Term[]>(
  tree: Hierarchy,
  query: Query<T>,
): HierarchyQuery<T> {
  requireTree(tree, "see a query through a tree");
  requireQuery(tree, query, "see a query through a tree");
  return new HierarchyQuery(tree, query);
}

/**
 * The matches of a query with every parent before its children. Costs a sort of the matches, or one pass over the
 * flat order when most entities match.
 */
export function parentsFirst<const T extends readonly Term[]>(tree: Hierarchy, query: Query<T>): Entity[] {
  requireTree(tree, "sort a query");
  requireQuery(tree, query, "sort a query");
  const order = orderOf(treeOf(tree));
  order.sync();
  const matches = query.ids();
  if (matches.length * 8 > order.count) {
    const found: Entity[] = [];
    for (let slot = 1; slot < order.tail; slot++) {
      const node = order.nodeAt[slot];
      if (node !== 0 && query.holds(node)) found.push(tree.world.handleAt(node));
    }
    return found;
  }
  return matches.sort((a, b) => order.slotOf[a & INDEX_MASK] - order.slotOf[b & INDEX_MASK]);
}
