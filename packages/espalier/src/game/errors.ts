/**
 * Every error this room throws or reports. Nothing has changed when one is thrown.
 */
import { type Entity, EspalierError } from "../ecs/index.ts";

/** Base of the errors of the game layer. */
export class GameError extends EspalierError {
  override get name(): string {
    return "GameError";
  }
}

/** Options that `createGame` cannot work with. */
export class InvalidGameError extends GameError {
  override get name(): string {
    return "InvalidGameError";
  }
  constructor(message: string) {
    super("game/invalid-options", message);
  }
}

/** The game was stopped; it does not run again. */
export class StoppedGameError extends GameError {
  override get name(): string {
    return "StoppedGameError";
  }
  constructor(doing: string) {
    super(
      "game/stopped",
      `Cannot ${doing}: the game was stopped. Make a new one with createGame(), or use pause() and resume().`,
    );
  }
}

/** An entity object of one game was given to another. */
export class ForeignEntityError extends GameError {
  override get name(): string {
    return "ForeignEntityError";
  }
  constructor(message: string) {
    super("game/foreign-entity", message);
  }
}

/** The entity behind an entity object was destroyed. `label` is what it was: `tank#12`. */
export class GoneEntityError extends GameError {
  override get name(): string {
    return "GoneEntityError";
  }
  /** What the entity was called. */
  readonly label: string;
  constructor(label: string, doing: string, entity: Entity) {
    super(
      "game/dead-entity",
      `Cannot ${doing} of ${label}: it was destroyed. Ask isAlive before, or forget the object when it goes.`,
      [entity],
    );
    this.label = label;
  }
}

/** A property that follows from others was written. */
export class ReadOnlyPropertyError extends GameError {
  override get name(): string {
    return "ReadOnlyPropertyError";
  }
  /** The property that cannot be set. */
  readonly property: string;
  constructor(property: string, message: string, entity: Entity) {
    super("game/read-only", message, [entity]);
    this.property = property;
  }
}

/** A property was written that entity objects do not have. */
export class UnknownPropertyError extends GameError {
  override get name(): string {
    return "UnknownPropertyError";
  }
  readonly property: string;
  constructor(property: string, message: string, entity: Entity) {
    super("game/unknown-property", message, [entity]);
    this.property = property;
  }
}

/** A behaviour that cannot work: no name, no hooks, or a second one of the same component. */
export class InvalidBehaviourError extends GameError {
  override get name(): string {
    return "InvalidBehaviourError";
  }
  constructor(message: string) {
    super("game/invalid-behaviour", message);
  }
}

/** A hook of a behaviour threw; `cause` is what it threw. */
export class BehaviourError extends GameError {
  override get name(): string {
    return "BehaviourError";
  }
  /** The name of the behaviour. */
  readonly behaviour: string;
  /** The hook that threw. */
  readonly hook: string;
  /** The path of the entity: `/level/tank`. */
  readonly path: string;
  constructor(behaviour: string, hook: string, path: string, entity: Entity, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super("game/behaviour", `${behaviour}.${hook} of ${path} threw: ${why}`, [entity], { cause });
    this.behaviour = behaviour;
    this.hook = hook;
    this.path = path;
  }
}

/** Something that is not a message was sent or listened for. */
export class UnknownMessageError extends GameError {
  override get name(): string {
    return "UnknownMessageError";
  }
  constructor(message: string) {
    super("game/unknown-message", message);
  }
}

/** A listener of a message threw; `cause` is what it threw. */
export class MessageListenerError extends GameError {
  override get name(): string {
    return "MessageListenerError";
  }
  constructor(message: string, cause: unknown) {
    super("game/message-listener", message, [], { cause });
  }
}

/** A timer, tween or sequence that cannot work. */
export class InvalidTimerError extends GameError {
  override get name(): string {
    return "InvalidTimerError";
  }
  constructor(message: string, entities: readonly Entity[] = []) {
    super("game/invalid-timer", message, entities);
  }
}

/** No action of that name is mapped. */
export class UnknownActionError extends GameError {
  override get name(): string {
    return "UnknownActionError";
  }
  constructor(message: string) {
    super("game/unknown-action", message);
  }
}

/** An action is mapped to something that no device has. */
export class InvalidBindingError extends GameError {
  override get name(): string {
    return "InvalidBindingError";
  }
  constructor(message: string) {
    super("game/invalid-binding", message);
  }
}

/** A recording of input that does not fit this game, or is not a recording at all. */
export class InvalidRecordingError extends GameError {
  override get name(): string {
    return "InvalidRecordingError";
  }
  constructor(message: string) {
    super("game/invalid-recording", message);
  }
}

/** There is no scene of that name. */
export class UnknownSceneError extends GameError {
  override get name(): string {
    return "UnknownSceneError";
  }
  constructor(message: string) {
    super("game/unknown-scene", message);
  }
}

/** Loading a scene was cancelled. Nothing of it is in the world. */
export class LoadCancelledError extends GameError {
  override get name(): string {
    return "LoadCancelledError";
  }
  constructor(scene: string) {
    super("game/load-cancelled", `Loading ${scene} was cancelled. Nothing of it is in the world.`);
  }
}

/** The text of a scene or of a prefab could not be fetched; `cause` is why. */
export class LoadFailedError extends GameError {
  override get name(): string {
    return "LoadFailedError";
  }
  constructor(message: string, cause: unknown) {
    super("game/load-failed", message, [], { cause });
  }
}
