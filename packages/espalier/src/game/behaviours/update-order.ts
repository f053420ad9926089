/**
 * In which order entities get their turn.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";

/**
 * `tree`: each entity before its children and these before its next sibling (pre-order). `level`: all roots, then all
 * their children, and so on (breadth-first).
 */
export type UpdateOrder = "tree" | "level";

/** Those entities that are wanted, parents before children. Walks the forest once. */
export function entitiesInOrder(
  tree: Hierarchy,
  isWanted: (entity: Entity) => boolean,
  order: UpdateOrder,
): Entity[] {
  const found: Entity[] = [];
  for (const root of tree.roots()) {
    tree.forEachDescendant(
      root,
      (entity) => {
        if (isWanted(entity)) found.push(entity);
      },
      { includeSelf: true },
    );
  }
  if (order === "tree") return found;
  const depths = new Map(found.map((entity) => [entity, tree.depthOf(entity)]));
  // Stable: entities of one level stay in tree order.
  return found.sort((a, b) => (depths.get(a) as number) - (depths.get(b) as number));
}

/** Below this share of the world, sorting by places beats a walk over the forest. */
const FEW = 1 / 64;

/** The same for a list of living entities. */
export function inUpdateOrder(
  tree: Hierarchy,
  entities: ReadonlySet<Entity>,
  order: UpdateOrder,
): readonly Entity[] {
  if (entities.size < 2) return [...entities];
  if (entities.size > tree.world.count * FEW)
    return entitiesInOrder(tree, (entity) => entities.has(entity), order);
  const placed = Array.from(entities, (entity) => ({ entity, places: placesOf(tree, entity) }));
  placed.sort((a, b) => {
    if (order === "level" && a.places.length !== b.places.length) return a.places.length - b.places.length;
    return comparePlaces(a.places, b.places);
  });
  return placed.map(({ entity }) => entity);
}

/** The place among the siblings on each level, from the root down. */
function placesOf(tree: Hierarchy, entity: Entity): number[] {
  const places: number[] = [];
  for (let up: Entity | null = entity; up !== null; up = tree.parentOf(up)) places.push(tree.indexOf(up));
  return places.reverse();
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const levels = Math.min(a.length, b.length);
  for (let k = 0; k < levels; k++) if (a[k] !== b[k]) return a[k] - b[k];
  return a.length - b.length;
}
