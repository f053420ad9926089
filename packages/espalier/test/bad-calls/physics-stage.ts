/** A world with bodies, in the real engine. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, createPhysicsDebug, Joint, RigidBody, STATIC } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { circle, line, polygon } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { otherHandles } from "./other-handles.ts";
import type { Stage } from "./runner.ts";

const engine = await loadBox2D();

export function physicsStage(): Stage {
  const reported: unknown[] = [];
  const world = createWorld({ onError: (error) => void reported.push(error) });
  const tree = createHierarchy(world, { onWarn: () => {} });
  const space = createTransforms2D(tree);
  const physics = createPhysics(space, engine, { layers: ["default", "walls"] });
  const shape = { type: "circle", radius: 0.5 } as const;
  const entity = world.spawn(space.at(0, 5), RigidBody, Collider({ shapes: [shape] }));
  const ground = world.spawn(
    space.at(0, 0),
    RigidBody({ type: STATIC }),
    Collider({ shapes: [{ type: "box", width: 100, height: 1, layer: "walls" }] }),
  );
  const other = world.spawn(space.at(2, 5), RigidBody, Collider({ shapes: [shape] }));
  const joint = world.spawn(Joint({ a: entity, b: other }));
  const forms = { circle, line, polygon };
  const debug = createPhysicsDebug(physics, forms);
  physics.step(1 / 60);
  return {
    world,
    ...otherHandles(world),
    reported,
    objects: [
      ["physics", "Physics", physics],
      ["debug", "PhysicsDebug", debug],
    ],
    right: {
      Transforms2D: space,
      PhysicsEngine: engine,
      Physics: physics,
      Entity: entity,
      joint,
      number: 0.5,
      dt: 1 / 60,
      boolean: true,
      Point: { x: 1, y: 1 },
      ColliderShape: shape,
      Pose: { x: 1 },
      DebugForms: forms,
    },
    poke() {
      if (world.isDisposed) return;
      space.setPosition(ground, 1, 0);
      try {
        physics.step(1 / 60);
        debug.update();
      } finally {
        world.destroy(world.spawn(space.at(9, 9), RigidBody, Collider({ shapes: [shape] })));
      }
      space.propagate();
    },
    end: () => physics.dispose(),
  };
}
