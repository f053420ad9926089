/** The game in a page: W A S D or the arrows, and Space. `?alone` plays without a server. */
import { follow, joinRoom } from "@espalier/colyseus/client";
import { onCanvas } from "espalier/game";
import { addLook, addRules, arena, createArena, Drive, drive, spawnTank } from "./arena.ts";

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

const query = new URLSearchParams(location.search);
if (query.has("alone")) {
  addRules(game);
  const tank = spawnTank(game, 0);
  for (const entity of game.world.entities()) addLook(game, entity);
  game.system("steer", () => game.world.set(tank, Drive, steering()));
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
}
game.start();
