/**
 * Every error this room throws. Nothing was written and nothing has changed when one is thrown.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about world logs. */
export class LogError extends EspalierError {
  override get name(): string {
    return "LogError";
  }
}

/** A call or an option that cannot work: a closed log, a number that is not one. */
export class InvalidLogError extends LogError {
  override get name(): string {
    return "InvalidLogError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("log/invalid-use", message, facts);
  }
}

/** The folder holds a world, and the world it was opened for has entities of its own. */
export class WorldInUseError extends LogError {
  override get name(): string {
    return "WorldInUseError";
  }
  /** How many entities the world has. */
  declare readonly count: number;
  constructor(message: string, facts: FactsOf<WorldInUseError, "count">) {
    super("log/world-in-use", message, facts);
  }
}

/** The log is open already, in this process or in another that is alive. */
export class LockedLogError extends LogError {
  override get name(): string {
    return "LockedLogError";
  }
  /** The process that has the log open. */
  declare readonly pid: number;
  /** The lock file. */
  declare readonly file: string;
  constructor(message: string, facts: FactsOf<LockedLogError, "pid" | "file">) {
    super("log/locked", message, facts);
  }
}

/** A file of the log is damaged in the middle, or missing: not just a torn end. */
export class DamagedLogError extends LogError {
  override get name(): string {
    return "DamagedLogError";
  }
  /** The file that is damaged. */
  declare readonly file: string;
  /** The offset of the damage in the file, in bytes. */
  declare readonly offset: number;
  /** The number of the last readable batch. */
  declare readonly sequence: number;
  constructor(message: string, facts: FactsOf<DamagedLogError, "file" | "offset" | "sequence">) {
    super("log/damaged", message, facts);
  }
}

/** The file system refused to write: a full disk, a deleted folder. `cause` is its error. */
export class LogWriteError extends LogError {
  override get name(): string {
    return "LogWriteError";
  }
  /** The file that could not be written. */
  declare readonly file: string;
  constructor(message: string, facts: FactsOf<LogWriteError, "file">) {
    super("log/write", message, facts);
  }
}
