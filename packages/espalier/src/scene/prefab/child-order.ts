/**
 * The order of children inside an instance, where it is not the one that the prefab gives them.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { InstanceRecord } from "../tables.ts";

/** Entities of an instance whose children stand in another order, by their index in the prefab. */
export function reordered(tree: Hierarchy, record: InstanceRecord): number[] {
  const indexOf = indices(record);
  const found: number[] = [];
  record.members.forEach((member, k) => {
    if (!tree.world.isAlive(member) || tree.childCount(member) < 2) return;
    const wanted = inPrefabOrder(tree, member, indexOf);
    if (tree.childrenOf(member).some((child, at) => child !== wanted[at])) found.push(k);
  });
  return found;
}

/** Puts the children of one entity back into the order of the prefab; those that were added come last. */
export function restoreOrder(tree: Hierarchy, record: InstanceRecord, index: number): void {
  let previous: Entity | undefined;
  for (const child of inPrefabOrder(tree, record.members[index], indices(record))) {
    tree.moveChild(child, previous === undefined ? "first" : { after: previous });
    previous = child;
  }
}

function indices({ members }: InstanceRecord): Map<Entity, number> {
  return new Map(members.map((member, k) => [member, k]));
}

function inPrefabOrder(tree: Hierarchy, parent: Entity, indexOf: ReadonlyMap<Entity, number>): Entity[] {
  const place = (child: Entity) => indexOf.get(child) ?? indexOf.size;
  return [...tree.childrenOf(parent)].sort((a, b) => place(a) - place(b));
}
