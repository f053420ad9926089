/**
 * Making a hierarchy match a state: parents, orders and names, with as few moves as possible.
 */

import type { Entity } from "../../ecs/index.ts";
import { type Hierarchy, limitsOf } from "../../hierarchy/index.ts";
import { moveUnchecked } from "../../hierarchy/internal.ts";
import { type AnyTree, forEachFamily, hasChildren, type TreeState } from "../state.ts";
import type { HandleSet } from "./handle-set.ts";
import { arrange, rawMove } from "./minimal-moves.ts";

/**
 * Moves `members`, which are all alive, to their parents and positions. For a subtree (`isWhole` is false), former siblings of its
 * members count only if they still are siblings.
 */
export function restoreTree(tree: AnyTree, state: TreeState, members: HandleSet, isWhole: boolean): void {
  if (!hasChildren(tree)) {
    restoreParents(tree, state, members);
    return;
  }
  const { world } = tree;
  if (limitsOf(tree).maxChildren !== undefined) makeRoom(tree, state, members);
  forEachFamily(state, (parent, children) => {
    const to = parent === 0 ? null : (parent as Entity);
    if (to !== null && !world.isAlive(to)) return;
    const isThere = (child: Entity) =>
      members.has(child) || (world.isAlive(child) && tree.parentOf(child) === to);
    const wanted = isWhole ? children : Array.from(children as ArrayLike<Entity>).filter(isThere);
    arrange(tree, to, wanted, rawMove(tree, to));
  });
  const renamed = members.list.filter((entity) => tree.nameOf(entity) !== state.names.get(entity));
  // Remove all names first: two entities may have swapped names.
  for (const entity of renamed) tree.setName(entity, undefined);
  for (const entity of renamed) tree.setName(entity, state.names.get(entity));
}

/** Where the number of children is limited, children that get another parent are detached before new ones are attached. */
function makeRoom(tree: Hierarchy, state: TreeState, members: HandleSet): void {
  forEachFamily(state, (parent, children) => {
    for (const child of Array.from(children as ArrayLike<Entity>)) {
      if (members.has(child) && (tree.parentOf(child) ?? 0) !== parent) moveUnchecked(tree, child);
    }
  });
}

function restoreParents(tree: AnyTree, state: TreeState, members: HandleSet): void {
  const parents = new Map<number, number>();
  forEachFamily(state, (parent, children) => parents.set(children[0] as number, parent));
  const changed = members.list.filter(
    (entity) => (tree.parentOf(entity) ?? 0) !== (parents.get(entity) ?? 0),
  );
  // Remove all links first, so that none closes a cycle on the way.
  for (const entity of changed) moveUnchecked(tree, entity);
  for (const entity of changed) {
    const parent = parents.get(entity);
    if (parent !== undefined && tree.world.isAlive(parent)) moveUnchecked(tree, entity, parent);
  }
}
