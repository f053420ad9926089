/**
 * The order in which entities are updated.
 */
import { type Entity, indexOf } from "../../ecs/index.ts";
import { flatOrder, type Hierarchy, subtreeRange } from "../../hierarchy/index.ts";

/**
 * `tree`: each entity before its children and these before its next sibling (pre-order). `level`: all roots, then all
 * their children, and so on (breadth-first).
 */
export type UpdateOrder = "tree" | "level";

/** Living entities in that order. */
export function inUpdateOrder(tree: Hierarchy, entities: Iterable<Entity>, order: UpdateOrder): Entity[] {
  const list = [...entities];
  if (list.length < 2) return list;
  // Slots can be compared while the flat order is pre-order; requesting a range restores it.
  if (!flatOrder(tree).exact) subtreeRange(tree, list[0]);
  const { slotOf } = flatOrder(tree);
  list.sort((a, b) => slotOf[indexOf(a)] - slotOf[indexOf(b)]);
  if (order === "tree") return list;
  const depths = new Map(list.map((entity) => [entity, tree.depthOf(entity)]));
  // Stable: entities of one level stay in tree order.
  return list.sort((a, b) => (depths.get(a) as number) - (depths.get(b) as number));
}
