import { onCanvas } from "espalier/game";
import { createSalvage } from "./game.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const salvage = createSalvage({ seed: Date.now() % 100_000, renderer: onCanvas(canvas, { fit: "parent" }) });
Object.assign(window, { salvage, game: salvage.game.start() });
