/**
 * Values of the world for user interfaces: read them, and be told when they change.
 *
 * @packageDocumentation
 */

export type { Signal } from "./signal.ts";
export { createSignals, type Signals, type SignalsOptions } from "./signals.ts";
export {
  childrenSignal,
  type HistoryState,
  historySignal,
  inheritedSignal,
  parentSignal,
  worldTransformSignal,
} from "./tree-signals.ts";
export { componentSignal, hasSignal, querySignal, resourceSignal } from "./world-signals.ts";
