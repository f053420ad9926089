/** The program that every environment runs, and what it must say. */

/** A module that exports `play()`. It uses four rooms, so that the files of the library meet. */
export const program = `
import { component, createWorld, u8 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createTransforms2D } from "espalier/transform";

const Health = component("Health", { hp: u8(100) });

export function play() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const history = createHistory(world);
  const tank = world.spawn(space.at(100, 0), Health({ hp: 7 }));
  const turret = tree.attachNew(tank, space.at(0, 20));
  history.step("hit", () => world.set(tank, Health({ hp: 5 })));
  history.undo();
  let refused;
  try {
    world.set(tank, Health({ hp: 300 }));
  } catch ({ code, field, message }) {
    refused = { code, field, explains: message.includes("takes an integer from 0 to 255") };
  }
  const { x, y } = space.worldPosition(turret);
  return { x, y, hp: world.get(tank, Health).hp, refused };
}
`;

/** The same program, printing. */
export const printing = `${program}\nconsole.log(JSON.stringify(play()));\n`;

const refused = { code: "ecs/invalid-value", field: "hp" };

/** What it gives in a development build: the value that does not fit is refused, in words. */
export const inDevelopment = { x: 100, y: 20, hp: 7, refused: { ...refused, explains: true } };

/** What it gives in production: the same refusal, without prose. */
export const inProduction = { x: 100, y: 20, hp: 7, refused: { ...refused, explains: false } };
