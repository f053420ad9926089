/**
 * The self-test of a tree of which only the parents are kept.
 */
import { type Finding, formatEntity, type World } from "../ecs/index.ts";
import { INDEX_MASK, isHandle, stateOf } from "../ecs/internal.ts";
import type { RawLinks } from "./links/links.ts";

const code = "hierarchy/inconsistent";

/** Every parent that cannot be one. A parent that died is none: its children read as roots. */
export function* wrongParents(
  world: World,
  {
    parents,
    lives,
    links,
  }: {
    readonly parents: Float64Array;
    readonly lives: Int32Array;
    readonly links: Pick<RawLinks, "parent">;
  },
): IterableIterator<Finding> {
  const ecs = stateOf(world);
  const { table } = ecs;
  if (parents.length < table.capacity) {
    const message = `there is room for the parents of ${parents.length} indices, and the world has ${table.capacity}`;
    yield { code, message };
    return;
  }
  const living = world.entities();
  for (const entity of living) {
    const parent = parents[entity & INDEX_MASK];
    if (parent === 0 || (isHandle(parent) && (lives[parent & INDEX_MASK] ?? 0) > 0)) continue;
    yield {
      code,
      entity,
      message: `the parent of ${formatEntity(entity)} is ${parent}, which is not an entity`,
    };
  }
  // By index: from where it was reached first.
  const reachedFrom = new Float64Array(table.capacity);
  for (const entity of living) {
    let up = entity & INDEX_MASK;
    while (up !== 0 && reachedFrom[up] === 0) {
      reachedFrom[up] = entity;
      up = links.parent(up);
    }
    if (up === 0 || reachedFrom[up] !== entity) continue;
    const looped = table.handleAt(up);
    yield { code, entity: looped, message: `${formatEntity(looped)} is its own ancestor` };
  }
}
