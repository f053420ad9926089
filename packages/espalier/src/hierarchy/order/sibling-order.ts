/**
 * The order of siblings, by the words of drawing: what comes later is drawn in front.
 *
 * All of them are `moveChild`: checked, one event, recorded by a history, and there for command buffers as
 * `hierarchyCommands(tree, commands).moveToFront(…)`.
 */

import type { EntityLike } from "../../ecs/index.ts";
import { requireTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";

/**
 * Gives an entity a position among its siblings, the first being 0. Indices are clamped, and negative ones count from the
 * end. `false` when it is there already.
 *
 * @example
 * ```ts
 * const parent = world.spawn();
 * const [a, b, c] = [tree.attachNew(parent), tree.attachNew(parent), tree.attachNew(parent)];
 * setOrder(tree, c, 0);
 * tree.childrenOf(parent); // → [c, a, b]
 * ```
 */
export function setOrder(tree: Hierarchy, entity: EntityLike, index: number): boolean {
  requireTree(tree, "move a child");
  return tree.moveChild(entity, index);
}

/** Makes it the last of its siblings, which is drawn in front of them. `false` when it is. */
export function moveToFront(tree: Hierarchy, entity: EntityLike): boolean {
  requireTree(tree, "move a child");
  return tree.moveChild(entity, "last");
}

/** Makes it the first of its siblings, which is drawn behind them. `false` when it is. */
export function moveToBack(tree: Hierarchy, entity: EntityLike): boolean {
  requireTree(tree, "move a child");
  return tree.moveChild(entity, "first");
}
