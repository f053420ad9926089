/**
 * "The children changed" as a query term.
 */
import { type Entity, type FilterTerm, indexOf, where } from "../../ecs/index.ts";
import { onChildrenChanged } from "../events/tree-listeners.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { entityAt } from "../nodes.ts";

/** A query term that notes which entities' lists of children changed. */
export interface ChildrenChangedTerm extends FilterTerm {
  /** Starts over: only what changes from now on matches. Call it when the changes were dealt with, once per frame for example. */
  reset(): void;
  /** Ends it: nothing matches any more, and nothing is noted. */
  close(): void;
}

/**
 * Entities whose list of children changed since the last `reset()`, or since this was made: children came, left, died or
 * changed their order. Also when the list became empty. One look-up; each changed list costs a note.
 *
 * @example
 * ```ts
 * const Panel = tag("Panel");
 * const panel = world.spawn(Panel);
 * const changed = childrenChanged(tree);
 * const query = world.query(Panel, changed);
 * const button = tree.attachNew(panel);
 * query.ids(); // → [panel]
 * changed.reset();
 * query.ids(); // → []
 * world.destroy(button);
 * query.ids(); // → [panel]
 * ```
 */
export function childrenChanged(tree: Hierarchy): ChildrenChangedTerm {
  const t = treeOf(tree);
  const changed = new Map<number, Entity>();
  const end = onChildrenChanged(tree, (parent) => {
    if (parent !== null) changed.set(indexOf(parent), parent);
  });
  // The index of a dead one may belong to another entity by now.
  const test = (node: number) => changed.size !== 0 && changed.get(node) === entityAt(t, node);
  return {
    ...where("childrenChanged", test, tree.world),
    reset: () => changed.clear(),
    close: () => {
      end();
      changed.clear();
    },
  };
}
