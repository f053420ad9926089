/** Input from a list, recorded, and played again: the second run ends where the first one did, to the last bit. */
import { createGame } from "espalier/game";

function createDice() {
  const game = createGame({
    seed: 11,
    actions: { roll: ["Space"], walk: { negative: ["KeyA"], positive: ["KeyD"] } },
  });
  const player = game.spawn(game.space.at(0, 0));
  const rolls: number[] = [];
  game.system("play", ({ dt }) => {
    player.x += game.input.axis("walk") * 6 * dt;
    if (game.input.pressed("roll")) rolls.push(1 + Math.floor(game.random() * 6));
  });
  return { game, player, rolls };
}

const played = createDice();
const key = (code: string, down: boolean) => played.game.input.feed({ type: "key", code, down });
played.game.startRecording();
key("KeyD", true);
for (let k = 0; k < 4; k++) {
  key("Space", true);
  played.game.step(10);
  key("Space", false);
  played.game.step(5);
}
const recording = JSON.stringify(played.game.stopRecording());
console.log(`rolled ${played.rolls.length} times, walked to ${played.player.x.toFixed(2)}`);

const replayed = createDice();
replayed.game.replay(JSON.parse(recording));
console.log(`the same rolls: ${replayed.rolls.join() === played.rolls.join()}`);
console.log(`the same place: ${replayed.player.x === played.player.x}`);
