/**
 * Every error this room throws or reports. Nothing has changed when one is thrown.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";
import type { PreloadOptions } from "./assets/game-assets.ts";

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
  constructor(message: string, facts?: ErrorFacts) {
    super("game/invalid-options", message, facts);
  }
}

/** Something was used that the game was created without. `option` is the option of `createGame` that adds it. */
export class MissingPartError extends GameError {
  override get name(): string {
    return "MissingPartError";
  }
  constructor(message: string, facts: ErrorFacts) {
    super("game/missing-part", message, facts);
  }
}

/** A state that its `State` does not allow after the current one. */
export class UnknownStateError extends GameError {
  override get name(): string {
    return "UnknownStateError";
  }
  /** The state that the entity is in. */
  declare readonly from: string;
  /** The states that it can go to. */
  declare readonly known: readonly string[];
  constructor(message: string, facts: FactsOf<UnknownStateError, "from" | "known">) {
    super("game/unknown-state", message, facts);
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

/** The entity of an entity object was destroyed. `label` is its former label: `tank#12`. */
export class GoneEntityError extends GameError {
  override get name(): string {
    return "GoneEntityError";
  }
  /** Its former label: `tank#12`. */
  declare readonly label: string;
  constructor(message: string, facts: FactsOf<GoneEntityError, "label">) {
    super("game/dead-entity", message, facts);
  }
}

/** A computed property was written. */
export class ReadOnlyPropertyError extends GameError {
  override get name(): string {
    return "ReadOnlyPropertyError";
  }
  /** The property that was written. */
  declare readonly property: string;
  constructor(message: string, facts: FactsOf<ReadOnlyPropertyError, "property">) {
    super("game/read-only", message, facts);
  }
}

/** A property was written that entity objects do not have. */
export class UnknownPropertyError extends GameError {
  override get name(): string {
    return "UnknownPropertyError";
  }
  /** The property that was written. */
  declare readonly property: string;
  constructor(message: string, facts: FactsOf<UnknownPropertyError, "property">) {
    super("game/unknown-property", message, facts);
  }
}

/** A behaviour that cannot work: no name, no hooks, or a second one of the same component. */
export class InvalidBehaviourError extends GameError {
  override get name(): string {
    return "InvalidBehaviourError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/invalid-behaviour", message, facts);
  }
}

/** A hook of a behaviour threw; `cause` is its error. */
export class BehaviourError extends GameError {
  override get name(): string {
    return "BehaviourError";
  }
  /** The name of its component. */
  declare readonly behaviour: string;
  /** The hook that threw: `update`. */
  declare readonly hook: string;
  /** The path of the entity: `/level/tank`. */
  declare readonly path: string;
  constructor(message: string, facts: FactsOf<BehaviourError, "behaviour" | "hook" | "path">) {
    super("game/behaviour", message, facts);
  }
}

/** Something that is not a message was sent or listened for. */
export class UnknownMessageError extends GameError {
  override get name(): string {
    return "UnknownMessageError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/unknown-message", message, facts);
  }
}

/** A listener of a message threw; `cause` is its error. */
export class MessageListenerError extends GameError {
  override get name(): string {
    return "MessageListenerError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/message-listener", message, facts);
  }
}

/** A timer, tween or sequence that cannot work. */
export class InvalidTimerError extends GameError {
  override get name(): string {
    return "InvalidTimerError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/invalid-timer", message, facts);
  }
}

/** No action of that name is mapped. */
export class UnknownActionError extends GameError {
  override get name(): string {
    return "UnknownActionError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/unknown-action", message, facts);
  }
}

/** An action is mapped to something that no device has. */
export class InvalidBindingError extends GameError {
  override get name(): string {
    return "InvalidBindingError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/invalid-binding", message, facts);
  }
}

/** A recording of input that does not fit this game, or is not a recording at all. */
export class InvalidRecordingError extends GameError {
  override get name(): string {
    return "InvalidRecordingError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/invalid-recording", message, facts);
  }
}

/** There is no scene of that name. */
export class UnknownSceneError extends GameError {
  override get name(): string {
    return "UnknownSceneError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/unknown-scene", message, facts);
  }
}

/** Loading a scene was cancelled. Nothing of it is in the world. */
export class LoadCancelledError extends GameError {
  override get name(): string {
    return "LoadCancelledError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/load-cancelled", message, facts);
  }
}

/** The text of a scene or of a prefab could not be fetched; `cause` is why. */
export class LoadFailedError extends GameError {
  override get name(): string {
    return "LoadFailedError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/load-failed", message, facts);
  }
}

/** A file that could not be loaded. */
export interface AssetFailure {
  /** The requested name. */
  readonly name: string;
  /** The kind of file; empty if unknown. */
  readonly kind: string;
  /** Where it was fetched from, if it was. */
  readonly address: string | undefined;
  /** The status of the response, if there was one: 404. */
  readonly status: number | undefined;
  /** What is wrong, as text. */
  readonly reason: string;
  /** The first entity that needs it: `/level/tank`. */
  readonly path: string | undefined;
  /** The scene of that entity. */
  readonly file: string | undefined;
  /** The field that names it: `Sprite.texture`. */
  readonly field: string | undefined;
  /** The error. */
  readonly cause: unknown;
}

/** Files could not be loaded; none of the files requested together is in use. */
export class AssetLoadError extends GameError {
  override get name(): string {
    return "AssetLoadError";
  }
  /** All of them. */
  declare readonly failures: readonly AssetFailure[];
  readonly #again: (options: PreloadOptions | undefined) => Promise<void>;
  /** @param again - Loads the failed files again. */
  constructor(
    message: string,
    facts: FactsOf<AssetLoadError, "failures">,
    again: (options: PreloadOptions | undefined) => Promise<void>,
  ) {
    super("game/asset-load", message, facts);
    this.#again = again;
  }
  /**
   * Loads the failed files again, and puts all requested files into use. Files that had arrived are not fetched again.
   * @throws AssetLoadError for files that are still missing.
   */
  retry(options?: PreloadOptions): Promise<void> {
    return this.#again(options);
  }
}

/** An address that a game must not be connected to: only those of this machine, with a token, are allowed. */
export class InvalidRemoteError extends GameError {
  override get name(): string {
    return "InvalidRemoteError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("game/invalid-remote", message, facts);
  }
}

/** A running game refused a call, in which case nothing has changed, or did not answer, in which case it may have run anyway. */
export class RemoteCallError extends GameError {
  override get name(): string {
    return "RemoteCallError";
  }
  /** The name of the call. */
  declare readonly call: string;
  /** The code of the error in the game, if it has one. */
  declare readonly reason: string | undefined;
  constructor(message: string, facts: FactsOf<RemoteCallError, "call" | "reason">) {
    super("game/remote-call", message, facts);
  }
}
