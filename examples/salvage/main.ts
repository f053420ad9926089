/** Salvage without a screen: a simple pilot plays one round, twice, and both rounds are the same. */
import { createSoundRecorder } from "espalier/audio";
import type { AnyInput } from "espalier/game";
import { Changed, createSalvage, Over } from "./game.ts";
import { fly } from "./pilot.ts";

function playRound(isTold: boolean): string {
  const recorder = createSoundRecorder({ sounds: { collect: 0.25, break: 0.4, over: 1.2, engine: 0.6 } });
  const salvage = createSalvage({ seed: 3, output: recorder });
  const { game } = salvage;
  const say = (text: string) => {
    if (isTold) console.log(`${game.time.toFixed(1).padStart(5)} s  ${text}`);
  };
  game.listenFor(Over, ({ best }) => say(`A meteor hit the core. The best was ${best} parts.`));
  let before = 0;
  game.listenFor(Changed, ({ parts }) => {
    if (parts === 0) before = 0;
    else if (parts < before) say(`${before - parts} parts broke off, ${parts} are left.`);
    else if (parts >= before + 5) say(`The ship has ${parts} parts.`);
    else return;
    before = parts;
  });
  const key = (code: string, down: boolean): AnyInput => ({ type: "key", code, down });
  say(`Stage: ${salvage.stage}`);
  game.input.feed(key("Space", true), key("Space", false));
  game.step();
  say(`Stage: ${salvage.stage}`);
  while (salvage.stage === "play" && game.time < 300) {
    fly(game);
    game.step(6);
  }
  say(`Stage: ${salvage.stage}`);
  game.input.feed({ type: "blur" }, key("Space", true));
  game.step();
  say(`Stage: ${salvage.stage}, ${salvage.parts} parts`);
  const begun = (sound: string) =>
    recorder.calls.filter(([call, name]) => call === "start" && name === sound).length;
  say(`Sounds: ${["collect", "break", "over"].map((sound) => `${begun(sound)} ${sound}`).join(", ")}`);
  const result = `${game.tick} ${salvage.best} ${game.world.count} ${game.random.state}`;
  game.stop();
  return result;
}

const first = playRound(true);
console.log(first === playRound(false) ? "Played again, it goes the same way." : "It went another way!");
