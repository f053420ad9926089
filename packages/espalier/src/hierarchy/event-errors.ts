/**
 * Errors about entity events.
 */
import type { Entity } from "../ecs/index.ts";
import { HierarchyError } from "./errors.ts";

/** An entity event that was never described, one of a name that another has, or a handler that is not a function. */
export class EntityEventError extends HierarchyError {
  constructor(message: string, entities: readonly Entity[] = []) {
    super("hierarchy/invalid-event", message, entities);
  }
}

/** A handler of an entity event threw; `cause` is what it threw. Reported to the world's `onError`. */
export class EntityEventHandlerError extends HierarchyError {
  constructor(message: string, entities: readonly Entity[], cause: unknown) {
    super("hierarchy/event-handler", message, entities);
    this.cause = cause;
  }
}
