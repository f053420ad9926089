/** The panel, headless: the pointer comes from a list. */
import type { AnyInput } from "espalier/game";
import { TextBlock } from "espalier/render";
import { Chosen, createPanelGame } from "./game.ts";

const game = createPanelGame();
game.input.feed({ type: "resize", width: 400, height: 340 });
game.listenFor(Chosen, ({ button }) => console.log(`Message: ${button} was chosen`));

const pointer = (phase: "down" | "move" | "up", x: number, y: number): AnyInput => ({
  type: "pointer",
  phase,
  id: 1,
  kind: "mouse",
  x,
  y,
  button: 0,
  pressure: 0.5,
});
const click = (x: number, y: number) => game.input.feed(pointer("down", x, y), pointer("up", x, y));

// On the screen y points down: the panel is at 200, 170 either way, because that is the middle.
click(130, 180);
game.step();
console.log(game.find("/panel/status")?.get(TextBlock).text);

console.log("The panel is dragged by its title:");
game.input.feed(pointer("down", 120, 80), pointer("move", 180, 90), pointer("up", 180, 90));
game.step();
const { x, y } = game.find("/panel/button Play")?.absolutePosition ?? { x: 0, y: 0 };
console.log(`Its first button is at ${x}, ${y} now`);
click(190, 144);
game.step();

console.log("A hidden panel cannot be clicked:");
const panel = game.find("/panel");
if (panel !== null) panel.hidden = true;
click(190, 144);
game.step();
console.log(game.find("/panel/status")?.get(TextBlock).text);
game.stop();
