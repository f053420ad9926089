/** The solar system, headless: four seconds, a second at a time. */

import { findAll } from "espalier/hierarchy";
import { createSolarSystem } from "./game.ts";

const game = createSolarSystem();
const moon = findAll(game.tree, "/**/Moon")[0];
for (let second = 0; second <= 4; second++) {
  const earth = findAll(game.tree, "/**/Earth")[0];
  if (earth === undefined || moon === undefined) break;
  const [a, b] = [game.getWorldPosition(earth), game.getWorldPosition(moon)];
  const apart = Math.hypot(a.x - b.x, a.y - b.y);
  console.log(
    `${second} s: Earth ${a.x.toFixed(1)},${a.y.toFixed(1)}  Moon ${b.x.toFixed(1)},${b.y.toFixed(1)}  apart ${apart.toFixed(2)}`,
  );
  game.step(60);
}
game.stop();
