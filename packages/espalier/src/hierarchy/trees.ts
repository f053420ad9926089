/**
 * The hierarchies of a world.
 */
import type { Reversible, WorldState } from "../ecs/internal.ts";

/** What stands for a hierarchy in the record of changes. */
export interface TreeReversible extends Reversible {
  readonly isTree: true;
}

interface NamedTree {
  readonly name: string;
}

const KEY = "espalier.trees";

/** Adds a hierarchy to those of its world. */
export function registerTree(ecs: WorldState, tree: NamedTree): void {
  ecs.attachments.set(KEY, [...treesOf(ecs), tree]);
}

/** All hierarchies of a world, in the order in which they were created. */
export function treesOf(ecs: WorldState): readonly NamedTree[] {
  return (ecs.attachments.get(KEY) as readonly NamedTree[] | undefined) ?? [];
}
