/** A tower of crates is hit by a ball. The same program runs in Node and, through `page.ts`, in a browser. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, RigidBody, STATIC } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { createTransforms2D } from "espalier/transform";

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);
const physics = createPhysics(space, await loadBox2D());

world.spawn(
  space.at(0, 0),
  RigidBody({ type: STATIC }),
  Collider({ shapes: [{ type: "box", width: 60, height: 2, y: -1 }] }),
);
const crates = Array.from({ length: 8 }, (_, k) =>
  world.spawn(space.at(0, 0.5 + k), RigidBody, Collider({ shapes: [{ type: "box", width: 1, height: 1 }] })),
);
world.spawn(
  space.at(-10, 4),
  RigidBody({ velocityX: 25, bullet: true }),
  Collider({ shapes: [{ type: "circle", radius: 0.5, density: 8 }] }),
);

for (let k = 0; k < 240; k++) physics.step(1 / 60);
const fallen = crates.filter((crate, k) => space.localOf(crate).y < k).length;
console.log(`${fallen} of ${crates.length} crates have fallen; the world is ${physics.hash().toString(16)}`);

/** What the page shows. */
export { fallen, physics, space, world };
