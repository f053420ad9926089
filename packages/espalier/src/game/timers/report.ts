/**
 * Reports errors of deferred code, which no caller could catch.
 */
import type { World } from "../../ecs/index.ts";

export function reportTo(world: World, cause: unknown): void {
  world.onError(cause instanceof Error ? cause : new Error(String(cause)));
}
