// Sums and products down a tree in AssemblyScript. `npm run wasm` compiles them into src/inherit/kernel-fold-bytes.ts.
//
// The same operation in the same order as in `fold-kernel.ts` of that folder. Addresses are of slot 0; an own number and a value
// have 8 bytes each, a parent 4. A value waits for its parent's, so there is nothing to compute in pairs.

/** `value = parent's value + own` for slots from..to - 1, in order. */
export function sum(own: usize, value: usize, parent: usize, from: i32, to: i32): i32 {
  for (let slot = from; slot < to; slot++) {
    const above = value + ((<usize>load<i32>(parent + ((<usize>slot) << 2))) << 3);
    const at = (<usize>slot) << 3;
    store<f64>(value + at, load<f64>(above) + load<f64>(own + at));
  }
  return to;
}

/** `value = parent's value * own` for slots from..to - 1, in order. */
export function product(own: usize, value: usize, parent: usize, from: i32, to: i32): i32 {
  for (let slot = from; slot < to; slot++) {
    const above = value + ((<usize>load<i32>(parent + ((<usize>slot) << 2))) << 3);
    const at = (<usize>slot) << 3;
    store<f64>(value + at, load<f64>(above) * load<f64>(own + at));
  }
  return to;
}
