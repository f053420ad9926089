/**
 * In which order entities get their turn.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";

/**
 * `tree`: each entity before its children and these before its next sibling (pre-order). `level`: all roots, then all
 * their children, and so on (breadth-first).
 */
export type UpdateOrder = "tree" | "level";

/** Those entities that are wanted, parents before children. Walks the forest once. */
export function entitiesInOrder(
  tree: Hierarchy,
  isWanted: (entity: Entity) => boolean,
  order: UpdateOrder,
): Entity[] {
  const found: Entity[] = [];
  for (const root of tree.roots()) {
    tree.forEachDescendant(
      root,
      (entity) => {
        if (isWanted(entity)) found.push(entity);
      },
      { includeSelf: true },
    );
  }
  if (order === "tree") return found;
  const depths = new Map(found.map((entity) => [entity, tree.depthOf(entity)]));
  // Stable: entities of one level stay in tree order.
  return found.sort((a, b) => (depths.get(a) as number) - (depths.get(b) as number));
}
