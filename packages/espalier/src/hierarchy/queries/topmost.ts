/**
 * From a selection to what an edit acts on: moving a parent moves its children, so those must not move twice.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../hierarchy.ts";

/** From this many on, one walk over the forest costs less than comparing places pair by pair. */
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
export function topmost(tree: Hierarchy, entities: Iterable<Entity>): Entity[] {
  const given = new Set(entities);
  const tops: Entity[] = [];
  for (const entity of given) if (!isBelowOne(tree, entity, given)) tops.push(entity);
  return tops.length < MANY ? sortByPlace(tree, tops) : walkFor(tree, new Set(tops));
}

function isBelowOne(tree: Hierarchy, entity: Entity, given: ReadonlySet<Entity>): boolean {
  for (let up = tree.parentOf(entity); up !== null; up = tree.parentOf(up)) if (given.has(up)) return true;
  return false;
}

function sortByPlace(tree: Hierarchy, entities: readonly Entity[]): Entity[] {
  const placed = entities.map((entity) => ({ entity, path: pathOf(tree, entity) }));
  placed.sort((a, b) => comparePaths(a.path, b.path));
  return placed.map(({ entity }) => entity);
}

/** The places among siblings on the way from the root. */
function pathOf(tree: Hierarchy, entity: Entity): number[] {
  const path: number[] = [];
  for (let up: Entity | null = entity; up !== null; up = tree.parentOf(up)) path.push(tree.indexOf(up));
  return path.reverse();
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let k = 0; k < length; k++) if (a[k] !== b[k]) return a[k] - b[k];
  return a.length - b.length;
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
