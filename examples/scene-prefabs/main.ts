/** Tanks from a prefab: instances that differ, values that they share, and a change of the prefab that reaches all of them. */
import { component, createWorld, f32, listComponents, shared, string } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { changePrefab, composePrefabs, createSceneFormat, type Instance } from "espalier/scene";

const Health = component("Health", { hp: f32(100) });
const Gun = component("Gun", { range: f32(10) });
/** Kept once for all that are equal, and copied when one of them is written. */
const Look = component("Look", { sprite: string("tank.png") }, { storage: shared });
const format = createSceneFormat({ components: [Health, Gun, Look] });

const tank = format.prefab(
  {
    entities: [
      {
        id: "tank",
        name: "tank",
        components: { Health: { hp: 250 }, Look: {} },
        children: [{ id: "turret", children: [{ id: "barrel", components: { Gun: { range: 30 } } }] }],
      },
    ],
  },
  { file: "tank.json" },
);

const tree = createHierarchy(createWorld());
const { world } = tree;
const plain = tank.instantiate(tree);
const sniper = tank.instantiate(tree, {
  name: "sniper",
  components: { Health: { hp: 90 } },
  overrides: { barrel: { components: { Gun: { range: 75 } } } },
});

const show = (name: string, instance: Instance) => {
  const { hp } = world.get(instance.root, Health)!;
  const { range } = world.get(instance.find("barrel")!, Gun)!;
  console.log(`${name}: ${hp} hp, range ${range}`);
};
show("plain ", plain);
show("sniper", sniper);

console.log("\nWhat makes the sniper differ:");
for (const { kind, target, component = "", field = "", value } of sniper.overrides()) {
  console.log(`  ${kind} of ${target}: ${component} ${field} = ${JSON.stringify(value)}`);
}

console.log("\nThe plain tank gets better armour and a longer gun, and the prefab learns it:");
world.set(plain.root, Health, { hp: 300 });
world.set(plain.find("barrel")!, Gun, { range: 35 });
const better = tank.apply(plain);
show("plain ", plain);
show("sniper", sniper);
show("new   ", better.instantiate(tree));

console.log("\nThe sniper goes back to the prefab:");
sniper.revert();
show("sniper", sniper);

console.log("\nTwo hundred more: how many looks are kept?");
const kept = () => listComponents(world).find(({ name }) => name === "Look");
const more = Array.from({ length: 200 }, () => better.instantiate(tree));
console.log(`entities: ${kept()?.count}, different looks: ${kept()?.distinct}`);
world.set(more[0]!.root, Look, { sprite: "wreck.png" });
console.log(`after one was hit: ${kept()?.count}, ${kept()?.distinct}`);

console.log("\nThe sniper becomes a tiger and stays weak, because that is its own:");
const tiger = format.prefab(
  {
    entities: [
      {
        id: "tiger",
        components: { Health: { hp: 900 } },
        children: [{ id: "barrel", components: { Gun: { range: 90 } } }],
      },
    ],
  },
  { file: "tiger.json" },
);
world.set(sniper.root, Health, { hp: 90 });
changePrefab(sniper, tiger);
show("sniper", sniper);

console.log("\nA tank that burns is composed of two prefabs, and follows both:");
const burning = format.prefab(
  {
    entities: [
      { id: "burning", components: { Look: { sprite: "flames.png" } }, children: [{ id: "smoke" }] },
    ],
  },
  { file: "burning.json" },
);
const wreck = composePrefabs(format, [better, burning], { file: "wreck.json" }).instantiate(tree);
const look = () => `${world.get(wreck.root, Look)?.sprite}, ${world.get(wreck.root, Health)?.hp} hp`;
console.log(`${look()}, ${wreck.find("tank/barrel") === undefined ? "no" : "a"} barrel`);
format.reloadPrefab(tree, "burning.json", {
  entities: [{ id: "burning", components: { Health: { hp: 20 } } }],
});
console.log(look());

console.log(`\n${better.save()}`);
