import { onCanvas } from "espalier/game";
import { createPanelGame } from "./game.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
Object.assign(window, { game: createPanelGame({ renderer: onCanvas(canvas, { fit: "parent" }) }).start() });
