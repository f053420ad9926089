/**
 * The inner loop of 2D transforms: `world = parent's world * local`, for a run of slots in order.
 *
 * Local records: x, y, rotation, scaleX, scaleY, skew, cos, sin. World records: a, b, c, d, x, y and two spare. Every
 * operation is rounded to 32 bits and done in the same order here and in the WebAssembly kernel, so both give the same
 * bits (V8 turns rounded operations into 32-bit instructions, they cost nothing extra).
 */
export type Kernel = (
  local: Float32Array,
  world: Float32Array,
  parent: Int32Array,
  from: number,
  to: number,
) => void;

export const javaScriptKernel: Kernel = (local, world, parent, from, to) => {
  const f = Math.fround;
  for (let slot = from; slot < to; slot++) {
    const l = slot << 3;
    const p = parent[slot] << 3;
    const pa = world[p];
    const pb = world[p + 1];
    const pc = world[p + 2];
    const pd = world[p + 3];
    const x = local[l];
    const y = local[l + 1];
    const scaleX = local[l + 3];
    const scaleY = local[l + 4];
    const skew = local[l + 5];
    const cos = local[l + 6];
    const sin = local[l + 7];
    const a = f(cos * scaleX);
    const b = f(sin * scaleX);
    const c = f(f(f(skew * cos) - sin) * scaleY);
    const d = f(f(f(skew * sin) + cos) * scaleY);
    world[l] = f(f(pa * a) + f(pc * b));
    world[l + 1] = f(f(pb * a) + f(pd * b));
    world[l + 2] = f(f(pa * c) + f(pc * d));
    world[l + 3] = f(f(pb * c) + f(pd * d));
    world[l + 4] = f(f(f(pa * x) + f(pc * y)) + world[p + 4]);
    world[l + 5] = f(f(f(pb * x) + f(pd * y)) + world[p + 5]);
  }
};
