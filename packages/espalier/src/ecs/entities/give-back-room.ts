/**
 * Room that a build left over: growing leaves up to three quarters of every column empty in a small world, and up to a third in a large one, and lists that double up to half.
 *
 * The first build gives it back at once. A world that grows again afterwards waits until no index was needed for some time, each time longer, so
 * that one that grows every other frame does not move its columns all the time.
 */
import type { WorldState } from "../state.ts";

/** So many times longer it waits after each time. */
const LONGER = 8;

/** Called before a pass over everything, when the world has grown. */
export function giveBackRoom(state: WorldState): void {
  const { table } = state;
  // Loops and listeners may hold columns.
  if (state.isIterating || state.isNotifying || state.isReplaying) return;
  if (table.used !== table.usedAtLook) table.looks = 0;
  table.usedAtLook = table.used;
  if (table.looks++ < table.patience) return;
  table.looks = 0;
  table.patience = Math.max(LONGER, table.patience * LONGER);
  for (const archetype of state.graph.all) archetype.fit();
  table.fit();
}
