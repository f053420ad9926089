/**
 * Sums and products down a tree as a kernel pair: `value = parent's value + own` or `* own`, for a run of slots.
 */
import { type KernelPair, lazyModule } from "./kernel.ts";

/** What `sum` and `product` do with the parent's value and the own number. */
export type Fold = "sum" | "product";

const columns = { own: { type: "f64", width: 1 }, value: { type: "f64", width: 1 } } as const;

const module = /* @__PURE__ */ lazyModule(async () => (await import("./kernel-fold-bytes.ts")).foldKernel);

export function createFoldKernel(fold: Fold): KernelPair<typeof columns> {
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
    module,
    loop: fold,
  };
}

/** The own number that leaves every parent's value as it is, also -0. */
export function neutralOf(fold: Fold): number {
  return fold === "sum" ? -0 : 1;
}
