/** A car on two driven wheels with springs, on hilly ground. Everything that is not a body is a child of one. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  Collider,
  createPhysics,
  Joint,
  type PhysicsEngine,
  RigidBody,
  STATIC,
  WHEEL,
} from "espalier/physics";
import { createTransforms2D } from "espalier/transform";

export function createCar(engine: PhysicsEngine) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const physics = createPhysics(space, engine);

  // From right to left, so that it is solid from above.
  const points = Array.from({ length: 61 }, (_, k) => ({
    x: 100 - k * 2,
    y: Math.sin(k * 0.7) * (k > 50 ? 0 : 0.5),
  }));
  const ground = world.spawn(
    space.at(0, 0),
    RigidBody({ type: STATIC }),
    Collider({ shapes: [{ type: "chain", points, friction: 0.9 }] }),
  );
  const body = world.spawn(
    space.at(-15, 1.6),
    RigidBody,
    Collider({ shapes: [{ type: "box", width: 3, height: 0.6, density: 1.5 }] }),
  );
  // The cabin is a shape of the same body: a child with a collider and no body of its own.
  const points2 = [
    { x: -0.9, y: 0 },
    { x: 0.8, y: 0 },
    { x: 0.3, y: 0.6 },
    { x: -0.7, y: 0.6 },
  ];
  const cabin = tree.attachNew(
    body,
    space.at(0, 0.3),
    Collider({ shapes: [{ type: "polygon", points: points2, density: 0.3 }] }),
  );
  const wheels = [-1, 1].map((x) => {
    const wheel = world.spawn(
      space.at(-15 + x, 1.1),
      RigidBody,
      Collider({ shapes: [{ type: "circle", radius: 0.45, density: 1, friction: 1.5 }] }),
    );
    tree.attachNew(
      body,
      Joint({
        kind: WHEEL,
        b: wheel,
        anchorAX: x,
        anchorAY: -0.5,
        axis: Math.PI / 2,
        spring: true,
        hertz: 4,
        damping: 0.7,
        limit: true,
        lower: -0.25,
        upper: 0.25,
        motor: true,
        motorMax: 8,
      }),
    );
    return wheel;
  });
  tree.setName(body, "car");
  tree.setName(cabin, "cabin");

  /** Turns both wheels, in radians per second; negative drives to the right. */
  function drive(speed: number): void {
    for (const joint of tree.childrenOf(body))
      if (world.has(joint, Joint)) world.set(joint, Joint, { motorSpeed: speed });
  }
  return { world, tree, space, physics, ground, body, cabin, wheels, drive };
}
