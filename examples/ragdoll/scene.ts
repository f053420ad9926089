/** A figure of ten bodies, held together by revolute joints with limits, above a floor. */
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, Joint, type PhysicsEngine, RigidBody, STATIC } from "espalier/physics";
import { createTransforms2D } from "espalier/transform";

/** Name, position, half the length, thickness; the body it hangs on, where, and how far it may bend. */
const parts = [
  { name: "torso", x: 0, y: 3, half: 0.4, radius: 0.25 },
  { name: "head", x: 0, y: 3.95, half: 0.05, radius: 0.22, on: "torso", at: [0, 3.65], bend: [-0.4, 0.4] },
  {
    name: "upper arm left",
    x: -0.3,
    y: 3,
    half: 0.25,
    radius: 0.1,
    on: "torso",
    at: [-0.3, 3.35],
    bend: [-2, 2],
  },
  {
    name: "upper arm right",
    x: 0.3,
    y: 3,
    half: 0.25,
    radius: 0.1,
    on: "torso",
    at: [0.3, 3.35],
    bend: [-2, 2],
  },
  {
    name: "arm left",
    x: -0.3,
    y: 2.4,
    half: 0.22,
    radius: 0.08,
    on: "upper arm left",
    at: [-0.3, 2.7],
    bend: [-2, 0],
  },
  {
    name: "arm right",
    x: 0.3,
    y: 2.4,
    half: 0.22,
    radius: 0.08,
    on: "upper arm right",
    at: [0.3, 2.7],
    bend: [0, 2],
  },
  {
    name: "thigh left",
    x: -0.15,
    y: 2.1,
    half: 0.3,
    radius: 0.13,
    on: "torso",
    at: [-0.15, 2.5],
    bend: [-1, 1],
  },
  {
    name: "thigh right",
    x: 0.15,
    y: 2.1,
    half: 0.3,
    radius: 0.13,
    on: "torso",
    at: [0.15, 2.5],
    bend: [-1, 1],
  },
  {
    name: "shin left",
    x: -0.15,
    y: 1.35,
    half: 0.3,
    radius: 0.11,
    on: "thigh left",
    at: [-0.15, 1.72],
    bend: [0, 2],
  },
  {
    name: "shin right",
    x: 0.15,
    y: 1.35,
    half: 0.3,
    radius: 0.11,
    on: "thigh right",
    at: [0.15, 1.72],
    bend: [-2, 0],
  },
] as const;

export function createRagdoll(engine: PhysicsEngine) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const physics = createPhysics(space, engine);
  world.spawn(
    space.at(0, 0),
    RigidBody({ type: STATIC }),
    Collider({ shapes: [{ type: "box", width: 40, height: 1, y: -0.5 }] }),
  );
  const bodies = new Map<string, Entity>();
  for (const part of parts) {
    const { name, x, y, half, radius } = part;
    const body = world.spawn(
      space.at(x, y),
      RigidBody({ angularDamping: 0.5 }),
      // Parts of one figure pass through each other.
      Collider({ shapes: [{ type: "capsule", x1: 0, y1: -half, x2: 0, y2: half, radius, group: -1 }] }),
    );
    tree.setName(body, name);
    bodies.set(name, body);
    if (!("on" in part)) continue;
    const upper = bodies.get(part.on) as Entity;
    const [jointX, jointY] = part.at;
    const from = space.worldToLocal(upper, jointX, jointY);
    const to = space.worldToLocal(body, jointX, jointY);
    const [lower, higher] = part.bend;
    tree.attachNew(
      upper,
      Joint({
        b: body,
        anchorAX: from.x,
        anchorAY: from.y,
        anchorBX: to.x,
        anchorBY: to.y,
        limit: true,
        lower,
        upper: higher,
      }),
    );
  }
  return { world, tree, space, physics, bodies };
}
