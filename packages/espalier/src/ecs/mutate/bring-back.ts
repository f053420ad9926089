/**
 * Undoing `release` of the table of indices: an old handle is valid again.
 */
import type { Entities } from "../entities/entities.ts";
import {
  type Entity,
  formatEntity,
  GENERATION_STEP,
  INDEX_MASK,
  isHandle,
  NARROW_GENERATIONS,
} from "../entities/entity.ts";
import { ARCHETYPE, FLOOR, GENERATION, NO_ENTITY, WORN } from "../entities/index-record.ts";
import { DeadEntityError } from "../errors.ts";

/**
 * Makes the handle `entity` valid again and gives its index. Constant time when that index was freed last, else it walks
 * the free indices.
 *
 * @param isLater - Whether the time since then stays: the handles that its index had meanwhile are never given out again. Undo goes back to
 * that time instead, in which they were not given out yet.
 */
export function bringBack(table: Entities, entity: Entity, isLater = false): number {
  if (table.disposed || !isHandle(entity)) throw table.whyNotAlive(entity, "bring back an entity");
  const index = entity & INDEX_MASK;
  if (index > table.used) {
    table.makeRoomFor(index);
    // Indices skipped on the way become free, lowest on top.
    for (let i = index - 1; i > table.used; i--) table.free.push(i);
    table.used = index;
  } else if (!unstack(table, index)) {
    const name = formatEntity(entity);
    const other = table.handleAt(index);
    const reserved = table.isReserved(other)
      ? ", which a command buffer reserved; flush or close that first"
      : "";
    const why = table.isAlive(entity)
      ? "it is alive"
      : `its index is taken by ${formatEntity(other)}${reserved}`;
    throw new DeadEntityError(`Cannot bring back ${name}: ${why}.`, { entities: [entity] });
  }
  const generation = Math.floor(entity / GENERATION_STEP);
  if (generation >= NARROW_GENERATIONS) table.widen();
  const at = index << 2;
  if (isLater) table.info[at | FLOOR] = Math.max(table.info[at | FLOOR], table.info[at | GENERATION]);
  table.info[at | GENERATION] = generation;
  return index;
}

/** Takes an empty index out of the stack it is in. */
function unstack(table: Entities, index: number): boolean {
  const state = table.info[(index << 2) | ARCHETYPE];
  if (state !== NO_ENTITY) return state === WORN;
  const isNarrow = table.info[(index << 2) | GENERATION] < NARROW_GENERATIONS;
  if (!isNarrow && table.rested.delete(index)) return true;
  return table.free.delete(index) || table.limbo.delete(index);
}
