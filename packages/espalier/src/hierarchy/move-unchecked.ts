/**
 * A move for undo and for loading: it restores a state that was allowed before, so no rule is asked.
 */
import type { Entity } from "../ecs/index.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { treeOf } from "./hierarchy-reader.ts";
import type { TreeReversible } from "./trees.ts";
import { PARENTS, setParentUnchecked, UpHierarchy } from "./up-hierarchy.ts";

/**
 * Puts `child` under `parent` (0: makes it a root), before `next` (0: last).
 * @throws when the tree itself would break, by a cycle or a full array of children; nothing has changed then.
 */
export function moveUnchecked(
  tree: Hierarchy | UpHierarchy,
  child: Entity,
  parent: number = 0,
  next: number = 0,
): void {
  if (tree instanceof UpHierarchy) setParentUnchecked(tree, child, parent);
  else reversibleOf(tree).reverse(child, parent, next, undefined);
}

/** What stands for a hierarchy in the record of changes. */
export function reversibleOf(tree: Hierarchy | UpHierarchy): TreeReversible {
  return (tree instanceof UpHierarchy ? tree[PARENTS] : treeOf(tree)).reversible;
}
