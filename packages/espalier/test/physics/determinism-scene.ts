/** A scene with everything in it, run for some seconds: also by a page in a browser, so it imports no test helpers. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  Collider,
  createPhysics,
  DISTANCE,
  Joint,
  KINEMATIC,
  type PhysicsEngine,
  REVOLUTE,
  RigidBody,
  STATIC,
} from "espalier/physics";
import { createTransforms2D } from "espalier/transform";

export function runScene(engine: PhysicsEngine): { bodies: number; transforms: number; moved: number } {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const physics = createPhysics(space, engine, { unitsPerMetre: 32, gravity: { x: 0, y: 320 } });
  const points = [0, 1, 2, 3, 4, 5].map((k) => ({ x: k * 400 - 1000, y: k % 2 === 0 ? 300 : 330 }));
  world.spawn(
    space.at(0, 300),
    RigidBody({ type: STATIC }),
    Collider({ shapes: [{ type: "chain", points }] }),
  );
  for (let row = 0; row < 12; row++) {
    for (let k = 0; k <= row; k++) {
      const e = world.spawn(
        space.at((k - row / 2) * 36, 20 + row * 34, k * 0.01),
        RigidBody,
        Collider({ shapes: [{ type: "box", width: 32, height: 32, friction: 0.5 }] }),
      );
      tree.attachNew(e, space.at(10, 10, 0.3));
    }
  }
  let last = world.spawn(space.at(-400, -200), RigidBody({ type: KINEMATIC, angularVelocity: 0.7 }));
  for (let k = 0; k < 10; k++) {
    const link = world.spawn(
      space.at(-380 + k * 20, -200),
      RigidBody,
      Collider({ shapes: [{ type: "capsule", x1: -8, y1: 0, x2: 8, y2: 0, radius: 4 }] }),
    );
    const kind = k % 3 === 2 ? DISTANCE : REVOLUTE;
    tree.attachNew(last, Joint({ kind, b: link, anchorAX: 10, anchorBX: -10, length: 4 }));
    last = link;
  }
  let moved = 0;
  for (let step = 0; step < 300; step++) {
    if (step % 40 === 0) {
      const points = [
        { x: 0, y: -12 },
        { x: 14, y: 8 },
        { x: -11, y: 9 },
      ];
      world.spawn(
        space.at(step - 100, -300, step),
        RigidBody({ velocityX: 50, bullet: true }),
        Collider({ shapes: [{ type: "polygon", points, restitution: 0.4 }] }),
      );
    }
    if (step === 150) space.setPosition(last, 100, -100);
    physics.step(1 / 60);
    space.propagate();
  }
  const floats: number[] = [];
  for (const e of tree.roots()) {
    const { x, y, rotation } = space.localOf(e);
    floats.push(x, y, rotation);
    if (x !== 0) moved++;
  }
  let transforms = 0x811c9dc5;
  for (const byte of new Uint8Array(new Float32Array(floats).buffer)) {
    transforms = Math.imul(transforms ^ byte, 0x01000193);
  }
  return { bodies: physics.hash(), transforms: transforms >>> 0, moved };
}
