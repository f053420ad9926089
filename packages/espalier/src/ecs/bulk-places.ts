/**
 * `take` and `release` of the table of places for many at once, as generated code. `table` in it
 * is the `Entities` it was made for.
 */
import { type Entity, GENERATION_STEP, INDEX_BITS } from "./entity.ts";
import { compile } from "./generate.ts";
import { ARCHETYPE, NOBODY, ROW } from "./place-record.ts";

export interface BulkLoops {
  /** Gives how many there were without growing. */
  take(
    table: object,
    count: number,
    archetype: number,
    ids: Int32Array,
    row: number,
    handles: Entity[],
  ): number;
  /** Places that reached generation `limit` are released one by one. Gives the sum of their generations. */
  release(table: object, ids: Int32Array, count: number, limit: number): number;
}

/**
 * The loops with the table as a constant, made anew when it grows or its handles become wide. V8 then checks neither
 * type nor length nor address of it: creating and destroying many entities takes 9.5 ns each instead of 18.
 */
export function generateBulk(info: Int32Array, wide: boolean): BulkLoops {
  const handle = wide ? `info[i << 2] * ${GENERATION_STEP} + i` : `info[i << 2] << ${INDEX_BITS} | i`;
  return compile(
    ["info"],
    `return {
      take(table, count, archetype, ids, row, handles) {
        const id = archetype | 0;
        let { free, used } = table, k = 0;
        for (; k < count; k++) {
          let i = free;
          if (i !== 0) free = info[i << 2 | ${ROW}];
          else if (used < ${info.length / 4 - 1}) i = ++used;
          else break;
          info[i << 2 | ${ARCHETYPE}] = id;
          info[i << 2 | ${ROW}] = row + k;
          ids[row + k] = i;
          handles[k] = ${handle};
        }
        table.free = free;
        table.used = used;
        return k;
      },
      release(table, ids, count, limit) {
        let { free } = table, sum = 0;
        for (let k = 0; k < count; k++) {
          const i = ids[k], generation = info[i << 2];
          sum += generation;
          if (generation < limit) {
            info[i << 2] = generation + 1;
            info[i << 2 | ${ARCHETYPE}] = ${NOBODY};
            info[i << 2 | ${ROW}] = free;
            free = i;
          } else {
            table.free = free;
            table.release(i);
            free = table.free;
          }
        }
        table.free = free;
        return sum;
      },
    };`,
  )(info) as BulkLoops;
}
