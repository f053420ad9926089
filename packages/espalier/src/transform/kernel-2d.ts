/**
 * The inner loop of 2D transforms: `world = parent's world * local`, for a run of slots in order.
 *
 * World records: a, b, c, d, x, y and two spare. Every operation is rounded to 32 bits and done in the same order here and
 * in the WebAssembly kernel, so both give the same bits.
 */
import { LOCAL } from "./linear.ts";

export function propagateRun(
  local: Float32Array,
  world: Float32Array,
  parent: Int32Array,
  from: number,
  to: number,
): void {
  const f = Math.fround;
  for (let slot = from, l = from * LOCAL; slot < to; slot++, l += LOCAL) {
    const w = slot << 3;
    const p = parent[slot] << 3;
    const x = local[l];
    const y = local[l + 1];
    const a = local[l + 6];
    const b = local[l + 7];
    const c = local[l + 8];
    const d = local[l + 9];
    // One row of the matrix after the other needs fewer registers.
    const pa = world[p];
    const pc = world[p + 2];
    world[w] = f(f(pa * a) + f(pc * b));
    world[w + 2] = f(f(pa * c) + f(pc * d));
    world[w + 4] = f(f(f(pa * x) + f(pc * y)) + world[p + 4]);
    const pb = world[p + 1];
    const pd = world[p + 3];
    world[w + 1] = f(f(pb * a) + f(pd * b));
    world[w + 3] = f(f(pb * c) + f(pd * d));
    world[w + 5] = f(f(f(pb * x) + f(pd * y)) + world[p + 5]);
  }
}
