/**
 * What the components of the samples do while a scene plays.
 */
import { type AnyComponent, component, entityRef, f32, finite, string } from "espalier";
import { type AnyBehaviour, behaviour, type Self } from "espalier/game";
import { clone } from "espalier/scene";

/** Rotates its entity by this many degrees per second. */
export const Spin = behaviour(
  "Spin",
  { degrees: finite(f32(90)) },
  {
    update({ entity, values }, dt) {
      entity.rotation += (values.degrees * Math.PI * dt) / 180;
    },
  },
);

const swaySchema = {
  x: finite(f32(0)),
  y: finite(f32(10)),
  seconds: finite(f32(2)),
  phase: finite(f32(0)),
};

/** Moves its entity up and down, or from side to side, about where it was. */
export const Sway = behaviour(
  "Sway",
  swaySchema,
  class {
    private readonly self: Self<typeof swaySchema>;
    private readonly home: { readonly x: number; readonly y: number };

    constructor(self: Self<typeof swaySchema>) {
      this.self = self;
      this.home = { x: self.entity.x, y: self.entity.y };
    }

    update(): void {
      const { entity, values, game } = this.self;
      const wave = Math.sin((game.time / Math.max(values.seconds, 0.01) + values.phase) * 2 * Math.PI);
      entity.setPosition(this.home.x + values.x * wave, this.home.y + values.y * wave);
    }
  },
);

/** Turns its entity towards another, after that one has moved. */
export const LookAt = behaviour(
  "LookAt",
  { target: entityRef() },
  {
    lateUpdate({ entity, values, game }) {
      if (values.target === null) return;
      const { x, y } = game.getWorldPosition(values.target);
      game.space.lookAt(entity.id, x, y);
    },
  },
);

/** Flies straight on and vanishes after a while. */
export const Shot = behaviour(
  "Shot",
  { vx: finite(f32(0)), vy: finite(f32(0)), life: finite(f32(1)) },
  {
    update({ entity, values }, dt) {
      values.life -= dt;
      if (values.life <= 0) entity.destroy();
      else entity.setPosition(entity.x + values.vx * dt, entity.y + values.vy * dt);
    },
  },
);

const spawnerSchema = {
  original: entityRef(),
  every: finite(f32(0.5)),
  life: finite(f32(2)),
  speed: finite(f32(80)),
};

/** Creates copies of another entity, which fly on. */
export const Spawner = behaviour(
  "Spawner",
  spawnerSchema,
  class {
    private readonly self: Self<typeof spawnerSchema>;
    private left: number;

    constructor(self: Self<typeof spawnerSchema>) {
      this.self = self;
      this.left = self.values.every;
    }

    update(dt: number): void {
      this.left -= dt;
      if (this.left > 0) return;
      const { entity, game, values } = this.self;
      this.left = values.every;
      if (values.original === null) return;
      const copy = clone(game.tree, values.original, { parent: null });
      const { x, y } = entity.absolutePosition;
      const angle = entity.absoluteRotation;
      const { life, speed } = values;
      game.space.setWorldPosition(copy, x, y);
      game.world.add(copy, Shot({ vx: Math.cos(angle) * speed, vy: Math.sin(angle) * speed, life }));
    }
  },
);

/** A remark for readers of the scene. */
export const Note = component("Note", { text: string() });

export const sampleBehaviours: readonly AnyBehaviour[] = [Spin, Sway, LookAt, Spawner, Shot];
export const sampleComponents: readonly AnyComponent[] = [Spin, Sway, LookAt, Spawner, Shot, Note];
