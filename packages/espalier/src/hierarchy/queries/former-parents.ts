/**
 * Which entities have had children, for queries that go on matching them when the last child leaves.
 */

import type { Entity } from "../../ecs/index.ts";
import { indexOf } from "../../ecs/index.ts";
import { onLinked } from "../events/listen.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import { entityAt } from "../nodes.ts";

const KEY = "espalier.former-parents";

/** Whether the entity of a node has had children since this was first asked of the tree. */
export function formerParents(tree: Hierarchy): (node: number) => boolean {
  const t = treeOf(tree);
  let seen = t.attachments.get(KEY) as Map<number, Entity> | undefined;
  if (seen === undefined) {
    const parents = new Map<number, Entity>();
    const note = (node: number) => {
      if (node > 0) parents.set(node, entityAt(t, node));
    };
    for (const entity of tree.world.entities())
      if (!tree.isLeaf(entity)) parents.set(indexOf(entity), entity);
    onLinked(t, (_child, _from, to) => note(to));
    t.attachments.set(KEY, parents);
    seen = parents;
  }
  const parents = seen;
  // The index of a dead one may belong to another entity by now.
  return (node) => parents.get(node) === entityAt(t, node);
}
