/**
 * Ordering many placements: each after those of its ancestors and of the sibling before it.
 * Then no intermediate step puts an entity below itself.
 */
import type { Entity } from "../../ecs/index.ts";
import { InvalidPatchError } from "../errors.ts";

export interface Placement {
  readonly child: Entity;
  readonly parent: Entity | null;
  /** The sibling before it; `null` for none, `undefined` for last. */
  readonly after: Entity | null | undefined;
}

/**
 * The placements in an order in which each can be carried out.
 * @param breaksLoops - Where some wait for each other, whether one of them goes first.
 * @throws InvalidPatchError when an entity is placed twice, or some wait for each other. `label` names an entity there.
 */
export function inOrder(
  placements: readonly Placement[],
  tree: { readonly name: string; parentOf(entity: Entity): Entity | null },
  label: (entity: Entity) => string,
  breaksLoops = false,
): Placement[] {
  const byChild = new Map<Entity, Placement>();
  for (const placement of placements) {
    if (byChild.has(placement.child)) {
      throw new InvalidPatchError(
        `Cannot apply a patch: it places ${label(placement.child)} twice in ${tree.name}. Keep one of the entries.`,
      );
    }
    byChild.set(placement.child, placement);
  }
  const above = nearestPlaced(byChild, tree);
  const done = new Set<Entity>();
  const waiting = new Set<Entity>();
  for (const { child: start } of placements) {
    const stack = [start];
    while (stack.length > 0) {
      const child = stack.at(-1) as Entity;
      const { parent, after } = byChild.get(child) as Placement;
      // A placement below itself is left to the hierarchy, which has the best error for it.
      const needed = [above(parent), after].find(
        (other): other is Entity =>
          typeof other === "number" &&
          other !== child &&
          byChild.has(other) &&
          !done.has(other) &&
          !(breaksLoops && waiting.has(other)),
      );
      if (needed === undefined) {
        done.add(child);
        stack.pop();
        continue;
      }
      if (waiting.has(needed)) {
        throw new InvalidPatchError(
          `Cannot apply a patch: ${label(child)} and ${label(needed)} wait for each other in ${tree.name}. Place one of them without the other.`,
        );
      }
      waiting.add(child);
      stack.push(needed);
    }
  }
  return Array.from(done, (child) => byChild.get(child) as Placement);
}

/** Finds the nearest ancestor of a position that is placed too: entities between the two stay where they are. */
function nearestPlaced(
  placed: ReadonlyMap<Entity, Placement>,
  tree: { parentOf(entity: Entity): Entity | null },
): (parent: Entity | null) => Entity | null {
  const known = new Map<Entity, Entity | null>();
  return (parent) => {
    const way: Entity[] = [];
    let at = parent;
    while (at !== null && !placed.has(at)) {
      const found = known.get(at);
      if (found !== undefined) {
        at = found;
        break;
      }
      way.push(at);
      at = tree.parentOf(at);
    }
    for (const each of way) known.set(each, at);
    return at;
  };
}
