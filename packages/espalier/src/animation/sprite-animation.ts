/**
 * The component of sprite animations, and its event.
 */
import {
  bool,
  type Component,
  component,
  type EnumField,
  enumOf,
  type Field,
  f64,
  finite,
  string,
} from "../ecs/index.ts";
import { type EntityEventKind, entityEvent } from "../hierarchy/index.ts";
import type { LoopMode } from "./play-clip.ts";

/** The fields of `SpriteAnimation`. */
export type SpriteAnimationSchema = {
  /** The name of the clip, in the atlas of the sprite's texture. Empty: the clip with the name of the nearest state, or none. */
  clip: Field<string, "string">;
  /** Seconds since the clip began. */
  time: Field<number, "f64">;
  /** How fast it plays: 1 is the speed of the atlas, 0 stops it. */
  speed: Field<number, "f64">;
  /** Whether time passes. On if left out. */
  playing: Field<boolean, "bool">;
  /** How it ends: as defined by the clip (`clip`, the default), after one pass (`once`), or never (`forever`). */
  loop: EnumField<LoopMode>;
  /** While `clip` is empty, the state whose clip plays. Written by each step: when the state changes, `time` restarts at 0. */
  state: Field<string, "string">;
};

/**
 * Plays a clip with the sprite of the entity: each step writes `Sprite.frame` if the frame changes. The frame depends only
 * on `time`, so an animation is saved, undone and replayed with its entity.
 *
 * Another clip continues at the same `time`; set both to start it: `world.set(hero, SpriteAnimation, { clip: "jump", time: 0 })`. Without a
 * `clip`, each state plays the clip with its name from the start.
 */
export const SpriteAnimation: Component<SpriteAnimationSchema> = /* @__PURE__ */ component(
  "SpriteAnimation",
  {
    clip: /* @__PURE__ */ string(),
    time: /* @__PURE__ */ finite(/* @__PURE__ */ f64(0)),
    speed: /* @__PURE__ */ finite(/* @__PURE__ */ f64(1)),
    playing: /* @__PURE__ */ bool(true),
    loop: /* @__PURE__ */ enumOf("clip", "once", "forever"),
    state: /* @__PURE__ */ string(),
  },
);

/** The payload of `AnimationEnded`. */
export interface EndedAnimation {
  /** The name of the clip. */
  readonly clip: string;
}

/** Sent to an entity in the step in which its clip ends; never for one that loops for ever. */
export const AnimationEnded: EntityEventKind<EndedAnimation> =
  /* @__PURE__ */ entityEvent<EndedAnimation>("AnimationEnded");
