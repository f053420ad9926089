/** The character, headless. */
import { printTree } from "espalier/hierarchy";
import { createCharacterGame } from "./game.ts";

const game = createCharacterGame();
const press = (code: string, down: boolean) => game.input.feed({ type: "key", code, down });
const at = (path: string) => {
  const { x, y } = game.find(path)?.absolutePosition ?? { x: Number.NaN, y: Number.NaN };
  return `${path} ${x.toFixed(1)},${y.toFixed(1)}`;
};

console.log(printTree(game.tree, { components: false }).split("\n").slice(1, 8).join("\n"));
press("KeyD", true);
game.step(30);
press("Space", true);
game.step(15);
console.log("In the air:   ", at("/hero/hat"), at("/hero/arm/sword"), at("/shadow"));
press("KeyD", false);
press("KeyA", true);
game.step(60);
console.log("Turned round: ", at("/hero/hat"), at("/hero/arm/sword"), at("/shadow"));
press("KeyH", true);
game.step(30);
console.log("Without a hat:", at("/hat"), at("/hero/head"));
console.log(`Dust: ${game.particles?.count ? "yes" : "no"}`);
game.stop();
