/**
 * Every error this room throws. Nothing has changed when one is thrown.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about three.js objects. */
export class ThreeError extends EspalierError {
  override get name(): string {
    return "ThreeError";
  }
}

/** Something that is not an `Object3D`, or an `InstancedMesh` where one is needed. */
export class InvalidObjectError extends ThreeError {
  override get name(): string {
    return "InvalidObjectError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("three/invalid-object", message, facts);
  }
}

/** The entity has an object already, or the object an entity. */
export class AlreadyAttachedError extends ThreeError {
  override get name(): string {
    return "AlreadyAttachedError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("three/already-attached", message, facts);
  }
}

/** A tree of objects and a tree of entities that should be the same differ. */
export class TreeMismatchError extends ThreeError {
  override get name(): string {
    return "TreeMismatchError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("three/tree-mismatch", message, facts);
  }
}

/** A name that no clip of the model has. */
export class UnknownClipError extends ThreeError {
  override get name(): string {
    return "UnknownClipError";
  }
  /** The requested name. */
  declare readonly clip: string;
  constructor(message: string, facts: FactsOf<UnknownClipError, "clip">) {
    super("three/unknown-clip", message, facts);
  }
}
