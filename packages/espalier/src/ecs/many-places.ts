/**
 * `take` and `release` of the table of places for many at once. Functions, so that a program that does neither does not
 * carry them.
 */
import { type BulkLoops, generateBulk } from "./bulk-places.ts";
import { type Entities, LAST_GENERATION } from "./entities.ts";
import { type Entity, NARROW_GENERATIONS } from "./entity.ts";
import { ARCHETYPE, ROW } from "./place-record.ts";

/** After this many places the loops for many have paid for being made. */
const BULK_BEFORE_GENERATING = 2000;

function bulkFor(table: Entities, count: number): BulkLoops | undefined {
  table.bulkCount += count;
  if (table.generates && table.bulkCount > BULK_BEFORE_GENERATING) {
    table.bulk ??= generateBulk(table.info, table.wide);
  }
  return table.bulk;
}

/** The generation from which on a place needs `release` itself. */
export function limitOf(table: Entities): number {
  return table.wide ? LAST_GENERATION : NARROW_GENERATIONS - 1;
}

/**
 * Takes `count` places for the rows from `row` on of an archetype's list, where there is room for them, and gives
 * their handles. The same as `take` and `push` one by one, but all or none.
 */
export function takeMany(
  table: Entities,
  count: number,
  archetype: number,
  ids: Int32Array,
  row: number,
): Entity[] {
  const handles = new Array<Entity>(count);
  let k = bulkFor(table, count)?.take(table, count, archetype, ids, row, handles) ?? 0;
  try {
    for (; k < count; k++) {
      const index = table.take();
      ids[row + k] = index;
      table.info[(index << 2) | ARCHETYPE] = archetype;
      table.info[(index << 2) | ROW] = row + k;
      handles[k] = table.handleAt(index);
    }
  } catch (error) {
    while (--k >= 0) table.untake(ids[row + k]);
    throw error;
  }
  return handles;
}

/** `release` for the first `count` of `ids`. Gives the sum of their generations. */
export function releaseMany(table: Entities, ids: Int32Array, count: number): number {
  const bulk = table.iterating === 0 ? bulkFor(table, count) : undefined;
  if (bulk !== undefined) return bulk.release(table, ids, count, limitOf(table));
  let sum = 0;
  for (let k = 0; k < count; k++) {
    sum += table.generationAt(ids[k]);
    table.release(ids[k]);
  }
  return sum;
}
