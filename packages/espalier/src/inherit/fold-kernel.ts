/**
 * Sums and products down a tree as a kernel pair: `value = parent's value + own` or `* own`, for a run of slots.
 */
import { compileModule, type KernelPair } from "./kernel.ts";
import { foldKernelBytes } from "./kernel-fold-bytes.ts";

/** What `sum` and `product` do with the parent's value and the own number. */
export type Fold = "sum" | "product";

const columns = { own: { type: "f64", width: 1 }, value: { type: "f64", width: 1 } } as const;

type Loop = (own: number, value: number, parent: number, from: number, to: number) => number;

interface Exports {
  readonly sum: Loop;
  readonly product: Loop;
}

/** Code without any state; compiling it once lets V8 optimise it once. */
let compiled: WebAssembly.Module | undefined;

export function foldKernel(fold: Fold): KernelPair<typeof columns, Exports> {
  return {
    columns,
    createLoop({ own, value }) {
      return fold === "sum"
        ? (parent, from, to) => {
            for (let slot = from; slot < to; slot++) value[slot] = value[parent[slot]] + own[slot];
          }
        : (parent, from, to) => {
            for (let slot = from; slot < to; slot++) value[slot] = value[parent[slot]] * own[slot];
          };
    },
    module() {
      compiled ??= compileModule(foldKernelBytes());
      return compiled;
    },
    bindLoop(exports, { own, value }) {
      const loop = exports[fold];
      const ownAt = own.byteOffset;
      const valueAt = value.byteOffset;
      return (parent, from, to) => loop(ownAt, valueAt, parent, from, to);
    },
  };
}

/** The own number that leaves every parent's value as it is, also -0. */
export function neutralOf(fold: Fold): number {
  return fold === "sum" ? -0 : 1;
}
