// What `npx espalier` knows about this project: the same components and behaviours as the game.
import { createGameFormat } from "espalier/game";
import { physicsComponents } from "espalier/physics";
import { parts } from "./src/parts.ts";

export default createGameFormat({
  ...parts,
  components: [...parts.components, physicsComponents],
  schema: "./scene.schema.json",
});

/** How the editor shows and plays scenes: with y pointing up and 50 pixels to the metre, as the game does. */
export const play = { yAxis: "up", physics: { unitsPerMetre: 50 } };
