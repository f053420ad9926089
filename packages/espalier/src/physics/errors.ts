/**
 * Every error this room throws. Nothing has changed when one is thrown.
 */
import { type ErrorFacts, EspalierError } from "../ecs/index.ts";

/** Base of the errors about physics. */
export class PhysicsError extends EspalierError {
  override get name(): string {
    return "PhysicsError";
  }
}

/** A body on an entity that has a parent. */
export class BodyOnChildError extends PhysicsError {
  override get name(): string {
    return "BodyOnChildError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/child-body", message, facts);
  }
}

/** A body with impossible values: negative damping, a position beyond the range of the engine. */
export class InvalidBodyError extends PhysicsError {
  override get name(): string {
    return "InvalidBodyError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/invalid-body", message, facts);
  }
}

/** A dynamic body without a single shape. */
export class BodyWithoutShapesError extends PhysicsError {
  override get name(): string {
    return "BodyWithoutShapesError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/no-shapes", message, facts);
  }
}

/** A body on an entity without a transform. */
export class BodyWithoutTransformError extends PhysicsError {
  override get name(): string {
    return "BodyWithoutTransformError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/no-transform", message, facts);
  }
}

/** A shape without area, with a negative density, of an unknown type. */
export class InvalidShapeError extends PhysicsError {
  override get name(): string {
    return "InvalidShapeError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/invalid-shape", message, facts);
  }
}

/** A layer that was not given to `createPhysics`. */
export class UnknownLayerError extends PhysicsError {
  override get name(): string {
    return "UnknownLayerError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/unknown-layer", message, facts);
  }
}

/** A joint that does not have two bodies, or has invalid values. */
export class InvalidJointError extends PhysicsError {
  override get name(): string {
    return "InvalidJointError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/invalid-joint", message, facts);
  }
}

/** A call for the body of an entity that has none: it was destroyed, or never had one. */
export class NoBodyError extends PhysicsError {
  override get name(): string {
    return "NoBodyError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/no-body", message, facts);
  }
}

/** A number given to a call is not finite, or a time step is not above 0. */
export class InvalidPhysicsNumberError extends PhysicsError {
  override get name(): string {
    return "InvalidPhysicsNumberError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/invalid-number", message, facts);
  }
}

/** Options that do not exist or do not go together. */
export class InvalidPhysicsOptionsError extends PhysicsError {
  override get name(): string {
    return "InvalidPhysicsOptionsError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/invalid-options", message, facts);
  }
}

/** The engine is not available: still loading, or it could not be loaded. */
export class EngineNotLoadedError extends PhysicsError {
  override get name(): string {
    return "EngineNotLoadedError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/engine-not-loaded", message, facts);
  }
}

/** More than the engine can hold. */
export class EngineLimitError extends PhysicsError {
  override get name(): string {
    return "EngineLimitError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("physics/engine-limit", message, facts);
  }
}

/** The physics was disposed of. */
export class DisposedPhysicsError extends PhysicsError {
  override get name(): string {
    return "DisposedPhysicsError";
  }
  constructor(doing: string) {
    super(
      "physics/disposed",
      `Cannot ${doing}: this physics was disposed of. Create another with createPhysics().`,
    );
  }
}

/** A step is running: an observer of its writes called for another step, or for disposal. */
export class PhysicsBusyError extends PhysicsError {
  override get name(): string {
    return "PhysicsBusyError";
  }
  constructor(doing: string) {
    super(
      "physics/busy",
      `Cannot ${doing} while a step is running: it writes transforms, and an observer of these asked for it. Do it after the step.`,
    );
  }
}
