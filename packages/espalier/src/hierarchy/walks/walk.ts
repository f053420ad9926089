/**
 * Walking a tree while it may change under the walker.
 *
 * The rule: each child list is fixed when its parent is entered. Entries that died or left that parent are passed
 * over when their turn comes; ones added later are not visited. So every walk ends.
 *
 * As long as nothing changes, a walk follows the links and keeps no list at all. The first change that happens while
 * it is under way makes it write down the lists it has entered (`freeze`), and it goes on with those.
 */
import type { Entity } from "../../ecs/index.ts";
import { checkOptions, needCheck } from "../../ecs/internal.ts";
import { nodeOf } from "../nodes.ts";
import { ancestorOptions, siblingOptions, traverseOptions } from "../options.ts";
import type { TreeState } from "../state.ts";
import { ListWalk } from "./list-walk.ts";
import { PreorderWalk } from "./preorder-walk.ts";
import { type Order, WrittenWalk } from "./written-walk.ts";

/** What drives any walk. The code that began one closes it, also at its end. */
export interface Walk {
  /** The next node, or 0 at the end. */
  next(): number;
  /** Do not go below the node last given out. */
  skip(): void;
  close(): void;
}

/** Options of a walk. */
export interface TraverseOptions {
  /** `pre` (the default): a parent, then its children. `post`: children first. `level`: one depth after the other. */
  readonly order?: Order;
  /** Give the start itself too. */
  readonly includeSelf?: boolean;
}

/** The children of one node, in order. */
export function walkChildren(t: TreeState, parent: number): ListWalk {
  return new ListWalk(t, parent, t.links.first(parent));
}

/** The siblings of an entity: all from the first on, those behind it, or all from the one behind it round to it. */
export function walkSiblings(
  t: TreeState,
  entity: Entity,
  options: { readonly from?: "first" | "self"; readonly wrap?: boolean },
): ListWalk {
  const self = nodeOf(t, entity, "walk the siblings");
  if (needCheck(options, t.optionKinds?.sibling))
    checkOptions(t.ecs.checks, "walk the siblings", options, siblingOptions);
  const parent = t.links.parent(self);
  // Roots have no siblings.
  if (parent === 0) return new ListWalk(t, parent, 0);
  const first = t.links.first(parent);
  const isBehind = options.from === "self";
  const walk = new ListWalk(t, parent, first, self, isBehind && options.wrap === true);
  if (isBehind || first === self) walk.upcoming = walk.after(self);
  return walk;
}

/** The way up. Those that died since are passed over. */
export function walkAncestors(
  t: TreeState,
  entity: Entity,
  options: { readonly includeSelf?: boolean },
): ListWalk {
  const node = nodeOf(t, entity, "walk the ancestors");
  if (needCheck(options, t.optionKinds?.ancestor))
    checkOptions(t.ecs.checks, "walk the ancestors", options, ancestorOptions);
  return new ListWalk(t, -1, options.includeSelf ? node : t.links.parent(node));
}

/** Everything below. */
export function walkDescendants(t: TreeState, entity: Entity, options: TraverseOptions): Walk {
  const top = nodeOf(t, entity, "walk the descendants");
  if (needCheck(options, t.optionKinds?.traverse))
    checkOptions(t.ecs.checks, "walk the descendants", options, traverseOptions);
  const { order = "pre", includeSelf = false } = options;
  return order === "pre"
    ? new PreorderWalk(t, top, includeSelf)
    : new WrittenWalk(t, order).begin(top, includeSelf);
}
