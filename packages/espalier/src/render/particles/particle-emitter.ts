/**
 * Emitters of particles: smoke, sparks, rain.
 */
import { bool, type Component, component, type Field, string, u16, u32 } from "../../ecs/index.ts";
import { type ColorField, color } from "../drawings/color.ts";
import { type DrawNumber, number } from "../drawings/draw-number.ts";

/** The fields of `ParticleEmitter`. */
export type ParticleEmitterSchema = {
  texture: Field<string, "string">;
  frame: Field<string, "string">;
  on: Field<boolean, "bool">;
  rate: DrawNumber;
  max: Field<number, "u16">;
  lifetime: DrawNumber;
  lifetimeSpread: DrawNumber;
  direction: DrawNumber;
  spread: DrawNumber;
  speed: DrawNumber;
  speedSpread: DrawNumber;
  gravityX: DrawNumber;
  gravityY: DrawNumber;
  size: DrawNumber;
  startScale: DrawNumber;
  endScale: DrawNumber;
  startAlpha: DrawNumber;
  endAlpha: DrawNumber;
  startColor: ColorField;
  endColor: ColorField;
  worldSpace: Field<boolean, "bool">;
  seed: Field<number, "u32">;
};

/**
 * Emits `rate` particles a second from the entity's place while `on`, at most `max` at a time. Each lives `lifetime` seconds
 * (give or take `lifetimeSpread`), flies in `direction` (radians, in the entity's own coordinates; give or take `spread`)
 * with `speed`, is pulled by gravity, and goes from the start to the end scale, alpha and colour. Without a texture a
 * particle is a square of `size` units. With `worldSpace` particles stay where they were emitted when the entity moves on;
 * otherwise they go with it. The same `seed` gives the same particles.
 */
export const ParticleEmitter: Component<ParticleEmitterSchema> = /* @__PURE__ */ component(
  "ParticleEmitter",
  {
    texture: /* @__PURE__ */ string(),
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
