/** A saved game of the first version, loaded by the third: two migrations, a file that is too new, and one that is damaged. */
import { component, createWorld, f32, string } from "espalier";
import { createHierarchy, printTree } from "espalier/hierarchy";
import { createSceneFormat, type Json, type JsonObject, SceneError } from "espalier/scene";

const Hero = component("Hero", { name: string(), hp: f32(10), metres: f32() });

type Components = { [name: string]: { [field: string]: Json } | undefined };
const eachEntity = (file: JsonObject, change: (components: Components) => void) => {
  for (const entity of file.entities as JsonObject[]) change((entity.components ?? {}) as Components);
};

const format = createSceneFormat({
  components: [Hero],
  version: 3,
  migrations: {
    1: (file) =>
      eachEntity(file, (components) => {
        // Knights and wizards became heroes.
        const old = components.Knight ?? components.Wizard;
        delete components.Knight;
        delete components.Wizard;
        if (old !== undefined) components.Hero = old;
      }),
    2: (file) =>
      eachEntity(file, ({ Hero }) => {
        if (Hero?.feet === undefined) return;
        Hero.metres = Number(Hero.feet) * 0.3;
        delete Hero.feet;
      }),
  },
});

const saved = `{ "version": 1, "entities": [
  { "id": "ada", "name": "ada", "components": { "Knight": { "name": "Ada", "hp": 7, "feet": 100 } } },
  { "id": "pet", "name": "pet", "parent": "ada" }
] }`;
const tree = createHierarchy(createWorld());
const scene = format.load(tree, saved);
console.log(printTree(tree));
console.log(JSON.stringify(tree.world.get(scene.entity("ada"), Hero)));
console.log(scene.save());

for (const text of [`{ "version": 4, "entities": [] }`, saved.replace('"hp": 7', '"hp": "seven"')]) {
  try {
    format.load(tree, text);
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    for (const { code, message } of error.problems) console.log(`${code}: ${message}`);
  }
}
console.log(`still ${tree.world.count} entities`);
