/**
 * Every error of this package.
 */
import { type ErrorFacts, EspalierError } from "espalier";

/** Base of the errors of shared scenes. */
export class CollabError extends EspalierError {
  override get name(): string {
    return "CollabError";
  }
}

/** What cannot work: an address that is not one, a scene below another entity, a prefab that cannot be read by its name, a session that has ended. */
export class InvalidCollabError extends CollabError {
  override get name(): string {
    return "InvalidCollabError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("collab/invalid-use", message, facts);
  }
}

/** The relay refuses this program: the token is wrong or missing. */
export class JoinRefusedError extends CollabError {
  override get name(): string {
    return "JoinRefusedError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("collab/join-refused", message, facts);
  }
}

/** The relay cannot be reached, or did not answer in time. */
export class RelayGoneError extends CollabError {
  override get name(): string {
    return "RelayGoneError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("collab/relay-gone", message, facts);
  }
}

/** The room has a scene of another version, or components with other declarations. */
export class VersionMismatchError extends CollabError {
  override get name(): string {
    return "VersionMismatchError";
  }
  /** The version of the format here. */
  declare readonly here: number;
  /** The version of the room. */
  declare readonly there: number;
  /** The components with other declarations. */
  declare readonly components: readonly string[];
  constructor(
    message: string,
    facts: ErrorFacts & {
      readonly here: number;
      readonly there: number;
      readonly components: readonly string[];
    },
  ) {
    super("collab/version-mismatch", message, facts);
  }
}

/** The room uses components that the format here does not list. */
export class UnknownComponentError extends CollabError {
  override get name(): string {
    return "UnknownComponentError";
  }
  /** Their names. */
  declare readonly components: readonly string[];
  constructor(message: string, facts: ErrorFacts & { readonly components: readonly string[] }) {
    super("collab/unknown-component", message, facts);
  }
}
