import { onCanvas } from "espalier/game";
import { createTankGame } from "./game.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
Object.assign(window, { game: createTankGame({ renderer: onCanvas(canvas, { fit: "parent" }) }).start() });
