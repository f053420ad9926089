/** What the demo shows: a tank with turret and barrel, and a small solar system. */
import { createWorld, type Entity } from "espalier";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
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
  const parents: (Entity | null)[] = [];
  function passFlag(): void {
    parents.push(tree.parentOf(entities.flag));
    tree.attach(entities.flag, poles[next++ % poles.length] as Entity, { keep: "world" });
  }

  function takeBack(): void {
    const parent = parents.pop();
    if (parent === undefined) return;
    next--;
    tree.attach(entities.flag, parent, { keep: "world" });
  }

  return { world, tree, space, entities, step, passFlag, takeBack };
}

export type Scene = ReturnType<typeof createScene>;
