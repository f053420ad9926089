import { onCanvas } from "espalier/game";
import { createSolarSystem } from "./game.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
Object.assign(window, { game: createSolarSystem({ renderer: onCanvas(canvas, { fit: "parent" }) }).start() });
