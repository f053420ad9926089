/**
 * Animations as a part of a game: `createGame({ parts: { animations: animationPart({ atlases }) } })`. The type of parts is declared here,
 * because this room knows no games.
 */
import type { AnyComponent, AssetKind, Entity } from "../ecs/index.ts";
import type { EntityEvents, Hierarchy } from "../hierarchy/index.ts";
import { KeyframeAnimation } from "./animation.ts";
import { atlasKind } from "./atlas-kind.ts";
import { createKeyframes, type Keyframes, type KeyframesOptions } from "./keyframes.ts";
import { SpriteAnimation } from "./sprite-animation.ts";
import {
  createSpriteAnimations,
  type SpriteAnimations,
  type SpriteAnimationsOptions,
} from "./sprite-animations.ts";

/** What animations need from a game. */
export interface AnimationHost {
  /** The tree whose entities are animated. */
  readonly tree: Hierarchy;
  /** The receiver of events of frames. */
  readonly events: EntityEvents;
  /** The name of the nearest state of an entity, if the game has states. */
  stateOf?(entity: Entity): string | null;
}

/** The sprite animations of a game. */
export interface GameAnimations extends SpriteAnimations {
  /** The kinds of files it uses: `atlas`, a sprite sheet. */
  readonly assetKinds: readonly AssetKind[];
}

/** A part of a game that runs its animations. Made by `animationPart`. */
export interface AnimationPart {
  /** The components for scene files. */
  readonly components: readonly AnyComponent[];
  /** Creates the animations of a game: `game.parts.<name>`. */
  create(game: AnimationHost): GameAnimations;
}

/**
 * Lets a game run sprite animations. Options are those of `createSpriteAnimations`; events are sent through the game, and
 * states are the game's
 * unless `stateOf` is given.
 */
export function animationPart(options: Omit<SpriteAnimationsOptions, "events"> = {}): AnimationPart {
  return {
    components: [SpriteAnimation],
    create(game) {
      const stateOf = options.stateOf ?? ((entity: Entity) => game.stateOf?.(entity));
      const animations = createSpriteAnimations(game.tree, { ...options, events: game.events, stateOf });
      return Object.assign(animations, { assetKinds: [atlasKind(animations)] });
    },
  };
}

/** A part of a game that runs its keyframes. Made by `keyframePart`. */
export interface KeyframePart {
  /** The components for scene files. */
  readonly components: readonly AnyComponent[];
  /** Creates the keyframes of a game: `game.parts.<name>`. */
  create(game: AnimationHost): Keyframes;
}

/** Lets a game run keyframes. Options are those of `createKeyframes`; events are sent through the game. */
export function keyframePart(options: Omit<KeyframesOptions, "events"> = {}): KeyframePart {
  return {
    components: [KeyframeAnimation],
    create: ({ tree, events }) => createKeyframes(tree, { ...options, events }),
  };
}
