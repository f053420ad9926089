/**
 * Keyframes at an entity.
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
  object,
  string,
} from "../ecs/index.ts";
import type { KeyframeClips } from "./keyframe-clip.ts";
import type { LoopMode } from "./play-clip.ts";

/** The fields of `KeyframeAnimation`. */
export type AnimationSchema = {
  /** The name of the playing clip: one of `clips`, or of the shared ones. Empty: none. */
  clip: Field<string, "string">;
  /** Seconds since the clip began. */
  time: Field<number, "f64">;
  /** How fast it plays. */
  speed: Field<number, "f64">;
  /** Whether time passes. On if left out. */
  playing: Field<boolean, "bool">;
  /** How it ends: as defined by the clip (`clip`, the default), after one pass (`once`), or never (`forever`). */
  loop: EnumField<LoopMode>;
  /** The clip that fades out while `clip` fades in; empty for none. */
  previous: Field<string, "string">;
  /** Its time. */
  previousTime: Field<number, "f64">;
  /** How many seconds the fade takes. */
  fade: Field<number, "f64">;
  /** How many of them have passed. */
  faded: Field<number, "f64">;
  /** Clips of this entity's own, by name. */
  clips: Field<KeyframeClips, "object">;
};

/**
 * Plays keyframes: fields of this entity and of those below it, over time. Their values depend only on `time`. While it plays it
 * writes these fields in each step; at its end it leaves them as they are.
 */
export const KeyframeAnimation: Component<AnimationSchema> = /* @__PURE__ */ component(
  "KeyframeAnimation",
  {
    clip: /* @__PURE__ */ string(),
    time: /* @__PURE__ */ finite(/* @__PURE__ */ f64(0)),
    speed: /* @__PURE__ */ finite(/* @__PURE__ */ f64(1)),
    playing: /* @__PURE__ */ bool(true),
    loop: /* @__PURE__ */ enumOf("clip", "once", "forever"),
    previous: /* @__PURE__ */ string(),
    previousTime: /* @__PURE__ */ finite(/* @__PURE__ */ f64(0)),
    fade: /* @__PURE__ */ finite(/* @__PURE__ */ f64(0)),
    faded: /* @__PURE__ */ finite(/* @__PURE__ */ f64(0)),
    clips: /* @__PURE__ */ object((): KeyframeClips => ({})),
  },
  { storage: "sparse" },
);
