/**
 * What an entity says about its sprite animation, and the event that it gets.
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
  /** The name of the clip, in the atlas of the sprite's texture. Empty: the one named like the nearest state, or none. */
  clip: Field<string, "string">;
  /** Seconds since the clip began. */
  time: Field<number, "f64">;
  /** How fast it plays: 1 as the atlas says, 0 not at all. */
  speed: Field<number, "f64">;
  /** Whether time passes. On if left out. */
  playing: Field<boolean, "bool">;
  /** How it ends: as the clip says (`clip`, the default), after one time (`once`), or never (`forever`). */
  loop: EnumField<LoopMode>;
  /** While `clip` is empty, the state whose clip plays. Written by each step: with another state `time` begins at 0. */
  state: Field<string, "string">;
};

/**
 * Plays a clip with the sprite of the entity: each step writes `Sprite.frame` where another frame is shown. The frame depends on `time` and
 * on nothing else, so an animation is saved, undone and replayed with its entity.
 *
 * Another clip continues at the same `time`; set both to start it: `world.set(hero, SpriteAnimation, { clip: "jump", time: 0 })`. Without a
 * `clip`, each state plays the clip of its name from the start.
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

/** What `AnimationEnded` carries. */
export interface EndedAnimation {
  /** The name of the clip. */
  readonly clip: string;
}

/** Sent to an entity in the step in which its clip ends; never for one that loops for ever. */
export const AnimationEnded: EntityEventKind<EndedAnimation> =
  /* @__PURE__ */ entityEvent<EndedAnimation>("AnimationEnded");
