import { onCanvas } from "espalier/game";
import { createCharacterGame } from "./game.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
Object.assign(window, {
  game: createCharacterGame({ renderer: onCanvas(canvas, { fit: "parent" }) }).start(),
});
