/** The game in a page: W A S D or the arrows, and Space. `?alone` plays without a server. */
import { follow, joinRoom } from "@espalier/colyseus/client";
import type { Entity } from "espalier";
import { onCanvas } from "espalier/game";
import { arena, createArena, Drive, spawnTank } from "./arena.ts";
import { predictDrive } from "./predict.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const game = await createArena({
  renderer: onCanvas(canvas, { fit: "parent" }),
  actions: {
    throttle: { negative: ["KeyS", "ArrowDown"], positive: ["KeyW", "ArrowUp"] },
    turn: { negative: ["KeyA", "ArrowLeft"], positive: ["KeyD", "ArrowRight"] },
    fire: ["Space"],
  },
});
// The ground and the camera belong to the page, with and without a server.
const level = await game.load("arena");
const camera = game.entity(level.entity("camera"));
const steering = () => ({
  throttle: game.input.axis("throttle"),
  turn: game.input.axis("turn"),
  fire: game.input.isDown("fire"),
});

let own: () => Entity | undefined;
const query = new URLSearchParams(location.search);
if (query.has("alone")) {
  const tank = spawnTank(game, 0);
  for (let k = 1; k < 4; k++) spawnTank(game, k).set(Drive, { throttle: 1, turn: k / 4, fire: true });
  game.system("steer", () => void tank.set(Drive, steering()));
  own = () => tank.id;
} else {
  const server = query.get("server") ?? `http://${location.hostname}:2567`;
  const room = await joinRoom(server, "arena", arena);
  const view = follow(arena, room, game, { predict: [predictDrive], snap: 100 });
  game.system("steer", () => {
    Object.assign(view.input, steering());
  });
  own = () => [...view.owned][0];
}
game.system("watch", () => {
  const tank = own();
  if (tank === undefined || !game.world.isAlive(tank)) return;
  const { x, y } = game.space.worldPosition(tank);
  camera.setPosition(x, y);
});
game.start();
