/** Handles that mean nothing in a world. */
import { createWorld, type World } from "espalier";
import type { Handles } from "./bad-values.ts";

export function otherHandles(world: World): Handles {
  const dead = world.spawn();
  world.destroy(dead);
  const elsewhere = createWorld();
  elsewhere.spawnMany(50);
  return { dead, foreign: elsewhere.spawn() };
}
