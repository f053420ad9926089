/** Players without a screen, for load: they drive in curves, and fire. */
import { follow, joinRoom } from "@espalier/colyseus/client";
import { arena, createArena } from "./arena.ts";
import { predictDrive } from "./predict.ts";

export async function addBot(url: string, turn: number) {
  const game = await createArena();
  const room = await joinRoom(url, "arena", arena);
  const view = follow(arena, room, game, { predict: [predictDrive] });
  await view.ready;
  game.system("steer", () => {
    Object.assign(view.input, { throttle: 1, turn, fire: true });
  });
  const pace = setInterval(() => game.step(), game.stepSeconds * 1000);
  return {
    game,
    view,
    async leave() {
      clearInterval(pace);
      await room.leave();
      game.stop();
    },
  };
}
