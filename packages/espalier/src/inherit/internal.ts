/** What other rooms of this package use of `inherit`. Not published. */
export { Flow, NEW, WRITTEN } from "./flow.ts";
export type { SlotList } from "./slot-list.ts";
