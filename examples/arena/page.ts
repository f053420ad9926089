/** The game in a page: W A S D or the arrows, and Space. `?alone` plays without a server. */
import { follow, joinRoom } from "@espalier/colyseus/client";
import type { Entity } from "espalier";
import { onCanvas } from "espalier/game";
import { ZIndex } from "espalier/inherit";
import { Camera, rect } from "espalier/render";
import { addLook, addRules, arena, createArena, Drive, drive, Shell, SIZE, spawnTank } from "./arena.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const game = createArena({
  renderer: onCanvas(canvas, { fit: "parent" }),
  actions: {
    throttle: { negative: ["KeyS", "ArrowDown"], positive: ["KeyW", "ArrowUp"] },
    turn: { negative: ["KeyA", "ArrowLeft"], positive: ["KeyD", "ArrowRight"] },
    fire: ["Space"],
  },
});
const steering = () => ({
  throttle: game.input.axis("throttle"),
  turn: game.input.axis("turn"),
  fire: game.input.isDown("fire"),
});

/** The ground with its edge, and a camera that stays with the player's own tank. */
function watch(tankOf: () => Entity | undefined): void {
  const ground = rect(2 * SIZE, 2 * SIZE, { fill: 0xe9e4d8, stroke: 0x8a8374, strokeWidth: 6 });
  game.spawn(game.space.at(0, 0), ground, ZIndex({ z: -1 }));
  const camera = game.spawn(game.space.at(0, 0), Camera({ width: 700, height: 500 }));
  game.system("watch", () => {
    const tank = tankOf();
    if (tank === undefined || !game.world.isAlive(tank)) return;
    const { x, y } = game.space.worldPosition(tank);
    camera.x = x;
    camera.y = y;
  });
}

const query = new URLSearchParams(location.search);
if (query.has("alone")) {
  addRules(game);
  const tank = spawnTank(game, 0);
  for (const entity of game.world.entities()) addLook(game, entity);
  const shells = game.world.query(Shell);
  game.system("looks", () => {
    for (const shell of [...shells]) if (game.tree.firstChild(shell) === null) addLook(game, shell);
  });
  game.system("steer", () => game.world.set(tank, Drive, steering()));
  watch(() => tank);
} else {
  const server = query.get("server") ?? `http://${location.hostname}:2567`;
  const room = await joinRoom(server, "arena", arena);
  const view = follow(arena, room, game, {
    predict: [drive],
    snap: 100,
    onAdded: (entity) => addLook(game, entity),
  });
  game.system("steer", () => {
    Object.assign(view.input, steering());
  });
  watch(() => [...view.owned][0]);
}
game.start();
