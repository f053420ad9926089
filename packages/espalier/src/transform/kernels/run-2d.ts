/**
 * The inner loop of 2D transforms: `world = parent's world * local`, for a run of slots in order.
 *
 * Everything is computed in 64 bits and rounded once, when it is stored, in the same order here and in the WebAssembly
 * kernel, so that both give the same bits.
 */

import type { SlotLoop, SlotNumbers } from "../../inherit/internal.ts";

/** Makes the loop for these records: the plain twin of the WebAssembly kernel, for short runs and where there is none. */
export function createRun2D(locals: SlotNumbers, worlds: SlotNumbers): SlotLoop {
  const local = locals;
  const world = worlds;
  return (parent, from, to) => {
    for (let slot = from; slot < to; slot++) {
      // A product that is truncated to 32 bits needs no overflow check.
      const l = Math.imul(slot, 10);
      const w = slot << 3;
      const p = parent[slot] << 3;
      const x = local[l];
      const y = local[l + 1];
      const a = local[l + 6];
      const b = local[l + 7];
      const c = local[l + 8];
      const d = local[l + 9];
      const pa = world[p];
      const pb = world[p + 1];
      const pc = world[p + 2];
      const pd = world[p + 3];
      world[w] = pa * a + pc * b;
      world[w + 1] = pb * a + pd * b;
      world[w + 2] = pa * c + pc * d;
      world[w + 3] = pb * c + pd * d;
      world[w + 4] = pa * x + pc * y + world[p + 4];
      world[w + 5] = pb * x + pd * y + world[p + 5];
    }
  };
}
