/**
 * Which handles a world will give out next, read and set as a whole: what makes a restored world go on exactly as the
 * one it was taken from.
 */
import type { Entities } from "./entities.ts";
import { NARROW_GENERATIONS } from "./entity.ts";
import { ARCHETYPE, GENERATION, NO_ENTITY } from "./index-record.ts";

export interface IndexState {
  /** Indices 1 to `used` were given out before. */
  readonly used: number;
  /** By index: how often it was used before. */
  readonly generations: Int32Array;
  /** Those that are free, next one first. */
  readonly free: Int32Array;
}

export function readIndexState(table: Entities): IndexState {
  const { used, info } = table;
  const generations = new Int32Array(used + 1);
  for (let index = 1; index <= used; index++) generations[index] = info[(index << 2) | GENERATION];
  return { used, generations, free: table.freeIndices() };
}

/**
 * Makes the empty indices what they were when `readIndexState` was asked: how often each was used, and in which order they
 * are given out. Indices that are in use or reserved stay as they are, and those that were freed inside a loop wait for its end.
 */
export function writeIndexState(table: Entities, { used, generations, free }: IndexState): void {
  const waiting = new Set(table.limbo.ids.subarray(0, table.limbo.count));
  let last = table.used;
  while (last > used && table.info[(last << 2) | ARCHETYPE] === NO_ENTITY && !waiting.has(last)) last--;
  last = Math.max(last, used);
  table.makeRoomFor(last);
  const { info } = table;
  const isListed = new Uint8Array(last + 1);
  for (const index of waiting) isListed[index] = 1;
  const order: number[] = [];
  for (const index of free) {
    if (index > last || isListed[index] === 1 || info[(index << 2) | ARCHETYPE] !== NO_ENTITY) continue;
    isListed[index] = 1;
    order.push(index);
  }
  const rested: number[] = [];
  for (let index = 1; index <= Math.max(last, table.used); index++) {
    if (info[(index << 2) | ARCHETYPE] !== NO_ENTITY) continue;
    const generation = generations[index] ?? 0;
    info[(index << 2) | GENERATION] = generation;
    if (index > last || isListed[index] === 1) continue;
    if (generation === NARROW_GENERATIONS) rested.push(index);
    else order.push(index);
  }
  table.used = last;
  stack(table, order, rested);
}

/** Makes these the free indices, next one first, and those the ones that rest, as long as no free one is wide. */
function stack(table: Entities, free: readonly number[], rested: readonly number[]): void {
  table.rested.count = 0;
  const isWide = (index: number) => table.info[(index << 2) | GENERATION] >= NARROW_GENERATIONS;
  const widens = table.wide || free.some(isWide);
  table.setFree(widens ? [...free, ...rested] : free);
  if (widens) table.widen();
  else for (const index of rested) table.rested.push(index);
}
