/** Espalier: `physics.step`, which writes the transforms of moved bodies, and one `space.propagate`. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, RigidBody, STATIC } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { createTransforms2D } from "espalier/transform";
import { children, dt, grid, places, steer, substeps } from "./scene.mjs";

export const subjects = {
  espalier: {
    cases: {
      stack: (size) => build(size, false),
      asleep: (size) => build(size, true),
      steer: (size) =>
        buildSteered(size, (physics, bodies, velocities) => {
          for (let k = 0; k < size; k++) physics.setVelocity(bodies[k], velocities[k].x, velocities[k].y);
        }),
      create: buildCreated,
    },
  },
  "espalier-query": {
    cases: {
      steer: (size) => {
        let at = 0;
        let wanted = [];
        const write = (body) => {
          const { x, y } = wanted[at++];
          body.velocityX = x;
          body.velocityY = y;
        };
        return buildSteered(size, ({ space }, _, velocities) => {
          at = 0;
          wanted = velocities;
          space.tree.world.query(RigidBody).update(write);
        });
      },
    },
  },
};

async function buildSteered(size, write) {
  const { world, space, physics } = await empty();
  const bodies = grid(size).map(({ x, y }) => spawnBall(world, space, x, y));
  let frame = 0;
  const run = () => {
    const velocities = bodies.map((_, k) => steer(k, frame));
    frame++;
    write(physics, bodies, velocities);
    physics.step(dt);
    space.propagate();
  };
  return { run, velocityOf: (k) => physics.velocityOf(bodies[k]), frames: () => frame };
}

async function buildCreated(size) {
  const { world, space, physics } = await empty();
  let bodies = [];
  const run = () => {
    bodies = grid(size).map(({ x, y }) => spawnBall(world, space, x, y));
    physics.sync();
  };
  return {
    run,
    reset: () => {
      for (const body of bodies) world.destroy(body);
      bodies = [];
      physics.sync();
    },
    count: () => physics.counts.bodies,
  };
}

async function empty() {
  const world = createWorld();
  const space = createTransforms2D(createHierarchy(world));
  const physics = createPhysics(space, await loadBox2D(), { gravity: { x: 0, y: 0 }, substeps });
  return { world, space, physics };
}

function spawnBall(world, space, x, y) {
  return world.spawn(space.at(x, y), RigidBody, Collider({ shapes: [{ type: "circle", radius: 0.5 }] }));
}

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
