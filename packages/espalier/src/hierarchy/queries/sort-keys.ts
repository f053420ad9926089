/**
 * Orders of a tree for `sortedQuery`, and matches by their parents.
 */
import { type Entity, indexOf, type Query, type SortBy, type Term } from "../../ecs/index.ts";
import { requireQuery, requireTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { orderOf } from "../state.ts";

/**
 * For `sortedQuery`: roots first, then their children, level by level.
 *
 * @example
 * ```ts
 * const Part = tag("Part");
 * const child = world.spawn(Part);
 * const top = world.spawn(Part);
 * tree.attach(child, top);
 * sortedQuery(world.query(Part), byDepth(tree)).ids(); // → [top, child]
 * ```
 */
export function byDepth(tree: Hierarchy): SortBy {
  requireTree(tree, "sort a query");
  return { key: (entity) => tree.depthOf(entity), version: () => tree.version };
}

/**
 * For `sortedQuery`: as `tree.descendants` walks, each parent before its children and siblings in order. What is drawn first comes first.
 *
 * @example
 * ```ts
 * const Part = tag("Part");
 * const [top, late] = [world.spawn(Part), world.spawn(Part)];
 * const child = tree.attachNew(top, Part);
 * sortedQuery(world.query(Part), byTreeOrder(tree)).ids(); // → [top, child, late]
 * ```
 */
export function byTreeOrder(tree: Hierarchy): SortBy {
  const t = treeOf(tree);
  return {
    key: (entity) => orderOf(t).slotOf[indexOf(entity)],
    version() {
      const order = orderOf(t);
      if (!order.exact) order.compact();
      return order.version;
    },
  };
}

/**
 * The matches of a query by their parents (`null`: the roots among them), each group in the order of the query.
 *
 * @example
 * ```ts
 * const Wheel = tag("Wheel");
 * const [car, bike] = [world.spawn(), world.spawn()];
 * const wheels = [tree.attachNew(car, Wheel), tree.attachNew(bike, Wheel), tree.attachNew(car, Wheel)];
 * groupByParent(tree, world.query(Wheel)).get(car); // → [wheels[0], wheels[2]]
 * ```
 */
export function groupByParent(tree: Hierarchy, query: Query<readonly Term[]>): Map<Entity | null, Entity[]> {
  requireTree(tree, "group a query");
  requireQuery(tree, query, "group a query");
  const groups = new Map<Entity | null, Entity[]>();
  for (const entity of query.ids()) {
    const parent = tree.parentOf(entity);
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [entity]);
    else group.push(entity);
  }
  return groups;
}
