/**
 * After a step: the transforms of the bodies that moved, and of no others.
 */
import { type BodyRecords, PLACE } from "./body-records.ts";
import type { Context } from "./context.ts";

/**
 * Writes place and rotation of every moved body into its entity's local transform; for a root these are the world's.
 * Followers are skipped: the tree says where they are.
 *
 * Records are written directly, 50 ns each with everybody told, because a call of `setTransform` with listeners takes 400.
 */
export function writeBack({ engine, space, world, unitsPerMetre }: Context, records: BodyRecords): void {
  const { moves } = engine;
  const { bodies, values } = moves;
  for (let k = 0; k < moves.count; k++) {
    const record = records.at(bodies[k]);
    if (record === undefined || record.follows) continue;
    const { entity } = record;
    // An observer of an earlier one may have destroyed it.
    if (!world.isAlive(entity)) continue;
    const x = values[k * 4] * unitsPerMetre;
    const y = values[k * 4 + 1] * unitsPerMetre;
    const rotation = Math.atan2(values[k * 4 + 3], values[k * 4 + 2]);
    const at = record.number * PLACE;
    const { places } = records;
    places[at] = x;
    places[at + 1] = y;
    places[at + 2] = rotation;
    const row = space.rowOf(entity);
    const { locals } = space;
    locals[row] = x;
    locals[row + 1] = y;
    locals[row + 2] = rotation;
    space.touch(entity);
  }
}
