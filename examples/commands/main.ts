/** Bombs in a chain: a loop that must not change the world records commands, and one flush applies them. */
import { component, createCommands, createWorld, f32, string } from "espalier";
import { createHierarchy, hierarchyCommands, printTree } from "espalier/hierarchy";
import { createSceneFormat, sceneCommands } from "espalier/scene";

const Bomb = component("Bomb", { name: string(), fuse: f32(), at: f32() });
const Smoke = component("Smoke", { at: f32() });

const world = createWorld();
const commands = createCommands(world);
for (const [k, name] of ["red", "green", "blue"].entries()) {
  world.spawn(Bomb({ name, fuse: k * 2 + 1, at: k * 10 }));
}
const bombs = world.query(Bomb);

for (let second = 1; world.query(Bomb).count() > 0; second++) {
  bombs.each((entity, bomb) => {
    bomb.fuse -= 1;
    if (bomb.fuse > 0) return;
    commands.spawn(Smoke({ at: bomb.at }));
    commands.destroy(entity);
    // Both still exist for all code in this step.
    console.log(`second ${second}: ${bomb.name} goes off, ${world.count} entities until the flush`);
  });
  const { applied } = commands.flush();
  if (applied > 0) console.log(`second ${second}: ${applied} commands, ${world.count} entities`);
}

const [first] = world.query(Smoke).ids();
if (first !== undefined) {
  commands.destroy(first);
  commands.set(first, Smoke, { at: 99 });
  const { skipped } = commands.flush();
  console.log(`skipped: ${skipped.map(({ label, reason }) => `${label} (it ${reason})`).join()}`);
}

// Trees and prefabs have their commands on the same buffer.
const tree = createHierarchy(world);
const crater = createSceneFormat({ components: [Smoke] }).prefab(
  { entities: [{ id: "crater", name: "crater", children: [{ id: "rim", name: "rim" }] }] },
  { file: "crater" },
);
const field = tree.attachNew(null);
tree.setName(field, "field");
for (const smoke of world.query(Smoke)) {
  sceneCommands(tree, commands).instantiate(crater, { parent: field });
  hierarchyCommands(tree, commands).attach(smoke, field);
}
console.log(`before the flush the field has ${tree.childCount(field)} children`);
commands.flush();
console.log(printTree(tree, { from: field, components: false }));
