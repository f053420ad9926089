/**
 * Keeping what an entity shows in the world while it gets another parent.
 */
import type { AnyComponent, ComponentInit, Entity, World } from "../../ecs/index.ts";
import { checkForEntity, INDEX_MASK, initOf, stateOf, storeOfInit } from "../../ecs/internal.ts";
import { Ghost, type Hierarchy, solidChildren } from "../../hierarchy/index.ts";
import { UnrepresentableTransformError } from "../errors.ts";

/**
 * What a space does for `tree.attach(…, { keep })`: finds the local values before the move, or throws, and gives a function
 * that writes them after it. A ghost has no place of its own: what it holds stays where it is.
 */
export function keepPlaces<Local extends object>(
  tree: Hierarchy,
  child: Entity,
  component: AnyComponent,
  localFor: (entity: Entity) => Local,
  write: (entity: Entity, local: Local) => void,
): () => void {
  const { world } = tree;
  const held = world.has(child, Ghost) ? [...solidChildren(tree, child)] : [child];
  const kept = held.map((entity) => [entity, localFor(entity)] as const);
  // An entity that has no transform yet gets one after the move; whether it can is found out before.
  for (const [entity, local] of kept) requireAddable(world, entity, initOf(component, local));
  return () => {
    for (const [entity, local] of kept) if (world.isAlive(entity)) write(entity, local);
  };
}

function requireAddable(world: World, entity: Entity, init: ComponentInit): void {
  const state = stateOf(world);
  const index = entity & INDEX_MASK;
  if (state.hasAt(index, storeOfInit(state, init))) return;
  state.requireNoLoop("add a component");
  checkForEntity(state, init, index);
}

/** Refuses to place a ghost. */
export function requireSolid(tree: Hierarchy, entity: Entity): void {
  if (!tree.world.has(entity, Ghost)) return;
  throw new UnrepresentableTransformError(
    `Cannot place ${tree.label(entity)}: it is a ghost, and values pass through it. Place what is below it, or remove Ghost.`,
    { entities: [entity], residue: Number.POSITIVE_INFINITY },
  );
}
