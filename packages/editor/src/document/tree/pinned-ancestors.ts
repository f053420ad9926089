/**
 * The ancestors that stay at the top of the list while what is below them is scrolled.
 */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { Rows } from "./rows.ts";

/** At most this many: the outermost, and the nearest ones. */
export const MOST_PINS = 4;

export interface Pin {
  readonly entity: Entity;
  readonly depth: number;
  /** How many levels between this pin and the next are not shown. */
  readonly skipped: number;
}

/**
 * Ancestors of the first row that the pins leave visible. O(pins), and finding the root.
 *
 * @param first - The first row that would be in view without pins.
 * @param branch - The entity of the first row, when only a branch is shown.
 */
export function pinnedAncestors(
  tree: Hierarchy,
  { entities, depths }: Rows,
  first: number,
  branch?: Entity,
): readonly Pin[] {
  // Each pin covers a row, and the next row may have more ancestors than the covered one.
  let covered = 0;
  while (covered < MOST_PINS && Math.min(depths[first + covered] ?? 0, MOST_PINS) > covered) covered++;
  const at = entities[first + covered];
  const depth = depths[first + covered] ?? 0;
  // At the top of the list nothing is scrolled out of view.
  if (first === 0 || at === undefined || depth === 0 || !tree.world.isAlive(at)) return [];
  const pins: Pin[] = [];
  const near = depth > MOST_PINS ? MOST_PINS - 1 : depth;
  let up: Entity | null = at;
  for (let k = 1; k <= near; k++) {
    up = tree.parentOf(up as Entity);
    if (up === null) return pins;
    pins.unshift({ entity: up, depth: depth - k, skipped: 0 });
  }
  if (depth > MOST_PINS) {
    pins.unshift({ entity: branch ?? tree.rootOf(at), depth: 0, skipped: depth - near - 1 });
  }
  return pins;
}
