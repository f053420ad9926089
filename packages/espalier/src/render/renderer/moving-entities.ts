/**
 * What is drawn between two places, because it moved in the last step. In the frame after it arrived it is placed once more, where it is.
 */
import type { Entity, World } from "../../ecs/index.ts";
import type { Interpolation } from "../cameras/interpolation.ts";

export interface MovingEntities {
  /** Asks anew which entities move. */
  read(): void;
  /** Whether the frame will place the entity; it is noted, so that it arrives. */
  takes(entity: Entity): boolean;
  /**
   * Moves what is on its way to where it is at `alpha`, and what has arrived to where it is.
   * @param isStale - Whether the frame is drawn anyway, so that all are placed.
   */
  move(alpha: number, isStale: boolean): void;
}

/** @param place - Places what an entity draws as it is at `alpha`. */
export function createMovingEntities(
  world: World,
  interpolation: Interpolation,
  place: (entity: Entity, alpha: number) => void,
): MovingEntities {
  /** Those drawn between two places in the last frame: they must arrive. */
  const between = new Set<Entity>();
  let moving: ReadonlySet<Entity> = new Set();
  let lastAlpha = 1;
  return {
    read() {
      moving = interpolation.moving();
    },
    takes(entity) {
      if (!moving.has(entity)) return false;
      between.add(entity);
      return true;
    },
    move(alpha, isStale) {
      moving = interpolation.moving();
      for (const entity of between) {
        if (moving.has(entity)) continue;
        between.delete(entity);
        if (world.isAlive(entity)) place(entity, 1);
      }
      for (const entity of moving) {
        if (alpha === lastAlpha && between.has(entity) && !isStale) continue;
        between.add(entity);
        place(entity, alpha);
      }
      lastAlpha = alpha;
    },
  };
}
