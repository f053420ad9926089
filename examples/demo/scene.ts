/** What the demo shows: a tank with turret and barrel, and a small solar system. */
import { createWorld, type Entity } from "espalier";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createTransforms2D } from "espalier/transform";

export function createScene() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);

  const { named: tank } = spawnTree(tree, {
    name: "tank",
    with: [space.at(-14, -5)],
    children: [
      {
        name: "turret",
        with: [space.at(0, 2)],
        children: [{ name: "barrel", with: [space.at(3, 0)] }],
      },
      { name: "flag", with: [space.at(-2, 1)] },
    ],
  });
  const { named: sky } = spawnTree(tree, {
    name: "sun",
    with: [space.at(12, 1)],
    children: [
      {
        name: "earth",
        with: [space.at(9, 0)],
        children: [{ name: "moon", with: [space.at(3, 0)] }],
      },
      { name: "mars", with: [space.at(13, 0)] },
    ],
  });
  const entities = { ...tank, ...sky };
  // Only steps can be undone; the animation is not recorded.
  const history = createHistory(world, { implicit: false });

  /** One step of the animation. Only locals are written; everything below follows. */
  function step(time: number): void {
    space.setPosition(entities.tank, -20 + ((time * 3) % 26), -5);
    space.setRotation(entities.turret, Math.sin(time) * 0.9);
    space.setRotation(entities.sun, time * 0.3);
    space.setRotation(entities.earth, time * 1.5);
    space.propagate();
  }

  /** Puts the flag on the next body, without moving it on the screen. */
  const poles: Entity[] = [entities.turret, entities.earth, entities.moon, entities.tank];
  let next = 0;
  function passFlag(): void {
    const pole = poles[next++ % poles.length] as Entity;
    history.step("pass the flag", () => tree.attach(entities.flag, pole, { keep: "world" }));
  }

  return { tree, space, entities, history, step, passFlag };
}

export type Scene = ReturnType<typeof createScene>;
