/**
 * Keeping what an entity shows in the world while it gets another parent.
 */
import type { AnyComponent, Entity, EntityLike, World } from "../../ecs/index.ts";
import { checkForEntity, INDEX_MASK, initOf, stateOf } from "../../ecs/internal.ts";
import { Ghost, type Hierarchy, solidChildren } from "../../hierarchy/index.ts";
import { UnrepresentableTransformError } from "../errors.ts";

/**
 * What a space does for `tree.attach(…, { keep })`: finds the local values before the move, or throws, and gives a function
 * that writes them after it. A ghost has no position of its own: what it holds stays where it is.
 */
export function keepWorld<Local extends object>(
  tree: Hierarchy,
  child: Entity,
  component: AnyComponent,
  localFor: (entity: Entity) => Local,
  write: (entity: Entity, local: Local) => void,
): () => void {
  const { world } = tree;
  if (!world.has(child, Ghost)) return keepWorldOf(world, child, component, localFor, write);
  const finishes = [...solidChildren(tree, child)].map((entity) =>
    keepWorldOf(world, entity, component, localFor, write),
  );
  return () => {
    for (const finish of finishes) finish();
  };
}

function keepWorldOf<Local extends object>(
  world: World,
  entity: Entity,
  component: AnyComponent,
  localFor: (entity: Entity) => Local,
  write: (entity: Entity, local: Local) => void,
): () => void {
  const local = localFor(entity);
  const state = stateOf(world);
  const index = entity & INDEX_MASK;
  // An entity that has no transform yet gets one after the move; whether it can is found out before.
  if (!state.hasAt(index, state.store(component))) {
    state.requireNoLoop("add a component");
    checkForEntity(state, initOf(component, local), index);
  }
  return () => {
    if (world.isAlive(entity)) write(entity, local);
  };
}

/** Refuses to place a ghost. */
export function requireSolid(tree: Hierarchy, entity: EntityLike): void {
  if (!tree.world.has(entity, Ghost)) return;
  throw new UnrepresentableTransformError(
    `Cannot place ${tree.label(entity)}: it is a ghost, and values pass through it. Place what is below it, or remove Ghost.`,
    { entities: [entity], residue: Number.POSITIVE_INFINITY },
  );
}
