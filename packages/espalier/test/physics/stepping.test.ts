import { createHierarchy } from "espalier/hierarchy";
import { Collider, createPhysics, KINEMATIC, type PhysicsOptions, RigidBody, STATIC } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";

const engine = await loadBox2D();

function setUp(options: PhysicsOptions = {}) {
  const world = strictWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const physics = createPhysics(space, engine, options);
  return { world, tree, space, physics };
}
const ball = Collider({ shapes: [{ type: "circle", radius: 0.5 }] });
const ground = Collider({ shapes: [{ type: "box", width: 100, height: 1, y: -0.5 }] });

describe("a step", () => {
  it("lets a ball fall on the ground, and its child follow", () => {
    const { world, tree, space, physics } = setUp();
    world.spawn(space.at(0, 0), RigidBody({ type: STATIC }), ground);
    const e = world.spawn(space.at(2, 5), RigidBody, ball);
    const hat = tree.attachNew(e, space.at(0, 0.5));
    for (let k = 0; k < 120; k++) physics.step(1 / 60);
    space.propagate();
    expect(space.worldPosition(e).x).toBe(2);
    expect(space.worldPosition(e).y).toBeCloseTo(0.5, 2);
    expect(space.worldPosition(hat).y).toBeCloseTo(1, 2);
  });
});
