/**
 * Every error of this room.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about worlds in workers. */
export class WorkerError extends EspalierError {
  override get name(): string {
    return "WorkerError";
  }
}

/** A call or an option that cannot work: no port, a space of another world, a mirror that was closed. */
export class InvalidWorkerError extends WorkerError {
  override get name(): string {
    return "InvalidWorkerError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("worker/invalid-use", message, facts);
  }
}

/** Page and worker disagree on what they share: components, their fields, hierarchies or spaces. */
export class ContractMismatchError extends WorkerError {
  override get name(): string {
    return "ContractMismatchError";
  }
  /** What only this side has, or has in another form: `Health { hp: f32 }`. */
  declare readonly here: readonly string[];
  /** What only the other side has, or has in another form. */
  declare readonly there: readonly string[];
  constructor(message: string, facts: FactsOf<ContractMismatchError, "here" | "there">) {
    super("worker/mismatch", message, facts);
  }
}

/** The worker threw, ended, or sent unreadable data. `cause` is the underlying error, if there is one. */
export class WorkerFailedError extends WorkerError {
  override get name(): string {
    return "WorkerFailedError";
  }
  /** `threw`: an error that the worker did not catch. `ended`: it ended. `unreadable`: a message or a snapshot could not be applied. */
  declare readonly reason: "threw" | "ended" | "unreadable";
  constructor(message: string, facts: FactsOf<WorkerFailedError, "reason">) {
    super("worker/failed", message, facts);
  }
}
