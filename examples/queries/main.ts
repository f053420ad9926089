/** A harbour at night: which ships are where, who carries what, and who moved since the last look. Terms of queries, one by one. */
import {
  any,
  changed,
  changesOf,
  component,
  createWorld,
  f32,
  not,
  optional,
  sortedQuery,
  string,
  tag,
  where,
} from "espalier";
import { ancestorHas, createHierarchy } from "espalier/hierarchy";
import { Active, active, activityOf } from "espalier/inherit";

const Ship = component("Ship", { name: string(), speed: f32() });
const Cargo = component("Cargo", { tons: f32() });
const Anchored = tag("Anchored");
const Lit = tag("Lit");
const Lamp = tag("Lamp");

const world = createWorld();
const tree = createHierarchy(world);
const gull = world.spawn(Ship({ name: "Gull", speed: 12 }), Lit);
const heron = world.spawn(Ship({ name: "Heron" }), Cargo({ tons: 40 }), Anchored);
const tern = world.spawn(Ship({ name: "Tern", speed: 3 }), Cargo({ tons: 5 }));
tree.attachNew(tree.attachNew(gull), Lamp);
tree.attachNew(heron, Lamp);

const names = (entities: Iterable<number>) =>
  [...entities].map((e) => world.get(e as typeof gull, Ship)?.name).join(", ");

console.log(`under way: ${names(world.query(Ship, not(Anchored)))}`);
console.log(`anchored or lit: ${names(world.query(Ship, any(Anchored, Lit)))}`);

world.query(Ship, optional(Cargo)).update((ship, cargo) => {
  console.log(`${ship.name} carries ${cargo?.tons ?? 0} t`);
});

const speeds = world.columns(Ship).speed;
const fast = where("fast", (index: number) => (speeds[index] as number) > 10);
console.log(`fast: ${names(world.query(Ship, fast))}`);
console.log(`lamps of lit ships: ${world.query(Lamp, ancestorHas(tree, Lit)).count()}`);

console.log(`the only lit ship: ${names([world.query(Ship, Lit).single()])}`);

// Kept in order: a read sorts only what changed.
const fastest = sortedQuery(world.query(Ship), {
  key: (e) => -(world.get(e, Ship)?.speed ?? 0),
  on: [Ship],
});
const hurried = world.query(Ship, changed(Ship));
console.log(`fastest first: ${names(fastest)}`);
world.set(tern, Ship, { speed: 14 });
console.log(`fastest first: ${names(fastest)}; changed: ${names(hurried)}`);

world.add(heron, Active({ on: false }));
activityOf(tree).propagate();
console.log(`on duty: ${names(world.query(Ship, active))}`);

const moored = changesOf(world.query(Ship, Anchored), Anchored);
world.add(gull, Anchored);
world.remove(heron, Anchored);
const { added, removed } = moored.read();
console.log(`now moored: ${names(added)}; left: ${names(removed)}`);
