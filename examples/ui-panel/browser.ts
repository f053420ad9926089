import { onCanvas } from "espalier/game";
import { TextBlock } from "espalier/render";
import { createPanelGame } from "./game.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const game = createPanelGame({ renderer: onCanvas(canvas, { fit: "parent" }) }).start();
// For the console of the browser: game.find("/panel/status").get(TextBlock)
Object.assign(window, { game, TextBlock });
