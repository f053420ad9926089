import { onCanvas } from "espalier/game";
import { createSalvage } from "./game.ts";
import { fly } from "./pilot.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
// `?seed=3` gives the same round every time.
const seed = Number(new URLSearchParams(location.search).get("seed") ?? Date.now() % 100_000);
const salvage = createSalvage({ seed, renderer: onCanvas(canvas, { fit: "parent" }) });
Object.assign(window, { salvage, fly, game: salvage.game.start() });
