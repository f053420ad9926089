import { openWebAudio } from "espalier/audio/web";
import { onCanvas } from "espalier/game";
import { createSalvage } from "./game.ts";
import { fly } from "./pilot.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
// `?seed=3` gives the same round every time.
const seed = Number(new URLSearchParams(location.search).get("seed") ?? Date.now() % 100_000);
const output = openWebAudio({
  sounds: {
    collect: new URL("./sounds/collect.wav", import.meta.url).href,
    break: new URL("./sounds/break.wav", import.meta.url).href,
    over: new URL("./sounds/over.wav", import.meta.url).href,
    engine: new URL("./sounds/engine.wav", import.meta.url).href,
  },
});
await output.load();
const salvage = createSalvage({ seed, output, renderer: onCanvas(canvas, { fit: "parent" }) });
Object.assign(window, { salvage, fly, game: salvage.game.start() });
