/**
 * The self-test of a tree of which only the parents are kept.
 */
import { type Entity, type Finding, formatEntity, type World } from "../ecs/index.ts";
import { INDEX_MASK, isHandle, stateOf } from "../ecs/internal.ts";

const code = "hierarchy/inconsistent";

/** Every parent that cannot be one. A parent that died is none: its children read as roots. */
export function* wrongParents(world: World, parents: Float64Array): IterableIterator<Finding> {
  const ecs = stateOf(world);
  const { table } = ecs;
  if (parents.length < table.capacity) {
    const message = `there is room for the parents of ${parents.length} places, and the world has ${table.capacity}`;
    yield { code, message };
    return;
  }
  const living = world.entities();
  for (const entity of living) {
    const parent = parents[entity & INDEX_MASK];
    if (parent === 0 || (isHandle(parent) && (parent & INDEX_MASK) <= table.used)) continue;
    yield {
      code,
      entity,
      message: `the parent of ${formatEntity(entity)} is ${parent}, which is not an entity`,
    };
  }
  // By index: from where it was reached first.
  const reachedFrom = new Float64Array(table.capacity);
  for (const entity of living) {
    let up = entity;
    while (ecs.isAlive(up) && reachedFrom[up & INDEX_MASK] === 0) {
      reachedFrom[up & INDEX_MASK] = entity;
      up = parents[up & INDEX_MASK] as Entity;
    }
    if (ecs.isAlive(up) && reachedFrom[up & INDEX_MASK] === entity)
      yield { code, entity: up, message: `${formatEntity(up)} is its own ancestor` };
  }
}
