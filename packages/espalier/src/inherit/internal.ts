/** What other rooms of this package use of `inherit`. Not published. */
export { Flow, NEW, UNLISTED, WRITTEN } from "./flow.ts";
export { permute } from "./permute.ts";
export type { SlotList } from "./slot-list.ts";
