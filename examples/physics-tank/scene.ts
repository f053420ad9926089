/**
 * A tank seen from above. The hull and the turret are bodies of their own, held together by a revolute joint whose motor
 * turns the turret; the barrel is only drawn, so it is a child of the turret and follows it through the tree.
 */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, Joint, type PhysicsEngine, RigidBody, STATIC } from "espalier/physics";
import { rect } from "espalier/render";
import { createTransforms2D } from "espalier/transform";

export function createTank(engine: PhysicsEngine) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const physics = createPhysics(space, engine, { gravity: { x: 0, y: 0 }, layers: ["ground", "turret"] });

  const hull = world.spawn(
    space.at(0, 0),
    RigidBody({ linearDamping: 1, angularDamping: 2 }),
    Collider({ shapes: [{ type: "box", width: 4, height: 2.4, density: 5 }] }),
    rect(4, 2.4, { fill: 0x5b7a4a }),
  );
  const turret = world.spawn(
    space.at(0, 0),
    RigidBody,
    // It turns above the hull and what stands around.
    Collider({ shapes: [{ type: "circle", radius: 0.8, layer: "turret", collidesWith: [] }] }),
    rect(1.4, 1.4, { fill: 0x7fa267 }),
  );
  const barrel = tree.attachNew(turret, space.at(1.6, 0), rect(2.2, 0.3, { fill: 0x3d4f33 }));
  const muzzle = tree.attachNew(barrel, space.at(1.1, 0));
  const ring = tree.attachNew(hull, Joint({ b: turret, motor: true, motorMax: 200 }));

  const wall = world.spawn(
    space.at(12, 0),
    RigidBody({ type: STATIC }),
    Collider({ shapes: [{ type: "box", width: 1, height: 8 }] }),
    rect(1, 8, { fill: 0x8a8a8a }),
  );
  for (const [entity, name] of [
    [hull, "hull"],
    [turret, "turret"],
    [barrel, "barrel"],
    [muzzle, "muzzle"],
    [ring, "ring"],
    [wall, "wall"],
  ] as const) {
    tree.setName(entity, name);
  }

  /** Drives forward with `force` and turns the turret at `speed`, for a fixed step. */
  function step(force: number, speed: number): void {
    const forward = space.localToWorldDirection(hull, force, 0);
    physics.applyForce(hull, forward.x, forward.y);
    world.set(ring, Joint, { motorSpeed: speed });
    physics.step(1 / 60);
    space.propagate();
  }
  return { world, tree, space, physics, hull, turret, barrel, muzzle, wall, step };
}
