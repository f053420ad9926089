/** Every error of the connection to a running game. */
import type { ErrorFacts, FactsOf } from "../../ecs/index.ts";
import { GameError } from "../errors.ts";

/** An address that a game must not be connected to: only those of this machine, with a token, are allowed. */
export class InvalidRemoteError extends GameError {
  override get name(): string {
    return "InvalidRemoteError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/invalid-remote", message, facts);
  }
}

/** A running game refused a call, in which case nothing has changed, or did not answer, in which case it may have run all the same. */
export class RemoteCallError extends GameError {
  override get name(): string {
    return "RemoteCallError";
  }
  /** The name of the call. */
  declare readonly call: string;
  /** The code of the error in the game, where it has one. */
  declare readonly reason: string | undefined;
  constructor(message: string, facts: FactsOf<RemoteCallError, "call" | "reason">) {
    super("game/remote-call", message, facts);
  }
}
