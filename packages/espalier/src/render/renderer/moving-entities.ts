/**
 * Entities that are drawn interpolated, because they moved in the last step. In the frame after they arrive they are placed
 * once more, at their final position.
 */
import type { Entity, World } from "../../ecs/index.ts";
import type { Interpolation } from "../cameras/interpolation.ts";

export interface MovingEntities {
  /** Reads again which entities move. */
  read(): void;
  /** Whether the frame will place the entity; it is recorded, so that it arrives. */
  takes(entity: Entity): boolean;
  /**
   * Places moving entities as they are at `alpha`, and arrived ones at their final position.
   * @param isStale - Whether the frame is drawn anyway, so that all are placed.
   */
  move(alpha: number, isStale: boolean): void;
}

/** @param place - Places the drawings of an entity as they are at `alpha`. */
export function createMovingEntities(
  world: World,
  interpolation: Interpolation,
  place: (entity: Entity, alpha: number) => void,
): MovingEntities {
  /** Entities drawn interpolated in the last frame: they must arrive. */
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
