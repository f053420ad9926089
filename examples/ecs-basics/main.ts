/**
 * A pond: fish eat what floats near them and grow, the full ones rest. Components, required components, bundles, queries, change readers
 * and observers in one small program.
 */
import {
  any,
  bundle,
  changesOf,
  component,
  createWorld,
  entityRef,
  f32,
  not,
  observe,
  optional,
  string,
  tag,
  u8,
} from "espalier";

const Position = component("Position", { x: f32() });
const Fish = component("Fish", { name: string(), size: u8(1), last: entityRef() });
// Food requires a position: this one, if none is given.
const Food = component("Food", { size: u8(1) }, { requires: [Position({ x: 4 })] });
const Resting = tag("Resting");
const Minnow = bundle("Minnow", Position, Fish({ size: 1 }));

const world = createWorld();
const names = ["Ada", "Bo", "Cleo"];
for (const [k, name] of names.entries()) world.spawn(Minnow(Position({ x: k * 10 }), Fish({ name })));
world.spawnMany(3, Food);
world.spawn(Position({ x: 13 }), Food({ size: 3 }));

const hungry = world.query(Position, Fish, not(Resting));
const food = world.query(Position, Food);
const everything = world.query(Position, optional(Fish), any(Fish, Food));

// Immediately, at each change.
observe(world, Resting, {
  name: "lullaby",
  add: (entity) => console.log(`  ${world.get(entity, Fish)?.name} is full and rests`),
});
// Once per round, for all changes since.
const grown = changesOf(world, Fish);

for (let round = 1; food.count() > 0; round++) {
  console.log(`round ${round}: ${food.count()} pieces of food`);
  // Structure may change inside each(): pieces are destroyed and fish get a tag during the loop.
  hungry.each((entity, position, fish) => {
    for (const piece of food) {
      const target = world.get(piece, Position)!;
      if (Math.abs(target.x - position.x) > 5) continue;
      fish.size += world.get(piece, Food)!.size;
      fish.last = piece;
      world.destroy(piece);
      if (fish.size > 3) world.add(entity, Resting);
      return;
    }
  });
  // Values only: update() is the fast way.
  everything.update((position, fish) => {
    position.x += fish === undefined ? 4 : 0;
  });
  for (const entity of grown.read().changed) {
    const { name, size, last } = world.get(entity, Fish)!;
    console.log(`  ${name} grew to ${size}; what it ate is ${last === null ? "gone" : "still there"}`);
  }
}

console.log(`left: ${food.count()} pieces, hungry: ${hungry.ids().map((e) => world.get(e, Fish)?.name)}`);
