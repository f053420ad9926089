/**
 * Errors about values that flow down a tree.
 */
import { type ErrorFacts, EspalierError } from "../ecs/index.ts";

/** A definition of an inherited value that cannot work. */
export class InvalidInheritedError extends EspalierError {
  override get name(): string {
    return "InvalidInheritedError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("inherit/invalid-definition", message, facts);
  }
}
