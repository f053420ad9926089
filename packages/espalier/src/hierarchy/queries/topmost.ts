/**
 * From a selection to what an edit acts on: moving a parent moves its children, so those must not move twice.
 */

import { type Entity, type EntityLike, handleOf } from "../../ecs/index.ts";
import { refuseArgument } from "../../ecs/internal.ts";
import { requireTree } from "../arguments.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { compareOrder } from "../order/compare-order.ts";

/** From this many on, one walk over the forest costs less than comparing positions pair by pair. */
const MANY = 64;

/**
 * The given entities without those that are below another one of them, each once, in the order of the tree.
 *
 * @throws DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * const rock = world.spawn();
 * topmost(tree, [rock, turret, tank]); // → [tank, rock]
 * ```
 */
export function topmost(tree: Hierarchy, entities: Iterable<EntityLike>): Entity[] {
  requireTree(tree, "find the topmost");
  if (typeof Object(entities)[Symbol.iterator] !== "function") {
    refuseArgument(entities, "find the topmost", "the list of entities", "an array");
  }
  const given = new Set<Entity>();
  for (const entity of entities) given.add(handleOf(tree.world, entity));
  const tops: Entity[] = [];
  for (const entity of given) if (!isBelowOne(tree, entity, given)) tops.push(entity);
  return tops.length < MANY ? tops.sort((a, b) => compareOrder(tree, a, b)) : walkFor(tree, new Set(tops));
}

function isBelowOne(tree: Hierarchy, entity: Entity, given: ReadonlySet<Entity>): boolean {
  for (let up = tree.parentOf(entity); up !== null; up = tree.parentOf(up)) if (given.has(up)) return true;
  return false;
}

function walkFor(tree: Hierarchy, wanted: ReadonlySet<Entity>): Entity[] {
  const found: Entity[] = [];
  for (const root of tree.roots()) {
    tree.forEachDescendant(
      root,
      (entity) => {
        if (!wanted.has(entity)) return undefined;
        found.push(entity);
        return "skip";
      },
      { includeSelf: true },
    );
  }
  return found;
}
