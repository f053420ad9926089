/**
 * One world record of the plane from one parent record, `world = parent's world * local`, and the loop over a run of slots.
 *
 * Everything is computed in 64 bits and rounded once, when it is stored, in the same order here and in the WebAssembly
 * kernel, so that both give the same bits.
 */

import type { SlotLoop, SlotNumbers } from "../../inherit/internal.ts";

/** Makes the loop for these records: the plain twin of the WebAssembly kernel, for short runs and where there is none. */
export function createRun2D(local: SlotNumbers, world: SlotNumbers): SlotLoop {
  return (parent, from, to) => {
    for (let slot = from; slot < to; slot++) {
      // A product that is truncated to 32 bits needs no overflow check.
      multiplyRecord2D(local, Math.imul(slot, 10), world, parent[slot] << 3, world, slot << 3);
    }
  };
}

/** The record at `parent[p]` times the local record at `local[l]`, into `out[o]`; both may be one array. */
export function multiplyRecord2D(
  local: SlotNumbers,
  l: number,
  parent: SlotNumbers,
  p: number,
  out: SlotNumbers,
  o: number,
): void {
  const x = local[l];
  const y = local[l + 1];
  const a = local[l + 6];
  const b = local[l + 7];
  const c = local[l + 8];
  const d = local[l + 9];
  const pa = parent[p];
  const pb = parent[p + 1];
  const pc = parent[p + 2];
  const pd = parent[p + 3];
  out[o] = pa * a + pc * b;
  out[o + 1] = pb * a + pd * b;
  out[o + 2] = pa * c + pc * d;
  out[o + 3] = pb * c + pd * d;
  out[o + 4] = pa * x + pc * y + parent[p + 4];
  out[o + 5] = pb * x + pd * y + parent[p + 5];
}
