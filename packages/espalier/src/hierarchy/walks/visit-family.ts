/**
 * Visiting a small family: its entities are listed before the first of them is visited, which costs less than beginning a walk that is
 * notified before links change. Each visit gives what a walk gives: the list is as it was when the visit began, and those that died or left
 * since are passed over.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";
import { entityAt, handleOrZero, isEntityAt } from "../nodes.ts";
import type { TreeState } from "../state.ts";
import type { Verdict } from "./verdict.ts";

/** Larger ones are walked: a visitor that ends early must not pay for all. */
export const SMALL_FAMILY = 32;

/** Calls `visit` for each child of `parent`, of which there are at most `SMALL_FAMILY`. */
export function visitFamily(
  t: TreeState,
  parent: number,
  visit: (child: Entity, index: number) => Verdict,
): void {
  const { families, version } = t;
  const from = t.familiesEnd;
  const to = listFamily(t, parent, from);
  const parentHandle = handleOrZero(t, parent);
  let index = 0;
  // A visitor may visit other families meanwhile: theirs come behind this one.
  t.familiesEnd = to;
  try {
    for (let k = from; k < to; k++) {
      const child = families[k];
      if (t.version !== version && !isChildOf(t, child, parentHandle)) continue;
      if (visit(child, index++) === "stop") return;
    }
  } finally {
    t.familiesEnd = from;
  }
}

/** Lists the children of `parent` in `t.families` from `at` on; the position behind the last one. */
function listFamily(t: TreeState, parent: number, at: number): number {
  const { families, links } = t;
  let end = at;
  for (let node = links.first(parent); node !== 0; node = links.next(node))
    families[end++] = entityAt(t, node);
  return end;
}

function isChildOf(t: TreeState, child: Entity, parent: number): boolean {
  const node = child & INDEX_MASK;
  return isEntityAt(t, node, child) && handleOrZero(t, t.links.parent(node)) === parent;
}
