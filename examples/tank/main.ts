/** The tank, headless: the same game as in the browser, with keys from a list. */
import { createTankGame } from "./game.ts";

const game = createTankGame();
game.input.feed({ type: "resize", width: 800, height: 500 });
const show = (text: string) => {
  const positions = ["/tank", "/tank/turret", "/tank/turret/barrel"].map((path) => {
    const { x, y } = game.find(path)?.absolutePosition ?? { x: 0, y: 0 };
    return `${path.slice(path.lastIndexOf("/") + 1)} ${x.toFixed(1)},${y.toFixed(1)}`;
  });
  console.log(`${text.padEnd(28)} ${positions.join("  ")}`);
};
const press = (code: string, down: boolean) => game.input.feed({ type: "key", code, down });

show("The tank stands:");
press("KeyW", true);
game.step(60);
show("It drives for a second:");
press("KeyW", false);
press("KeyA", true);
game.step(47);
press("KeyA", false);
game.step();
show("It turns to the left:");
game.input.feed({
  type: "pointer",
  phase: "move",
  id: 1,
  kind: "mouse",
  x: 790,
  y: 250,
  button: -1,
  pressure: 0,
});
game.step();
show("The turret aims to the right:");
press("Space", true);
game.step(5);
console.log(`A shell is on its way: ${game.find("/shell")}`);
game.step(40);
console.log(`It has arrived: ${game.find("/shell")}`);
game.stop();
