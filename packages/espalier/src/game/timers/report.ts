/**
 * Errors of what runs later: nothing is there to catch them.
 */
import type { World } from "../../ecs/index.ts";

export function reportTo(world: World, cause: unknown): void {
  world.onError(cause instanceof Error ? cause : new Error(String(cause)));
}
