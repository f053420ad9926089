/**
 * Every error of this package.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "espalier";

/** Base of the errors about worlds on several machines. */
export class MultiplayerError extends EspalierError {
  override get name(): string {
    return "MultiplayerError";
  }
}

/** A declaration that cannot be sent: a component or field that does not exist, a kind without an encoding, an empty range. */
export class InvalidReplicationError extends MultiplayerError {
  override get name(): string {
    return "InvalidReplicationError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("colyseus/invalid-replication", message, facts);
  }
}

/** A call or an option that cannot work: a game that is missing, an entity of another world, a view that was closed. */
export class InvalidMultiplayerError extends MultiplayerError {
  override get name(): string {
    return "InvalidMultiplayerError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("colyseus/invalid-use", message, facts);
  }
}

/** Server and client disagree on what is sent: components, their fields, encodings or inputs. */
export class ReplicationMismatchError extends MultiplayerError {
  override get name(): string {
    return "ReplicationMismatchError";
  }
  /** What only this side has, or has in another form: `Health { hp: f32 }`. */
  declare readonly here: readonly string[];
  /** What only the server has, or has in another form. Empty if unknown. */
  declare readonly there: readonly string[];
  constructor(message: string, facts: FactsOf<ReplicationMismatchError, "here" | "there">) {
    super("colyseus/mismatch", message, facts);
  }
}

/** The server refuses this client: the room is full or closed, the version differs, or the room refused. */
export class JoinRefusedError extends MultiplayerError {
  override get name(): string {
    return "JoinRefusedError";
  }
  /** The code of Colyseus, or of the room. */
  declare readonly status: number;
  constructor(message: string, facts: FactsOf<JoinRefusedError, "status">) {
    super("colyseus/join-refused", message, facts);
  }
}

/** An input that cannot be sent: an unknown field, a value of another kind, a connection that is closed. */
export class InvalidInputError extends MultiplayerError {
  override get name(): string {
    return "InvalidInputError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("colyseus/invalid-input", message, facts);
  }
}
