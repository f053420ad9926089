/**
 * Which element of the page shows which row. An entity keeps its element while it is on the screen; elements of rows that left
 * are reused for rows that enter, so that scrolling creates none.
 */
import type { Entity } from "espalier";

/** Assigns each entity an element by number, the same as before if it had one. */
export function assignSlots(
  before: ReadonlyMap<Entity, number>,
  entities: readonly Entity[],
): Map<Entity, number> {
  const slots = new Map<Entity, number>();
  const taken = new Set<number>();
  for (const entity of entities) {
    const slot = before.get(entity);
    if (slot !== undefined) taken.add(slot);
  }
  let free = 0;
  for (const entity of entities) {
    let slot = before.get(entity);
    if (slot === undefined) {
      while (taken.has(free)) free++;
      slot = free++;
    }
    slots.set(entity, slot);
  }
  return slots;
}
