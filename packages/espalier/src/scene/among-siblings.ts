/**
 * The position and the name of a new subtree among its siblings, for copies and instances alike.
 */

import type { Entity } from "../ecs/index.ts";
import { type AttachOptions, childNamed, type Hierarchy } from "../hierarchy/index.ts";
import { treeOf } from "../hierarchy/internal.ts";

export type SiblingPositionOptions = Pick<AttachOptions, "at" | "before" | "after">;

/** The position that options ask for; `undefined` for the default, after all siblings. */
export function positionFrom({ at, before, after }: SiblingPositionOptions): AttachOptions | undefined {
  if (at !== undefined) return { at };
  if (before !== undefined) return { before };
  return after === undefined ? undefined : { after };
}

/** `name`, or `name 2`, `name 3`, … where siblings must have different names and one has it. */
export function freeName(tree: Hierarchy, parent: Entity | null, name: string): string {
  let free = name;
  if (!treeOf(tree).names.unique) return free;
  for (let number = 2; childNamed(tree, parent, free) !== null; number++) free = `${name} ${number}`;
  return free;
}

/** Entities, none of them below another, in tree order. */
export function inTreeOrder(tree: Hierarchy, tops: ReadonlySet<Entity>): Entity[] {
  const parents = new Set<Entity | null>();
  for (const entity of tops) parents.add(tree.parentOf(entity));
  if (parents.size === 1) {
    for (const parent of parents) return tree.childrenOf(parent).filter((entity) => tops.has(entity));
  }
  const sorted: Entity[] = [];
  for (const root of tops.size === 0 ? [] : tree.roots()) {
    tree.forEachDescendant(
      root,
      (entity) => {
        if (!tops.has(entity)) return undefined;
        sorted.push(entity);
        return "skip";
      },
      { includeSelf: true },
    );
  }
  return sorted;
}
