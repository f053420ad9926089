/**
 * Emitters of particles: smoke, sparks, rain.
 */
import {
  type AssetField,
  asset,
  bool,
  type Component,
  component,
  type Field,
  string,
  u16,
  u32,
} from "../../ecs/index.ts";
import { type ColorField, color } from "../drawings/color.ts";
import { type DrawNumber, number } from "../drawings/draw-number.ts";

/** The fields of `ParticleEmitter`. */
export type ParticleEmitterSchema = {
  /** The name of the texture of a particle; empty for squares. */
  texture: AssetField;
  /** The name of a frame in the texture; empty for all of it. */
  frame: Field<string, "string">;
  /** Whether it emits. On if left out. */
  on: Field<boolean, "bool">;
  /** Particles per second. 20 if left out. */
  rate: DrawNumber;
  /** The maximum number of living particles. 200 if left out. */
  max: Field<number, "u16">;
  /** How many seconds a particle lives. 1 if left out. */
  lifetime: DrawNumber;
  /** The maximum deviation of a lifetime in either direction, in seconds. */
  lifetimeSpread: DrawNumber;
  /** The direction of particles, in radians, in the entity's own coordinates. */
  direction: DrawNumber;
  /** The maximum deviation of the direction to either side, in radians. π, all directions, if left out. */
  spread: DrawNumber;
  /** Units per second at the start. 50 if left out. */
  speed: DrawNumber;
  /** The maximum deviation of a speed in either direction, in units per second. */
  speedSpread: DrawNumber;
  /** Acceleration along x, in units per second squared. */
  gravityX: DrawNumber;
  /** Acceleration along y, in units per second squared. */
  gravityY: DrawNumber;
  /** The side of a particle without a texture. 4 if left out. */
  size: DrawNumber;
  /** The scale at birth. 1 if left out. */
  startScale: DrawNumber;
  /** The scale at death. 1 if left out. */
  endScale: DrawNumber;
  /** The opacity at birth. 1 if left out. */
  startAlpha: DrawNumber;
  /** The opacity at death. 0 if left out. */
  endAlpha: DrawNumber;
  /** The colour at birth. White if left out. */
  startColor: ColorField;
  /** The colour at death. White if left out. */
  endColor: ColorField;
  /** Whether particles stay behind when the entity moves. On if left out. */
  worldSpace: Field<boolean, "bool">;
  /** The seed of the random numbers: the same seed gives the same particles. */
  seed: Field<number, "u32">;
};

/**
 * Emits `rate` particles a second from the entity's position while `on`, at most `max` at a time. Each lives `lifetime` seconds
 * (plus or minus `lifetimeSpread`), flies in `direction` (radians, in the entity's own coordinates; plus or minus `spread`)
 * with `speed`, is pulled by gravity, and goes from the start to the end scale, alpha and colour. Without a texture a
 * particle is a square of `size` units. With `worldSpace` particles stay where they were emitted when the entity moves;
 * otherwise they move with it. The same `seed` gives the same particles.
 */
export const ParticleEmitter: Component<ParticleEmitterSchema> = /* @__PURE__ */ component(
  "ParticleEmitter",
  {
    texture: /* @__PURE__ */ asset("texture"),
    frame: /* @__PURE__ */ string(),
    on: /* @__PURE__ */ bool(true),
    rate: /* @__PURE__ */ number(20),
    max: /* @__PURE__ */ u16(200),
    lifetime: /* @__PURE__ */ number(1),
    lifetimeSpread: /* @__PURE__ */ number(0),
    direction: /* @__PURE__ */ number(0),
    spread: /* @__PURE__ */ number(Math.PI),
    speed: /* @__PURE__ */ number(50),
    speedSpread: /* @__PURE__ */ number(0),
    gravityX: /* @__PURE__ */ number(0),
    gravityY: /* @__PURE__ */ number(0),
    size: /* @__PURE__ */ number(4),
    startScale: /* @__PURE__ */ number(1),
    endScale: /* @__PURE__ */ number(1),
    startAlpha: /* @__PURE__ */ number(1),
    endAlpha: /* @__PURE__ */ number(0),
    startColor: /* @__PURE__ */ color(),
    endColor: /* @__PURE__ */ color(),
    worldSpace: /* @__PURE__ */ bool(true),
    seed: /* @__PURE__ */ u32(1),
  },
  { storage: "sparse" },
);
