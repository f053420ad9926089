/**
 * The order of children inside an instance where it differs from the prefab.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { InstanceRecord } from "../tables.ts";

/** Entities of an instance whose children are in another order, by their index in the prefab. */
export function reordered(tree: Hierarchy, { members }: InstanceRecord): number[] {
  const indices = indicesOf(members);
  const found: number[] = [];
  members.forEach((member, k) => {
    if (!tree.world.isAlive(member) || tree.childCount(member) < 2) return;
    const children = tree.childrenOf(member);
    const wanted = byIndex(children, indices);
    if (children.some((child, at) => child !== wanted[at])) found.push(k);
  });
  return found;
}

/** Puts the children of one entity back into the order of the prefab; added ones come last. */
export function restoreOrder(tree: Hierarchy, { members }: InstanceRecord, index: number): void {
  arrangeChildren(tree, byIndex(tree.childrenOf(members[index]), indicesOf(members)));
}

/** Puts children of one parent into this order, before all others. */
export function arrangeChildren(tree: Hierarchy, children: Iterable<Entity>): void {
  let previous: Entity | undefined;
  for (const child of children) {
    tree.moveChild(child, previous === undefined ? "first" : { after: previous });
    previous = child;
  }
}

/** The indices of entities in the prefab. */
export function indicesOf(members: readonly (Entity | undefined)[]): Map<Entity | undefined, number> {
  return new Map(members.map((member, k) => [member, k]));
}

/** Children in the order of the prefab, followed by those that it does not have. */
export function byIndex(
  children: readonly Entity[],
  indices: ReadonlyMap<Entity | undefined, number>,
): Entity[] {
  const indexOf = (child: Entity) => indices.get(child) ?? Number.MAX_SAFE_INTEGER;
  return [...children].sort((a, b) => indexOf(a) - indexOf(b));
}
