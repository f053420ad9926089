/**
 * A character with hat and weapon, a shadow that does not jump with it, and dust at its feet. Hat and weapon are children;
 * throwing the hat away makes it a root that stays where it was.
 */
import { f32 } from "espalier";
import { Attached, behaviour, createGame, type Game, type GameOptions } from "espalier/game";
import { ZIndex } from "espalier/inherit";
import {
  Camera,
  circle,
  createParticles,
  ellipse,
  ParticleEmitter,
  polygon,
  rect,
  roundedRect,
} from "espalier/render";

/** Walks, jumps, and turns round by mirroring itself with everything it carries. */
const Walker = behaviour(
  "Walker",
  { speed: f32(160), fall: f32(0) },
  {
    update({ entity, game, values }, dt) {
      const way = game.input.axis("walk");
      if (way !== 0) entity.scaleX = Math.sign(way);
      if (entity.y === 0 && game.input.pressed("jump")) values.fall = 420;
      values.fall -= 1200 * dt;
      const y = Math.max(0, entity.y + values.fall * dt);
      if (y === 0) values.fall = 0;
      entity.setPosition(entity.x + way * values.speed * dt, y);
      if (game.input.pressed("throw")) throwHat(game);
    },
  },
);

/** Swings to and fro. */
const Swing = behaviour(
  "Swing",
  { angle: f32(0.4), speed: f32(6) },
  {
    update({ entity, game, values }) {
      entity.rotation = Math.sin(game.time * values.speed) * values.angle;
    },
  },
);

function throwHat(game: Game): void {
  const hat = game.find("/hero/hat");
  if (hat === null) return;
  game.removeParent(hat, { keep: "world" });
}

export function createCharacterGame(options: GameOptions = {}): Game {
  const game = createGame({
    ...options,
    particles: ({ space }) => createParticles(space),
    behaviours: [Walker, Swing],
    actions: {
      walk: { negative: ["KeyA", "ArrowLeft"], positive: ["KeyD", "ArrowRight"], axes: [0] },
      jump: ["Space", "KeyW", "ArrowUp", "Pad0"],
      throw: ["KeyH", "Pad1"],
    },
  });
  const { space } = game;
  game.spawn(space.at(0, -150), rect(2000, 300, { fill: 0x3a5a40 }), ZIndex({ z: -2 }));

  const hero = game.spawn(space.at(0, 0), ZIndex({ z: 1 }), Walker);
  hero.name = "hero";
  hero.spawn(space.at(0, 40), roundedRect(36, 60, 12, { fill: 0xe07a5f })).name = "body";
  hero.spawn(space.at(0, 86), circle(20, { fill: 0xf2cc8f })).name = "head";
  hero.spawn(space.at(8, 90), circle(3, { fill: 0x22223b })).name = "eye";
  const hat = hero.spawn(
    space.at(0, 104),
    polygon([-24, 0, 24, 0, 14, 6, 10, 26, -10, 26, -14, 6], { fill: 0x3d405b }),
  );
  hat.name = "hat";
  const arm = hero.spawn(
    space.at(14, 52),
    roundedRect(12, 12, 6, { fill: 0xf2cc8f }),
    ZIndex({ z: 1 }),
    Swing,
  );
  arm.name = "arm";
  arm.spawn(space.at(34, 0), roundedRect(56, 7, 3, { fill: 0xced4da })).name = "sword";

  // On the ground, whatever the hero does: it follows in x, and is not its child.
  const shadow = game.spawn(
    space.at(0, 0),
    ellipse(60, 14, { fill: 0x000000, fillAlpha: 0.35 }),
    ZIndex({ z: -1 }),
  );
  shadow.name = "shadow";
  game.system({ name: "shadow", phase: "late", run: () => shadow.setPosition(hero.x, 0) });

  const dust = game.spawn(
    space.at(0, 0),
    Attached({ target: hero.id, y: 2 }),
    ParticleEmitter({
      rate: 30,
      lifetime: 0.7,
      speed: 30,
      spread: 1.2,
      direction: Math.PI / 2,
      worldSpace: true,
      size: 6,
      endScale: 0.2,
      startColor: 0xbfa889,
      endColor: 0x6b5b45,
    }),
  );
  dust.name = "dust";
  game.spawn(space.at(0, 70), Camera({ width: 640, height: 360, background: 0x8ecae6, backgroundAlpha: 1 }));
  return game;
}
