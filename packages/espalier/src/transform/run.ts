/**
 * The inner loop of 2D transforms: `world = parent's world * local`, for a run of slots in order.
 *
 * Everything is computed in 64 bits and rounded once, when it is stored, in the same order here and in the WebAssembly
 * kernel, so both give the same bits.
 */

/** Computes slots from..to - 1; `parent` holds the slots of the parents. */
export type Run = (parent: Int32Array, from: number, to: number) => void;

/**
 * Makes the loop for these records: the plain twin of the WebAssembly kernel, for short runs and where there is none.
 */
export function createRun(locals: Float32Array, worlds: Float32Array): Run {
  const local = locals;
  const world = worlds;
  return (parent, from, to) => {
    for (let slot = from; slot < to; slot++) {
      // Products that are cut to 32 bits need no check for having outgrown them.
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

/**
 * Calls a run. V8 must not take the loop into the caller: there the arrays are no longer constants, and a node costs 7.4 ns
 * instead of 5.2. It does not where a call has met several functions, see `keepApart`.
 */
export function callRun(run: Run, parent: Int32Array, from: number, to: number): void {
  run(parent, from, to);
}

/** Lets `callRun` meet functions, often enough for V8 to take note. */
export function keepApart(): void {
  const none = new Int32Array(0);
  for (let k = 0; k < 300; k++) callRun(k & 1 ? () => undefined : () => k, none, 0, 0);
}
