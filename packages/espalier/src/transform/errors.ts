/**
 * Every error this room throws. Nothing has changed when one is thrown.
 */
import { type Entity, EspalierError } from "../ecs/index.ts";

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
  /** The field that was refused. */
  readonly field: string;
  constructor(field: string, message: string, entities: readonly Entity[]) {
    super("transform/invalid-number", message, entities);
    this.field = field;
  }
}

/** The parent has no inverse (a scale of 0), so no local value leads to the wanted place. */
export class SingularTransformError extends TransformError {
  override get name(): string {
    return "SingularTransformError";
  }
  constructor(message: string, entities: readonly Entity[]) {
    super("transform/singular", message, entities);
  }
}

/** The fields of a transform cannot express the wanted place. `residue` is how far off the nearest one is. */
export class UnrepresentableTransformError extends TransformError {
  override get name(): string {
    return "UnrepresentableTransformError";
  }
  /** How far the axes are from right angles; 0 would be representable. */
  readonly residue: number;
  constructor(message: string, entities: readonly Entity[], residue: number) {
    super("transform/unrepresentable", message, entities);
    this.residue = residue;
  }
}

/** A user-defined transform that cannot work, or an option that does not exist. */
export class InvalidSpaceError extends TransformError {
  override get name(): string {
    return "InvalidSpaceError";
  }
  constructor(message: string, entities: readonly Entity[] = []) {
    super("transform/invalid-space", message, entities);
  }
}

/** A fill call with a buffer that is too small, or with an option that does not exist. */
export class InvalidFillError extends TransformError {
  override get name(): string {
    return "InvalidFillError";
  }
  constructor(message: string) {
    super("transform/invalid-fill", message);
  }
}
