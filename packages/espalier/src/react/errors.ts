/**
 * Every error this room throws, while a component renders.
 */
import { EspalierError } from "../ecs/index.ts";

/** A hook was used outside of a `WorldProvider`. */
export class MissingProviderError extends EspalierError {
  override get name(): string {
    return "MissingProviderError";
  }
  constructor(message: string) {
    super("react/missing-provider", message);
  }
}

/** A hook needs a tree, a space or a history that the `WorldProvider` was not given. */
export class MissingPartError extends EspalierError {
  override get name(): string {
    return "MissingPartError";
  }
  constructor(message: string) {
    super("react/missing-part", message);
  }
}
