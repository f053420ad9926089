/**
 * Moves the values of slots to other slots, when the flat order changed as a whole.
 */

/** Numbers by slot, `width` of them each. */
export type SlotNumbers = Float32Array | Float64Array | Uint8Array;

/** Gives slot k, for 0 < k < count, the values that slot old[k] had. */
export function permute(values: SlotNumbers, width: number, old: Int32Array, count: number): void {
  const last = highest(old, count);
  if (last < 0) closeHoles(values, width, old, count);
  else scatter(values, values.slice(0, (last + 1) * width), width, old, count);
}

/** The highest of the old slots; -1 when they only increase, so that nothing is read behind where it is written. */
function highest(old: Int32Array, count: number): number {
  let isIncreasing = true;
  let last = 0;
  for (let slot = 1; slot < count; slot++) {
    if (old[slot] > last) last = old[slot];
    else isIncreasing = false;
  }
  return isIncreasing ? -1 : last;
}

/** Holes went and the rest kept its order: whole stretches move to the front. */
function closeHoles(values: SlotNumbers, width: number, old: Int32Array, count: number): void {
  let slot = 1;
  while (slot < count) {
    const from = slot;
    do slot++;
    while (slot < count && old[slot] === old[slot - 1] + 1);
    const first = old[from];
    if (first !== from) values.copyWithin(from * width, first * width, (first + slot - from) * width);
  }
}

function scatter(
  values: SlotNumbers,
  before: SlotNumbers,
  width: number,
  old: Int32Array,
  count: number,
): void {
  for (let slot = 1, to = width; slot < count; slot++) {
    for (let from = old[slot] * width, end = from + width; from < end; from++) values[to++] = before[from];
  }
}
