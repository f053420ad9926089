/**
 * Carrying out many placements whose order is unknown: each after the one of its parent and of the sibling in front.
 */
import type { Entity } from "../ecs/index.ts";
import { InvalidPatchError } from "./errors.ts";

export interface Placement {
  readonly child: Entity;
  readonly parent: Entity | null;
  /** The sibling in front; `null`: none. Nothing: last. */
  readonly after: Entity | null | undefined;
}

/**
 * The placements in an order in which each can be carried out.
 * @throws InvalidPatchError when an entity is placed twice, or some wait for each other. `label` names an entity there.
 */
export function inOrder(
  placements: readonly Placement[],
  tree: string,
  label: (entity: Entity) => string,
): Placement[] {
  const byChild = new Map<Entity, Placement>();
  for (const placement of placements) {
    if (byChild.has(placement.child)) {
      throw new InvalidPatchError(
        `Cannot apply a patch: it places ${label(placement.child)} twice in ${tree}. Keep one of the entries.`,
      );
    }
    byChild.set(placement.child, placement);
  }
  const ordered: Placement[] = [];
  const done = new Set<Entity>();
  const waiting = new Set<Entity>();
  for (const { child: start } of placements) {
    const stack = [start];
    while (stack.length > 0) {
      const child = stack.at(-1) as Entity;
      const placement = byChild.get(child) as Placement;
      const needed = [placement.parent, placement.after].filter(
        (other): other is Entity => typeof other === "number" && byChild.has(other) && !done.has(other),
      );
      if (done.has(child) || needed.length === 0) {
        stack.pop();
        if (!done.has(child)) ordered.push(placement);
        done.add(child);
        continue;
      }
      const [blocked] = needed.filter((other) => waiting.has(other));
      if (blocked !== undefined) {
        throw new InvalidPatchError(
          `Cannot apply a patch: ${label(child)} and ${label(blocked)} wait for each other in ${tree}. Place one of them without the other.`,
        );
      }
      waiting.add(child);
      // One after the other, so that everything on the stack waits for the next.
      stack.push(needed[0] as Entity);
    }
  }
  return ordered;
}
