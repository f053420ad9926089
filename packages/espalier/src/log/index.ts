/**
 * A world that survives its process: snapshots and appended changes in a folder. For Node, Bun and Deno.
 *
 * @packageDocumentation
 */

export {
  DamagedLogError,
  InvalidLogError,
  LockedLogError,
  LogError,
  LogWriteError,
  WorldInUseError,
} from "./errors.ts";
export type { SyncInterval, SyncPolicy } from "./log-writer.ts";
export type { LogFormatOptions, ReadLogOptions, WorldLogOptions } from "./options.ts";
export type { CutOff } from "./read-log.ts";
export type { Recovery } from "./restore-world.ts";
export { type Appended, type LoggedChanges, openWorldLog, readWorldLog, type WorldLog } from "./world-log.ts";
