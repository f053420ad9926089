/**
 * A tank: hull, turret and barrel are parent, child and grandchild. Driving moves all three, the turret aims by itself, and
 * shells leave from wherever the muzzle is.
 */
import { f32 } from "espalier";
import {
  behaviour,
  createGame,
  createTimers,
  type EntityObject,
  Follow,
  type Game,
  type GameOptions,
} from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { ZIndex } from "espalier/inherit";
import { Camera, circle, rect, roundedRect } from "espalier/render";
import { Transform2D } from "espalier/transform";

const Gone = entityEvent("gone");

/** Drives and turns by the actions of the player. */
const Driver = behaviour(
  "Driver",
  { speed: f32(120), turn: f32(2) },
  {
    update({ entity, game, values }, dt) {
      entity.rotation -= game.input.axis("turn") * values.turn * dt;
      const ahead = game.input.axis("drive") * values.speed * dt;
      const { x, y } = game.space.localToWorldDirection(entity.id, ahead, 0);
      entity.setPosition(entity.x + x, entity.y + y);
    },
  },
);

/** Points at the mouse, whichever way the hull looks, and fires. */
const Gunner = behaviour(
  "Gunner",
  { reach: f32(400) },
  {
    update({ entity, game, values }) {
      const mouse = game.getMousePosition();
      if (mouse !== undefined) game.space.lookAt(entity.id, mouse.x, mouse.y);
      if (!game.input.pressed("fire")) return;
      const muzzle = game.space.localToWorld(entity.id, 46, 0);
      const aim = game.space.localToWorldDirection(entity.id, values.reach, 0);
      const shell = game.spawn(
        game.space.at(muzzle.x, muzzle.y),
        circle(5, { fill: 0xffd166 }),
        ZIndex({ z: 2 }),
      );
      shell.name = "shell";
      shell.on(Gone, () => void shell.destroy());
      const to = { x: muzzle.x + aim.x, y: muzzle.y + aim.y };
      game.timers.tween(shell, Transform2D, to, { seconds: 0.6, easing: "quadOut", arrived: Gone });
    },
  },
);

/** Makes the game; a renderer and a screen come with the options. */
export function createTankGame(options: GameOptions = {}): Game {
  const game = createGame({
    ...options,
    timers: createTimers,
    behaviours: [Driver, Gunner],
    actions: {
      drive: { negative: ["KeyS", "ArrowDown"], positive: ["KeyW", "ArrowUp"], axes: [1] },
      turn: { negative: ["KeyA", "ArrowLeft"], positive: ["KeyD", "ArrowRight"], axes: [0] },
      fire: ["Space", "Mouse0", "Pad0"],
    },
  });
  const tank = buildTank(game);
  for (let k = 0; k < 40; k++) {
    const crate = game.spawn(
      game.space.at(game.random() * 1600 - 800, game.random() * 1200 - 600, game.random()),
    );
    crate.add(roundedRect(36, 36, 5, { fill: 0x2d4a3e, stroke: 0x47705f, strokeWidth: 3 }));
  }
  game.spawn(
    game.space.at(0, 0),
    Camera({ width: 800, height: 500, background: 0x1a2b24, backgroundAlpha: 1 }),
    Follow({ target: tank.id, damping: 0.2 }),
  );
  return game;
}

function buildTank(game: Game): EntityObject {
  const tank = game.spawn(
    game.space.at(0, 0),
    roundedRect(70, 46, 8, { fill: 0x4f7cac }),
    ZIndex({ z: 1 }),
    Driver,
  );
  tank.name = "tank";
  for (const y of [-24, 24]) tank.spawn(game.space.at(0, y), roundedRect(78, 12, 4, { fill: 0x22313f }));
  const turret = tank.spawn(game.space.at(-4, 0), circle(17, { fill: 0x7fb2e5 }), ZIndex({ z: 1 }), Gunner);
  turret.name = "turret";
  const barrel = turret.spawn(game.space.at(28, 0), rect(40, 8, { fill: 0x9cc4ec }));
  barrel.name = "barrel";
  return tank;
}
