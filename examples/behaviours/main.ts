/** A lighthouse: behaviours on a parent and its child, called in tree order, switched off with their parent. */
import { f32 } from "espalier";
import { behaviour, createGame } from "espalier/game";

const Turning = behaviour(
  "Turning",
  { speed: f32(1) },
  {
    update({ entity, values }, dt) {
      entity.rotation += values.speed * dt;
    },
  },
);
const Beam = behaviour(
  "Beam",
  { reach: f32(100) },
  {
    awake: ({ entity }) => console.log(`${entity.name} awakes`),
    enable: ({ entity }) => console.log(`${entity.name} is on`),
    disable: ({ entity }) => console.log(`${entity.name} is off`),
    lateUpdate({ entity, game, values }) {
      const { x, y } = game.space.localToWorld(entity.id, values.reach, 0);
      console.log(`the light falls on ${Math.round(x) || 0}, ${Math.round(y) || 0}`);
    },
    shutdown: ({ entity }) => console.log(`${entity.name} ends`),
  },
);

const game = createGame({ behaviours: [Turning, Beam], step: 0.5 });
const tower = game.spawn(game.space.at(0, 0), Turning({ speed: Math.PI }));
const lamp = tower.spawn(game.space.at(0, 0), Beam);
tower.name = "tower";
lamp.name = "lamp";

game.step(2);
tower.isActive = false; // and with it everything below
game.step(2);
tower.isActive = true;
game.step();
game.stop();
