/**
 * `world.spawnBare` as text, for an extension that makes its own short way from text.
 */
import { INDEX_BITS } from "./entity.ts";
import { compile } from "./generate.ts";
import { ARCHETYPE, GENERATION, ROW } from "./place-record.ts";
import type { World } from "./world.ts";

/** The extension's part: text that is put around the spawn, and the values it uses. */
export interface SpawnText {
  readonly parameter: string;
  /** By name; constants of the text. */
  readonly constants: { readonly [name: string]: unknown };
  /** Ends with `return 0;` where the short way must not be taken. Changes nothing. */
  readonly before: string;
  /** Sees the new place as `node` and its handle as `entity`. */
  readonly after: string;
}

/**
 * A function that spawns an entity without components and gives its handle; 0, with nothing changed, where `spawnBare`
 * gives 0 or the text says so, where the world has to grow, and where handles are wide. With the table as a constant V8
 * checks neither type nor length nor address of it: a new child of a tree takes 15 ns instead of 21. Make it anew when
 * the world has grown.
 */
export function generateBareSpawn<T>(
  world: World,
  { parameter, constants, before, after }: SpawnText,
): (parameter: T) => number {
  const { table, graph } = world;
  const own = { world, table, info: table.info, list: graph.empty };
  const values = { ...own, ...constants };
  return compile(
    Object.keys(values),
    `return function spawnBare(${parameter}) {
      ${before}
      if (world.ears !== 0 || world.locked !== 0 || world.spawnHooks.length !== 1 || table.wide) return 0;
      const { ids, count: row } = list;
      if (row === ids.length) return 0;
      let node = table.free;
      if (node !== 0) table.free = info[node << 2 | ${ROW}];
      else {
        node = table.used + 1;
        if (node >= ${table.capacity}) return 0;
        table.used = node;
      }
      const at = node << 2;
      info[at | ${ARCHETYPE}] = ${graph.empty.id};
      info[at | ${ROW}] = row;
      ids[row] = node;
      list.count = row + 1;
      list.revision++;
      table.alive++;
      world.version++;
      const entity = info[at | ${GENERATION}] << ${INDEX_BITS} | node;
      ${after}
      return entity;
    };`,
  )(...Object.values(values)) as (parameter: T) => number;
}
