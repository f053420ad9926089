/**
 * Moves the values of slots to other slots, when the flat order changed as a whole.
 */
import type { SlotMoves } from "../hierarchy/internal.ts";

/** What moves: bytes, or the halves and wholes of floats as integers, which no conversion slows down. */
type Units = Uint8Array | Int32Array;

/** From this many units on one call moves them faster than a loop: on V8 and JavaScriptCore, 40 take a third of the time. */
const LONG = 16;

/** Gives each slot the values of the one it comes from; `width` numbers belong to a slot. */
export function permute(
  values: Float32Array | Float64Array | Uint8Array,
  width: number,
  moves: SlotMoves,
): void {
  if (values instanceof Uint8Array) permuteUnits(values, width, moves);
  else {
    const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT } = values;
    permuteUnits(new Int32Array(buffer, byteOffset, byteLength / 4), (width * BYTES_PER_ELEMENT) / 4, moves);
  }
}

function permuteUnits(values: Units, width: number, moves: SlotMoves): void {
  if (moves.runs !== undefined) closeHoles(values, width, moves.runs);
  else scatter(values, values.slice(0, moves.tail * width), width, moves.old, moves.count);
}

/** Only holes went: each run moves to the front. */
function closeHoles(values: Units, width: number, runs: Int32Array): void {
  for (let k = 0; k < runs.length; k += 3) {
    let to = runs[k] * width;
    let from = runs[k + 1] * width;
    if (from === to) continue;
    const length = runs[k + 2] * width;
    if (length >= LONG) values.copyWithin(to, from, from + length);
    else for (const end = to + length; to < end; ) values[to++] = values[from++];
  }
}

function scatter(values: Units, before: Units, width: number, old: Int32Array, count: number): void {
  for (let slot = 1, to = width; slot < count; slot++) {
    for (let from = old[slot] * width, end = from + width; from < end; from++) values[to++] = before[from];
  }
}
