// What `npx espalier` knows about this project: the same components and behaviours as the game.
import { createGameFormat } from "espalier/game";
import { parts } from "./src/parts.ts";

export default createGameFormat({ ...parts, schema: "./scene.schema.json" });

/** How the editor shows scenes: with y pointing up, as the game does. */
export const play = { yAxis: "up" };
