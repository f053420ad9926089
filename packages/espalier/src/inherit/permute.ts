/**
 * Moves the values of slots to other slots, when the flat order changed as a whole.
 */
import type { SlotMoves } from "../hierarchy/internal.ts";

/** What moves: bytes, or the halves and wholes of floats as integers, which no conversion slows down. */
type Units = Uint8Array | Int32Array;

/** From this many units on one call moves them faster than a loop. */
const LONG = 128;

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
  if (moves.inOrder) closeHoles(values, width, moves);
  else scatter(values, values.slice(0, moves.tail * width), width, moves);
}

/** Holes went and the rest kept its order: whole stretches move to the front. */
function closeHoles(values: Units, width: number, { old, count }: SlotMoves): void {
  let slot = 1;
  while (slot < count) {
    const begin = slot;
    do slot++;
    while (slot < count && old[slot] === old[slot - 1] + 1);
    let from = old[begin] * width;
    let to = begin * width;
    const end = slot * width;
    if (from === to) continue;
    if (end - to >= LONG) values.copyWithin(to, from, from + end - to);
    else while (to < end) values[to++] = values[from++];
  }
}

function scatter(values: Units, before: Units, width: number, { old, count }: SlotMoves): void {
  for (let slot = 1, to = width; slot < count; slot++) {
    for (let from = old[slot] * width, end = from + width; from < end; from++) values[to++] = before[from];
  }
}
