import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInterpolation } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  return { world, tree, space, interpolation: createInterpolation(space) };
}

describe("interpolation", () => {
  it("lies between the last keep and now, children included", () => {
    const { world, tree, space, interpolation } = setUp();
    const tank = world.spawn(space.at(0, 0));
    const turret = tree.attachNew(tank, space.at(0, 5));
    const rock = world.spawn(space.at(9, 9));
    interpolation.keep();
    space.setPosition(tank, 10, 20);
    expect(interpolation.worldOf(tank, 0.5)).toMatchObject({ x: 5, y: 10 });
    expect(interpolation.worldOf(turret, 0.25)).toMatchObject({ x: 2.5, y: 10 });
    expect(interpolation.worldOf(turret, 0)).toMatchObject({ x: 0, y: 5 });
    expect(interpolation.worldOf(turret, 1)).toMatchObject({ x: 10, y: 25 });
    expect([...interpolation.moving()]).toEqual([tank, turret]);
    expect(interpolation.worldOf(rock, 0.5)).toMatchObject({ x: 9, y: 9 });
  });

  it("forgets what does not move after the next keep", () => {
    const { world, space, interpolation } = setUp();
    const ball = world.spawn(space.at(0, 0));
    interpolation.keep();
    space.setPosition(ball, 10, 0);
    interpolation.keep();
    expect(interpolation.moving().size).toBe(0);
    expect(interpolation.worldOf(ball, 0).x).toBe(10);
    space.setPosition(ball, 20, 0);
    expect(interpolation.worldOf(ball, 0.5).x).toBe(15);
  });

  it("turns the shorter way and keeps the size", () => {
    const { world, space, interpolation } = setUp();
    const ball = world.spawn(space.at(0, 0));
    space.setTransform(ball, 0, 0, 3, 2, 2);
    interpolation.keep();
    space.setRotation(ball, -3);
    const { a, b } = interpolation.worldOf(ball, 0.5);
    expect(Math.abs(Math.atan2(b, a))).toBeCloseTo(Math.PI, 5);
    expect(Math.hypot(a, b)).toBeCloseTo(2, 5);
  });

  it("does not shrink mirrored entities to nothing on the way", () => {
    const { world, space, interpolation } = setUp();
    const ball = world.spawn(space.at(0, 0));
    interpolation.keep();
    space.setScale(ball, -1, 1);
    expect(interpolation.worldOf(ball, 0.5)).toMatchObject({ a: -1, d: 1 });
  });

  it("survives scales of zero", () => {
    const { world, space, interpolation } = setUp();
    const ball = world.spawn(space.at(0, 0));
    space.setScale(ball, 0, 0);
    interpolation.keep();
    space.setTransform(ball, 4, 0, 1, 2, 2);
    const found = interpolation.worldOf(ball, 0.5);
    expect(Object.values(found).every(Number.isFinite)).toBe(true);
    expect(found.x).toBe(2);
  });

  it("draws new entities, and those that snap, where they are", () => {
    const { world, tree, space, interpolation } = setUp();
    const ball = world.spawn(space.at(0, 0));
    const shadow = tree.attachNew(ball, space.at(1, 1));
    interpolation.keep();
    const fresh = world.spawn(space.at(50, 0));
    space.setPosition(ball, 100, 0);
    interpolation.snap(ball);
    expect(interpolation.worldOf(fresh, 0).x).toBe(50);
    expect(interpolation.worldOf(ball, 0).x).toBe(100);
    expect(interpolation.worldOf(shadow, 0).x).toBe(101);
  });

  it("does not mix up a new entity with the destroyed one that had its index", () => {
    const { world, space, interpolation } = setUp();
    const first = world.spawn(space.at(0, 0));
    interpolation.keep();
    space.setPosition(first, 10, 0);
    world.destroy(first);
    const second = world.spawn(space.at(40, 0));
    expect(interpolation.worldOf(second, 0).x).toBe(40);
    expect([...interpolation.moving()]).toEqual([]);
  });
});
