// biome-ignore-all lint/complexity/useLiteralKeys: brackets reach private state, and the compiler still checks them
/**
 * Lets entities go together and puts on a tape what undoes that. A function, so that a program that undoes nothing does not
 * carry it.
 */
import type { Archetype } from "./archetype.ts";
import type { LeaveLoops } from "./leave-loop.ts";
import { ARCHETYPE, ROW, ROWS } from "./place-record.ts";
import { copyOf } from "./replay.ts";
import type { World } from "./world.ts";
import type { ValueTape } from "./write-tape.ts";

/**
 * Puts the values of the first `count` of `ids` on the tape, which has room for them; and the archetype of the k-th with the row
 * that it has when those before it are gone, and its handle, at numbers[rows + 2 * k] and behind.
 */
export function leaveRecorded(
  world: World,
  ids: Int32Array,
  count: number,
  loops: LeaveLoops,
  tape: ValueTape,
  rows: number,
): void {
  const { table, graph } = world;
  for (let k = 0; k < count; k++) {
    const loop = loops.current(table);
    if (loop !== undefined) k = loop.leaveRecorded(ids, k, count, tape, rows);
    if (k === count) return;
    const index = ids[k];
    const archetype = graph.all[table.info[(index << 2) | ARCHETYPE]] as Archetype;
    copyOf(world, archetype).saveTo(index, tape.numbers, tape.count, tape.references);
    tape.count += archetype.packed;
    tape.numbers[rows + k * 2] = archetype.id * ROWS + table.info[(index << 2) | ROW];
    tape.numbers[rows + k * 2 + 1] = table.handleAt(index);
    world["leaveAlone"](index, archetype, loops);
  }
}
