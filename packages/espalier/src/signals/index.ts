/**
 * Values of the world for user interfaces: read them, and be notified when they change.
 *
 * @packageDocumentation
 */

export type { LiveList } from "./live-list.ts";
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
export { componentSignal, hasSignal, liveListSignal, querySignal, resourceSignal } from "./world-signals.ts";
