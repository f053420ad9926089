/**
 * Keeping what an entity shows in the world while it gets another parent.
 */
import type { Entity } from "../ecs/index.ts";
import { Ghost, type Hierarchy, solidChildren } from "../hierarchy/index.ts";
import { UnrepresentableTransformError } from "./errors.ts";

/**
 * What a space does for `tree.attach(…, { keep })`: finds the local values before the move, or throws, and gives a function
 * that writes them after it. A ghost has no place of its own: what it holds stays where it is.
 */
export function keepPlaces<Local>(
  tree: Hierarchy,
  child: Entity,
  localFor: (entity: Entity) => Local,
  write: (entity: Entity, local: Local) => void,
): () => void {
  const { world } = tree;
  const held = world.has(child, Ghost) ? [...solidChildren(tree, child)] : [child];
  const kept = held.map((entity) => [entity, localFor(entity)] as const);
  return () => {
    for (const [entity, local] of kept) if (world.isAlive(entity)) write(entity, local);
  };
}

/** Refuses to place a ghost. */
export function requireSolid(tree: Hierarchy, entity: Entity): void {
  if (!tree.world.has(entity, Ghost)) return;
  throw new UnrepresentableTransformError(
    `Cannot place ${tree.label(entity)}: it is a ghost, and values pass through it. Place what is below it, or remove Ghost.`,
    [entity],
    Number.POSITIVE_INFINITY,
  );
}
