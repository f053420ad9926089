/**
 * A tank, built, rebuilt and taken apart: attaching, positions, walks, paths, query terms, and what happens to children when
 * their parent is destroyed.
 */
import { component, createWorld, type Entity, f32 } from "espalier";
import {
  attachNewAt,
  createHierarchy,
  findAll,
  keepSorted,
  parentHas,
  printTree,
  relativePath,
  spawnTree,
  whyNotAttach,
} from "espalier/hierarchy";

const Armor = component("Armor", { thickness: f32(10) });

const world = createWorld();
const tree = createHierarchy(world);
const names = (entities: Iterable<Entity>) => Array.from(entities, (e) => tree.nameOf(e)).join(", ");

const { named } = spawnTree(tree, {
  name: "tank",
  with: [Armor({ thickness: 80 })],
  children: [
    { name: "turret", with: [Armor({ thickness: 60 })], children: [{ name: "gun" }, { name: "hatch" }] },
    { name: "tracks" },
  ],
});
const { tank, turret, gun, hatch, tracks } = named;
console.log(printTree(tree));

console.log("\nA flag comes before the gun, and the hatch moves to the hull:");
const flag = attachNewAt(tree, turret, { before: gun });
tree.setName(flag, "flag");
tree.attach(hatch, tank, { at: 1 });
console.log(printTree(tree, { components: false }));

console.log("\nPre-order: ", names(tree.descendants(tank)));
console.log("Post-order:", names(tree.descendants(tank, { order: "post" })));
console.log("By level:  ", names(tree.descendants(tank, { order: "level" })));
console.log("Upwards:   ", names(tree.ancestors(gun)));

console.log("\nThe gun is", tree.pathOf(gun));
console.log("From the tracks to the gun it is", relativePath(tree, tracks, gun));
console.log("What begins with t below the tank:", names(findAll(tree, "/tank/**/t*")));

console.log("\nWhat hangs on armor:");
world.query(parentHas(tree, Armor)).each((entity, armor) => {
  console.log(`- ${tree.nameOf(entity)}: ${armor.thickness} mm`);
});

console.log("\nA list of kills that keeps itself in order:");
const Kills = component("Kills", { count: f32() });
const list = world.spawn();
const [ada, bob, eve] = [3, 1, 2].map((count) => tree.attachNew(list, Kills({ count })));
tree.setName(ada!, "ada");
tree.setName(bob!, "bob");
tree.setName(eve!, "eve");
keepSorted(tree, { key: (e) => -(world.get(e, Kills)?.count ?? 0), on: [Kills], parent: list });
console.log(names(tree.children(list)));
world.set(bob!, Kills, { count: 5 });
console.log(names(tree.children(list)));
world.destroy(list);

console.log("\nThe tank cannot hang on its own gun:");
console.log(whyNotAttach(tree, tank, gun)?.message);

console.log("\nWithout the turret, its children take its place:");
tree.destroy(turret, { children: "adopt" });
console.log(printTree(tree, { components: false }));

console.log("\nThe hatch is pulled off before the rest is scrapped:");
tree.detach(hatch);
world.destroy(tank);
console.log(printTree(tree, { components: false }));
