/**
 * Letting many entities go at once as code of its own: one loop, however archetypes are mixed, that knows what each of them
 * holds. A tree in which two alternate is destroyed at 14 ns an entity instead of 23, with what undo needs at 23 instead of 62.
 */
import type { Archetype } from "./archetype.ts";
import type { Entities } from "./entities.ts";
import { GENERATION_STEP, INDEX_BITS } from "./entity.ts";
import { compile } from "./generate.ts";
import { ARCHETYPE, NOBODY, ROW, ROWS } from "./place-record.ts";
import type { WriteTape } from "./write-tape.ts";

/** After so many that went one by one, an archetype is worth its part of the loop. */
const ALONE_BEFORE_GENERATING = 16;
/** V8 does not make long texts fast. */
const MOST_ARCHETYPES = 32;
const MOST_VALUES = 256;

export interface LeaveLoop {
  /**
   * Takes ids[from], ids[from + 1] and so on out of their archetypes and releases their places, up to the first that must go
   * by itself; gives where that is. `limit` is the generation from which on a place needs `release` itself.
   */
  leave(ids: Int32Array, from: number, to: number, limit: number): number;
  /**
   * The same with what undoes it: puts the values on the tape, which has room for them, and the archetype with the row, and
   * the handle of the k-th at numbers[rows + 2 * k] and behind.
   */
  leaveRecorded(
    ids: Int32Array,
    from: number,
    to: number,
    limit: number,
    tape: WriteTape,
    rows: number,
  ): number;
}

/** The loop of a world, which learns the archetypes that come up. */
export class LeaveLoops {
  private readonly known: Archetype[] = [];
  private values = 0;
  private loop: LeaveLoop | undefined = undefined;
  private info: Int32Array | undefined = undefined;
  private isWide = false;

  /** The loop as of now; nothing where each entity must go by itself: lists that something walks are copied first. */
  current(table: Entities): LeaveLoop | undefined {
    if (table.iterating !== 0 || this.known.length === 0) return undefined;
    if (this.loop === undefined || this.info !== table.info || this.isWide !== table.wide) {
      this.info = table.info;
      this.isWide = table.wide;
      this.loop = generateLeave(table, this.known);
    }
    return this.loop;
  }

  /** An entity of this archetype went by itself. */
  learn(archetype: Archetype, table: Entities): void {
    if (!table.generates || ++archetype.leftAlone !== ALONE_BEFORE_GENERATING) return;
    const values = this.values + archetype.packed;
    if (this.known.length === MOST_ARCHETYPES || values > MOST_VALUES) return;
    if (!archetype.stores.every((store) => store.isPlain)) return;
    this.known.push(archetype);
    this.values = values;
    this.loop = undefined;
  }
}

function generateLeave(table: Entities, archetypes: readonly Archetype[]): LeaveLoop {
  const columns = archetypes.flatMap(({ id, stores }) =>
    stores.map((store, s) => [`c${id}_${s}`, store.columns] as const),
  );
  const constants: (readonly [string, unknown])[] = [
    ["table", table],
    ["info", table.info],
    ...archetypes.map((archetype) => [`a${archetype.id}`, archetype] as const),
    ...columns,
  ];
  const texts = [leaveText(archetypes, table.wide, false), leaveText(archetypes, table.wide, true)];
  return compile(
    constants.map(([name]) => name),
    `return { ${texts.join(", ")} };`,
  )(...constants.map(([, value]) => value)) as LeaveLoop;
}

function leaveText(archetypes: readonly Archetype[], isWide: boolean, isRecorded: boolean): string {
  const handle = isWide ? `generation * ${GENERATION_STEP} + i` : `generation << ${INDEX_BITS} | i`;
  const cases = archetypes.map(
    ({ id, stores }) => `case ${id}: {
      ${isRecorded ? saveText(id, stores) : ""}
      const list = a${id}.ids;
      last = list[--a${id}.count];
      list[row] = last;
      a${id}.revision++;
      break;
    }`,
  );
  return `leave${isRecorded ? "Recorded" : ""}(ids, from, to, limit, tape, rows) {
    ${isRecorded ? "const { numbers } = tape; let at = tape.count;" : ""}
    let free = table.free, k = from;
    loop: for (; k < to; k++) {
      const i = ids[k], n = i << 2, generation = info[n], row = info[n | ${ROW}];
      let last = 0;
      if (generation >= limit) break;
      switch (info[n | ${ARCHETYPE}]) {
        ${cases.join("\n")}
        default: break loop;
      }
      ${isRecorded ? `numbers[rows + (k << 1) + 1] = ${handle};` : ""}
      info[last << 2 | ${ROW}] = row;
      info[n] = generation + 1;
      info[n | ${ARCHETYPE}] = ${NOBODY};
      info[n | ${ROW}] = free;
      free = i;
    }
    table.free = free;
    ${isRecorded ? "tape.count = at;" : ""}
    return k;
  }`;
}

function saveText(id: number, stores: Archetype["stores"]): string {
  const values = stores.flatMap(({ names }, s) => names.map((name) => `c${id}_${s}.${name}[i]`));
  const saves = values.map((value, k) => `numbers[at + ${k}] = ${value};`);
  return `${saves.join(" ")} at += ${values.length}; numbers[rows + (k << 1)] = ${id * ROWS} + row;`;
}
