/**
 * Every error this room throws. Nothing has changed when one is thrown.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about transforms. */
export class TransformError extends EspalierError {
  override get name(): string {
    return "TransformError";
  }
}

/** A number that no transform can hold: NaN or an infinity. */
export class InvalidTransformError extends TransformError {
  override get name(): string {
    return "InvalidTransformError";
  }
  /** The field, or the number of a world value: `world[2]`. */
  declare readonly field: string;
  constructor(message: string, facts: FactsOf<InvalidTransformError, "field">) {
    super("transform/invalid-number", message, facts);
  }
}

/** The parent has no inverse (a scale of 0), so no local value leads to the wanted transform. */
export class SingularTransformError extends TransformError {
  override get name(): string {
    return "SingularTransformError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("transform/singular", message, facts);
  }
}

/** The fields of a transform cannot express the wanted transform. `residue` is how far off the nearest one is. */
export class UnrepresentableTransformError extends TransformError {
  override get name(): string {
    return "UnrepresentableTransformError";
  }
  /** How far off the nearest transform is. */
  declare readonly residue: number;
  constructor(message: string, facts: FactsOf<UnrepresentableTransformError, "residue">) {
    super("transform/unrepresentable", message, facts);
  }
}

/** A user-defined transform that cannot work, or an option that does not exist. */
export class InvalidSpaceError extends TransformError {
  override get name(): string {
    return "InvalidSpaceError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("transform/invalid-space", message, facts);
  }
}

/** A fill call with a buffer that is too small, or with an option that does not exist. */
export class InvalidFillError extends TransformError {
  override get name(): string {
    return "InvalidFillError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("transform/invalid-fill", message, facts);
  }
}
