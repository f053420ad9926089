/**
 * The hierarchies of a world.
 */
import { describeValue } from "../ecs/index.ts";
import type { Reversible, WorldState } from "../ecs/internal.ts";
import { InvalidHierarchyError } from "./errors.ts";

/** What stands for a hierarchy in the record of changes. */
export interface TreeReversible extends Reversible {
  readonly isTree: true;
}

interface NamedTree {
  readonly name: string;
}

const KEY = "espalier.trees";

/** @throws InvalidHierarchyError when the world has a hierarchy of that name: undo, snapshots and patches go by it. */
export function requireFreeName(ecs: WorldState, name: string): void {
  if (!treesOf(ecs).some((tree) => tree.name === name)) return;
  throw new InvalidHierarchyError(
    `Cannot create a hierarchy named ${describeValue(name)}: this world has one of that name. Give the second a name of its own: createHierarchy(world, { name: "owners" }).`,
    { subject: name },
  );
}

/** Adds a hierarchy to those of its world. */
export function registerTree(ecs: WorldState, tree: NamedTree): void {
  ecs.attachments.set(KEY, [...treesOf(ecs), tree]);
}

/** All hierarchies of a world, in the order in which they were created. */
export function treesOf(ecs: WorldState): readonly NamedTree[] {
  return (ecs.attachments.get(KEY) as readonly NamedTree[] | undefined) ?? [];
}
