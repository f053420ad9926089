/**
 * Every error this room throws. Nothing has changed when one is thrown.
 */
import { type Entity, EspalierError } from "../ecs/index.ts";

/** Base of the errors about three.js objects. */
export class ThreeError extends EspalierError {}

/** Something that is not an `Object3D`, or an `InstancedMesh` where one is needed. */
export class InvalidObjectError extends ThreeError {
  constructor(message: string, entities: readonly Entity[] = []) {
    super("three/invalid-object", message, entities);
  }
}

/** The entity has an object already, or the object an entity. */
export class AlreadyAttachedError extends ThreeError {
  constructor(message: string, entities: readonly Entity[]) {
    super("three/already-attached", message, entities);
  }
}

/** A tree of objects and a tree of entities that should be the same differ. */
export class TreeMismatchError extends ThreeError {
  constructor(message: string, entities: readonly Entity[]) {
    super("three/tree-mismatch", message, entities);
  }
}
