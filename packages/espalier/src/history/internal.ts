/** What other rooms of this package use of `history`. Not published. */
export { longestIncreasing } from "./snapshot/longest-increasing.ts";
export { ownStep, recordedTransaction } from "./undo/recording.ts";
export { onCaptured, restoredTimes, unrecorded } from "./undo/unrecorded.ts";
export { deepEqual } from "./values/deep-equal.ts";
export { ownOf, setOwn } from "./values/own-keys.ts";
