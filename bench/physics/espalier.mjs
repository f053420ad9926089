/** Espalier: `physics.step`, which writes the transforms of moved bodies, and one `space.propagate`. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, RigidBody, STATIC } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { createTransforms2D } from "espalier/transform";
import { children, dt, places, substeps } from "./scene.mjs";

export const subjects = {
  espalier: { cases: { stack: (size) => build(size, false), asleep: (size) => build(size, true) } },
};

async function build(size, sleep) {
  const world = createWorld({ capacity: size * 6 });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const physics = createPhysics(space, await loadBox2D(), { sleep, substeps });
  world.spawn(
    space.at(0, 0),
    RigidBody({ type: STATIC }),
    Collider({ shapes: [{ type: "box", width: 400, height: 2, y: -1 }] }),
  );
  const drawn = [];
  const bodies = places(size).map(({ x, y }) => {
    const body = world.spawn(
      space.at(x, y),
      RigidBody,
      Collider({ shapes: [{ type: "box", width: 1, height: 1 }] }),
    );
    drawn.push(children.map((child) => tree.attachNew(body, space.at(child.x, child.y))));
    return body;
  });
  const run = () => {
    physics.step(dt);
    space.propagate();
  };
  if (sleep) for (let k = 0; k < 3000 && physics.counts.awake > 0; k++) run();
  return {
    run,
    bodyAt: (k) => space.localOf(bodies[k]),
    childAt: (k, c) => space.worldPosition(drawn[k][c]),
  };
}
