/**
 * Putting children into a wanted order with as few moves as possible.
 */

import type { Entity } from "../../ecs/index.ts";
import { type Hierarchy, nextInList } from "../../hierarchy/index.ts";
import { moveUnchecked } from "../../hierarchy/internal.ts";
import { longestIncreasing } from "./longest-increasing.ts";

/** Puts `child` after `after` (`null`: first) under the parent in question. */
export type Move = (child: Entity, after: Entity | null) => void;

/**
 * Calls `move` for each of `wanted` that is not at its position among the children of `parent`, first to last, so that
 * applying each move at once leads to that order. Children that are not in `wanted` stay where they are between the others.
 */
export function arrange(tree: Hierarchy, parent: Entity | null, wanted: ArrayLike<number>, move: Move): void {
  const present = tree.childrenOf(parent);
  if (present.length === wanted.length && present.every((child, k) => child === wanted[k])) return;
  const positions = new Map<number, number>(present.map((child, k) => [child, k]));
  const stays = longestIncreasing(Array.from(wanted, (child) => positions.get(child) ?? -1));
  let after: Entity | null = null;
  for (let k = 0; k < wanted.length; k++) {
    const child = wanted[k] as Entity;
    if (stays[k] === 0) move(child, after);
    after = child;
  }
}

/** A move that checks no rule, for states that were allowed before. */
export function rawMove(tree: Hierarchy, parent: Entity | null): Move {
  return (child, after) => {
    const next =
      after !== null
        ? nextInList(tree, after)
        : parent === null
          ? tree.childAt(null, 0)
          : tree.firstChild(parent);
    moveUnchecked(tree, child, parent ?? 0, next ?? 0);
  };
}

/** A move that checks the rules; without `after` to the end. */
export function attachBehind(
  tree: Hierarchy,
  child: Entity,
  parent: Entity | null,
  after: Entity | null | undefined,
): void {
  if (after === undefined) tree.attach(child, parent);
  else tree.attach(child, parent, after === null ? { at: "first" } : { after });
}
