// What `npx espalier` knows about this project: the same components and behaviours as the game.
import { createGameFormat } from "espalier/game";
import { content } from "./src/content.ts";

export default createGameFormat(content);

/** How the editor shows scenes: with y pointing up, as the game does. */
export const play = { yAxis: "up" };
