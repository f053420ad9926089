/** planck steps, and objects of three.js take the transforms of its bodies; `updateMatrixWorld` computes the children's. */
import { Box, Vec2, World } from "planck";
import { Object3D, Vector3 } from "three";
import { children, dt, places } from "./scene.mjs";

export const subjects = {
  "planck-three": { cases: { stack: (size) => build(size, false), asleep: (size) => build(size, true) } },
};

function build(size, sleep) {
  const world = new World({ gravity: new Vec2(0, -10), allowSleep: sleep });
  const ground = world.createBody();
  ground.createFixture(new Box(200, 1, new Vec2(0, -1)), { friction: 0.6 });
  const scene = new Object3D();
  const bodies = places(size).map(({ x, y }) => {
    const body = world.createDynamicBody({ position: new Vec2(x, y) });
    body.createFixture(new Box(0.5, 0.5), { density: 1, friction: 0.6 });
    const object = new Object3D();
    object.position.set(x, y, 0);
    for (const child of children) {
      const part = new Object3D();
      part.position.set(child.x, child.y, 0);
      object.add(part);
    }
    scene.add(object);
    return { body, object };
  });
  const run = () => {
    // 8 velocity and 3 position iterations are its defaults.
    world.step(dt, 8, 3);
    for (const { body, object } of bodies) {
      if (!body.isAwake()) continue;
      const { x, y } = body.getPosition();
      object.position.set(x, y, 0);
      object.rotation.z = body.getAngle();
    }
    scene.updateMatrixWorld();
  };
  const isAnyAwake = () => bodies.some(({ body }) => body.isAwake());
  if (sleep) for (let k = 0; k < 3000 && isAnyAwake(); k++) run();
  const out = new Vector3();
  return {
    run,
    bodyAt: (k) => {
      const { x, y } = bodies[k].object.position;
      return { x, y, rotation: bodies[k].object.rotation.z };
    },
    childAt: (k, c) => out.setFromMatrixPosition(bodies[k].object.children[c].matrixWorld).clone(),
  };
}
