/** More bodies than the engine's first memory holds, so that it grows while it is read. Also run by a page in a browser. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, type PhysicsEngine, RigidBody } from "espalier/physics";
import { createTransforms2D } from "espalier/transform";

export function runGrowth(engine: PhysicsEngine): { readonly grown: number; readonly wrong: number } {
  const world = createWorld();
  const space = createTransforms2D(createHierarchy(world));
  const physics = createPhysics(space, engine);
  const circle = Collider({ shapes: [{ type: "circle", radius: 0.3 }] });
  const bodies = [world.spawn(space.at(0, 0), RigidBody, circle)];
  physics.step(1 / 60);
  const before = physics.counts.bytes;
  for (let k = 1; k < 16_000; k++) {
    bodies.push(
      world.spawn(
        space.at(k % 400, Math.floor(k / 400)),
        RigidBody({ gravityScale: 0, velocityX: 6 }),
        circle,
      ),
    );
  }
  for (let k = 0; k < 3; k++) physics.step(1 / 60);
  const wrong = bodies.filter((e, k) => {
    const { x, y } = space.localOf(e);
    return k > 0 && (Math.abs(x - (k % 400) - 0.3) > 1e-3 || Math.abs(y - Math.floor(k / 400)) > 1e-3);
  });
  const grown = physics.counts.bytes - before;
  physics.dispose();
  return { grown, wrong: wrong.length };
}
