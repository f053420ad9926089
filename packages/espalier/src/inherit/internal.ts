/** What other rooms of this package use of `inherit`. Not published. */
export { staleValues } from "./check-values.ts";
export { ComputedRuns } from "./computed-runs.ts";
export { findRow } from "./find-row.ts";
export { Flow, NEW, UNLISTED, WRITTEN } from "./flow.ts";
export type { FlowValues } from "./flow-values.ts";
export {
  type KernelExports,
  type KernelPair,
  lazyModule,
  SHORT_RUN,
  SlotKernel,
  type SlotLoop,
} from "./kernel.ts";
export { OwnValues } from "./own-values.ts";
export { propagate } from "./pass.ts";
export { permute } from "./permute.ts";
export { requireTree } from "./require-tree.ts";
export { SCRATCH_ADDRESS, type SlotNumbers } from "./slot-memory.ts";
