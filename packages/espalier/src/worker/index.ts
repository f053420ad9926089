/**
 * A world in a worker, and its mirror on the page.
 *
 * @packageDocumentation
 */

export type { AnySpace, SharedState } from "./contract.ts";
export { ContractMismatchError, InvalidWorkerError, WorkerError, WorkerFailedError } from "./errors.ts";
export {
  type HostedGame,
  type HostPart,
  type HostPartOptions,
  hostPart,
  type RunningHost,
} from "./host-part.ts";
export { type HostOptions, hostWorld, type Published, type WorldHost } from "./host-world.ts";
export { type MirrorOptions, type MirrorTick, mirrorWorld, type WorldMirror } from "./mirror-world.ts";
export type { PortLike } from "./port.ts";
export { type TimerFrames, timerFrames } from "./timer-frames.ts";
