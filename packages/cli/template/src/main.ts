import { readFileSync } from "node:fs";
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D } from "espalier/transform";
import { format, Speed } from "./components.js";

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);

const read = (name: string) => readFileSync(new URL(`../scenes/${name}`, import.meta.url), "utf8");
const scene = format.load(tree, read("main.scene.json"), { file: "main.scene.json", prefabs: read });

const moving = world.query(Speed);
for (let frame = 0; frame <= 3; frame++) {
  for (const id of ["player", "player/barrel", "enemy/barrel"]) {
    const { x, y } = space.worldOf(scene.entity(id));
    console.log(`frame ${frame}: ${id} is at ${x.toFixed(1)}, ${y.toFixed(1)}`);
  }
  // Moving and turning a tank moves everything that is attached to it.
  moving.each((entity, speed) => {
    space.translate(entity, speed.x, speed.y);
    space.rotate(entity, speed.turn);
  });
}
