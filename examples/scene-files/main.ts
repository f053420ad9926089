/** A character with a hat and a weapon: written by hand, loaded, changed, saved, reloaded. */
import { component, createWorld, f32, string } from "espalier";
import { createHierarchy, printTree } from "espalier/hierarchy";
import { createSceneFormat, SceneError } from "espalier/scene";

const Health = component("Health", { hp: f32(100) });
const Look = component("Look", { image: string() });
const format = createSceneFormat({ components: [Health, Look] });

const level = `{
  "entities": [
    {
      "id": "hero", "name": "hero",
      "components": { "Health": { "hp": 80 }, "Look": { "image": "hero.png" } },
      "children": [
        { "id": "hat", "name": "hat", "components": { "Look": { "image": "hat.png" } } },
        { "id": "sword", "name": "sword", "components": { "Look": { "image": "sword.png" } } }, // may be dropped
      ],
    },
  ],
}`;

const tree = createHierarchy(createWorld());
const scene = format.load(tree, level, { file: "level.json" });
console.log(printTree(tree));

console.log("\nThe hero drops the sword and finds a shield. Saved:");
tree.detach(scene.entity("sword"));
const shield = tree.attachNew(scene.entity("hero"), Look({ image: "shield.png" }));
tree.setName(shield, "shield");
console.log(scene.save());

console.log("Somebody edits the file; the game goes on:");
const hero = scene.entity("hero");
console.log(scene.reload(scene.save().replace(`"hp": 80`, `"hp": 95`)));
console.log(`the same hero, now with ${tree.world.get(hero, Health)?.hp} hp`);

console.log("\nA mistake in the file changes nothing:");
try {
  scene.reload(scene.save().replace("Health", "Helth"));
} catch (error) {
  if (error instanceof SceneError) console.log(error.problems[0].message);
}
