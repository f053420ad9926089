/** An inventory, targets, and what happens when a target is destroyed. */
import {
  addTarget,
  component,
  createWorld,
  type Entity,
  entityRefs,
  f32,
  indexedRef,
  pairsOf,
  referrersOf,
  refersTo,
  string,
  u32,
} from "espalier";

const Name = component("Name", { text: string() });
const Health = component("Health", { hp: f32(30) });
const Targets = component("Targets", { enemy: indexedRef() });
const Inventory = component("Inventory", { items: entityRefs({ data: { amount: u32(1) } }) });
const Saddle = component("Saddle", { on: indexedRef({ onTargetDestroyed: "destroyOwner" }) });

const world = createWorld();
const named = (text: string) => Name({ text });
const nameOf = (entity: Entity) => world.get(entity, Name)?.text;

const arrow = world.spawn(named("arrow"));
const orc = world.spawn(named("orc"), Health);
const horse = world.spawn(named("horse"), Health);
world.spawn(named("saddle"), Saddle({ on: horse }));
const ann = world.spawn(named("Ann"), Targets({ enemy: orc }), Inventory);
world.spawn(named("Bob"), Targets({ enemy: orc }));

addTarget(world, ann, Inventory, "items", arrow, { amount: 20 });
addTarget(world, ann, Inventory, "items", horse);
for (const { target, amount } of pairsOf(world, ann, Inventory, "items")) {
  console.log(`Ann has ${amount} x ${nameOf(target)}`);
}

const attackers = referrersOf(world, orc, Targets, "enemy").map(nameOf);
console.log(`${attackers.join(" and ")} attack the orc`);
world.query(Targets, refersTo(Targets, "enemy", Health)).update((_, health) => {
  health.hp -= 10;
});
console.log(`the orc has ${world.get(orc, Health)?.hp} left`);

world.destroy(horse);
console.log(`without the horse: ${world.entities().map(nameOf).join(", ")}`);
console.log(`Ann has ${pairsOf(world, ann, Inventory, "items").length} kind of item`);
