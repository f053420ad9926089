/**
 * Every error this room throws, while a component renders.
 */
import { type ErrorFacts, EspalierError } from "../ecs/index.ts";

/** A hook was used outside of a `WorldProvider`. */
export class MissingProviderError extends EspalierError {
  override get name(): string {
    return "MissingProviderError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("react/missing-provider", message, facts);
  }
}

/** A hook needs a tree, a space or a history that the `WorldProvider` was not given. */
export class MissingPartError extends EspalierError {
  override get name(): string {
    return "MissingPartError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("react/missing-part", message, facts);
  }
}
