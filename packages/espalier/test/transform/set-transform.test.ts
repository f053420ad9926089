import { createWorld, DeadEntityError, observe } from "espalier";
import { createHierarchy, Ghost } from "espalier/hierarchy";
import {
  createTransforms2D,
  InvalidTransformError,
  setInherit,
  setSkew,
  Transform2D,
} from "espalier/transform";
import { describe, expect, it } from "vitest";
import { refused } from "../testing.ts";

function createShip(checks = true) {
  const world = createWorld({ checks });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const ship = world.spawn(Transform2D({ x: 9, y: 9, rotation: 9, scaleX: 9, scaleY: 9, skew: 9 }));
  const mast = tree.attachNew(ship, space.at(1, 0));
  space.propagate();
  return { world, tree, space, ship, mast };
}

describe("setTransform", () => {
  it("writes all fields, and moves what is below", () => {
    const { space, ship, mast } = createShip();
    space.setTransform(ship, 1, 2, Math.PI / 2, 4, 5, 6);
    expect(space.localOf(ship)).toEqual({
      x: 1,
      y: 2,
      rotation: Math.fround(Math.PI / 2),
      scaleX: 4,
      scaleY: 5,
      skew: 6,
    });
    expect(space.worldX(mast)).toBeCloseTo(1, 5);
    expect(space.worldY(mast)).toBeCloseTo(6, 5);
    expect(space.propagate()).toBe(2);
  });

  it("makes what is left out what it is in a new transform; scaleY goes with scaleX", () => {
    const { space, ship } = createShip();
    space.setTransform(ship, 1, 2);
    expect(space.localOf(ship)).toEqual({ x: 1, y: 2, rotation: 0, scaleX: 1, scaleY: 1, skew: 0 });
    space.setTransform(ship, 1, 2, 0.5, 3);
    expect(space.localOf(ship)).toEqual({ x: 1, y: 2, rotation: 0.5, scaleX: 3, scaleY: 3, skew: 0 });
  });

  it("does nothing where nothing differs, and turns nothing where only the position does", () => {
    const { space, ship, mast } = createShip();
    space.setTransform(ship, 9, 9, 9, 9, 9, 9);
    expect(space.isClean).toBe(true);
    const { a, b, c, d } = space.worldOf(mast);
    space.setTransform(ship, 8, 8, 9, 9, 9, 9);
    expect(space.worldOf(mast)).toMatchObject({ a, b, c, d });
    expect(space.worldPosition(ship)).toEqual({ x: 8, y: 8 });
  });

  it.each([true, false])("refuses what is not finite by its name (checks: %s)", (checks) => {
    const { world, space, ship } = createShip(checks);
    const good = [1, 2, 3, 4, 5, 6] as const;
    ["x", "y", "rotation", "scaleX", "scaleY", "skew"].forEach((field, k) => {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e39]) {
        const values = good.map((value, at) => (at === k ? bad : value)) as unknown as typeof good;
        const error = refused(world, () => space.setTransform(ship, ...values));
        expect(error).toBeInstanceOf(InvalidTransformError);
        expect(error).toMatchObject({ field, entities: [ship] });
      }
    });
    expect(space.localOf(ship)).toMatchObject({ x: 9, rotation: 9, skew: 9 });
  });

  it("leaves nothing behind where it was refused", () => {
    const { world, space, ship } = createShip(false);
    refused(world, () => space.setTransform(ship, Number.NaN, 2, Number.NaN));
    refused(world, () => space.setScale(ship, Number.POSITIVE_INFINITY));
    setSkew(space, ship, 3);
    space.setPosition(ship, 1, 2);
    expect(space.localOf(ship)).toEqual({ x: 1, y: 2, rotation: 9, scaleX: 9, scaleY: 9, skew: 3 });
  });

  it("is refused for dead entities, even when another has their index", () => {
    const { world, space, mast } = createShip();
    world.destroy(mast);
    expect(() => space.setTransform(mast, 1, 2)).toThrow(DeadEntityError);
    const heir = world.spawn(space.at(0, 0));
    expect(() => space.setTransform(mast, 1, 2)).toThrow(DeadEntityError);
    expect(space.localOf(heir)).toMatchObject({ x: 0, y: 0 });
  });

  it("gives an entity without a transform one, again after it has lost it", () => {
    const { world, tree, space, ship } = createShip();
    const flag = tree.attachNew(ship);
    for (let round = 0; round < 2; round++) {
      space.setTransform(flag, 1, 2);
      expect(world.get(flag, Transform2D)).toMatchObject({ x: 1, y: 2 });
      world.remove(flag, Transform2D);
      expect(space.localOf(flag)).toMatchObject({ x: 0, y: 0 });
      space.setPosition(flag, 3, 4);
      expect(world.get(flag, Transform2D)).toMatchObject({ x: 3, y: 4 });
      world.remove(flag, Transform2D);
    }
  });

  it("is reported to observers", () => {
    const { world, space, ship } = createShip();
    const heard: number[] = [];
    observe(world, Transform2D, { set: (entity) => heard.push(entity) });
    space.setTransform(ship, 1, 2);
    space.setTransform(ship, 1, 2);
    expect(heard).toEqual([ship]);
  });

  it("writes below a mask and in a ghost too", () => {
    const { world, space, ship, mast } = createShip();
    setInherit(space, mast, "position");
    space.setTransform(mast, 0, 0, 0.5);
    expect(space.worldRotation(mast)).toBeCloseTo(0.5, 5);
    world.add(ship, Ghost);
    space.setTransform(ship, 5, 5);
    expect(space.localOf(ship).x).toBe(5);
    expect(space.worldX(mast)).toBe(0);
    world.remove(ship, Ghost);
    expect(space.worldX(mast)).toBe(5);
  });

  it("works with handles of any width: an index that was used very often", () => {
    // A world that cannot grow gives its indices out again and again.
    const world = createWorld({ capacity: 4, fixed: true });
    const space = createTransforms2D(createHierarchy(world));
    let entity = world.spawn(space.at(0, 0));
    for (let k = 0; k < 3000; k++) {
      const old = entity;
      world.destroy(old);
      entity = world.spawn(space.at(0, 0));
      if (k % 500 === 0) expect(() => space.setTransform(old, 1, 1)).toThrow(DeadEntityError);
    }
    expect(entity).toBeGreaterThan(2 ** 31);
    space.setTransform(entity, 4, 5);
    space.setPosition(entity, 4, 6);
    expect(space.localOf(entity)).toMatchObject({ x: 4, y: 6 });
    expect(space.worldPosition(entity)).toEqual({ x: 4, y: 6 });
  });
});
