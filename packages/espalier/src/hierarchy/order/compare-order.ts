/**
 * Which of two entities comes first in the tree.
 */

import { type Entity, type EntityLike, handleOf, indexOf } from "../../ecs/index.ts";
import { requireTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";

/**
 * Compares two entities by tree order, for `Array.sort`: negative when `a` comes before `b`, 0 for the same entity. A parent
 * comes before its children, siblings in their order.
 *
 * Two reads while the flat order is exact (after `compactOrder(tree)`, as long as nothing moves); otherwise O(depth).
 *
 * @throws DeadEntityError when one of them is dead.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * const tracks = tree.attachNew(tank);
 * [tracks, turret, tank].sort((a, b) => compareOrder(tree, a, b)); // → [tank, turret, tracks]
 * ```
 */
export function compareOrder(tree: Hierarchy, a: EntityLike, b: EntityLike): number {
  requireTree(tree, "compare positions");
  a = handleOf(tree.world, a);
  b = handleOf(tree.world, b);
  requireAlive(tree, a);
  requireAlive(tree, b);
  if (a === b) return 0;
  // Not created for this, because it costs memory: only used where it exists.
  const { order } = treeOf(tree);
  if (order?.exact) return order.slotOf[indexOf(a)] - order.slotOf[indexOf(b)];
  return compareByLinks(tree, a, b);
}

function requireAlive(tree: Hierarchy, entity: Entity): void {
  // Reading anything of a dead entity throws and says what became of it.
  if (!tree.world.isAlive(entity)) tree.depthOf(entity);
}

function compareByLinks(tree: Hierarchy, a: Entity, b: Entity): number {
  const { links: raw } = treeOf(tree);
  let left = indexOf(a);
  let right = indexOf(b);
  const deeper = tree.depthOf(a) - tree.depthOf(b);
  for (let k = 0; k < deeper; k++) left = raw.parent(left);
  for (let k = 0; k > deeper; k--) right = raw.parent(right);
  // One is above the other.
  if (left === right) return deeper;
  while (raw.parent(left) !== raw.parent(right)) {
    left = raw.parent(left);
    right = raw.parent(right);
  }
  return tree.indexOf(tree.world.handleAt(left)) - tree.indexOf(tree.world.handleAt(right));
}
