import {
  compose2D,
  decompose2D,
  invert2D,
  multiply2D,
  setInherit,
  Transform2D,
  toGameY,
  toScreenY,
  transformDirection,
  transformPoint,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { expectClose } from "./naive-2d.ts";
import { createScene } from "./random-edits.ts";

const QUARTER = Math.PI / 2;

function near(actual: { x: number; y: number }, expected: { x: number; y: number }, digits = 4): void {
  expect(actual.x).toBeCloseTo(expected.x, digits);
  expect(actual.y).toBeCloseTo(expected.y, digits);
}

describe("a tank", () => {
  function createTank() {
    const scene = createScene();
    const { world, tree, space } = scene;
    const tank = world.spawn(space.at(100, 100));
    const turret = tree.attachNew(tank, space.at(0, 20));
    const barrel = tree.attachNew(turret, space.at(0, 12));
    return { ...scene, tank, turret, barrel };
  }

  it("moves what is on it", () => {
    const { space, tank, turret, barrel } = createTank();
    space.setPosition(tank, 150, 100);
    expect(space.worldPosition(turret)).toEqual({ x: 150, y: 120 });
    expect(space.worldPosition(barrel)).toEqual({ x: 150, y: 132 });
  });

  it("turns +x towards +y, and offsets with it", () => {
    const { space, tank, turret, barrel } = createTank();
    space.rotate(tank, QUARTER);
    near(space.worldPosition(turret), { x: 80, y: 100 });
    near(space.worldPosition(barrel), { x: 68, y: 100 });
    space.rotate(turret, QUARTER);
    near(space.worldPosition(barrel), { x: 80, y: 88 });
    expect(Math.abs(space.worldRotation(barrel))).toBeCloseTo(Math.PI, 5);
  });

  it("scales offsets and scales alike", () => {
    const { space, tank, turret, barrel } = createTank();
    space.setScale(tank, 2);
    space.setScale(turret, 3);
    expect(space.worldPosition(turret)).toEqual({ x: 100, y: 140 });
    expect(space.worldPosition(barrel)).toEqual({ x: 100, y: 212 });
    expect(space.lossyScale(barrel)).toEqual({ x: 6, y: 6, skew: 0 });
  });

  it("is a root, for which local and world are the same", () => {
    const { space, tank } = createTank();
    space.setLocal(tank, { rotation: 0.5, scaleX: 2, scaleY: 3, skew: 0.25 });
    expectClose(space.worldOf(tank), compose2D(space.localOf(tank)), 1e-6);
    expect(space.localOf(tank)).toMatchObject(space.worldPosition(tank));
  });

  it("has a position in the world that is read as an object or by numbers", () => {
    const { space, turret } = createTank();
    space.setPosition(turret, 1, 2);
    expect(space.localOf(turret)).toMatchObject({ x: 1, y: 2 });
    expect(space.worldPosition(turret)).toEqual({ x: 101, y: 102 });
    expect([space.worldX(turret), space.worldY(turret)]).toEqual([101, 102]);
  });

  it("writes into objects that the caller brings", () => {
    const { space, turret } = createTank();
    const matrix = { a: 0, b: 0, c: 0, d: 0, x: 0, y: 0 };
    expect(space.worldOf(turret, matrix)).toBe(matrix);
    const point = { x: 0, y: 0 };
    expect(space.worldPosition(turret, point)).toBe(point);
    expect(space.localToWorld(turret, 1, 1, point)).toBe(point);
    expect(point).toEqual({ x: 101, y: 121 });
  });
});

describe("a mirrored parent", () => {
  it("mirrors its children: the numbers of the enemy and its weapon", () => {
    const { world, tree, space } = createScene();
    const enemy = world.spawn(Transform2D({ x: 200, y: 100, scaleX: -1 }));
    const weapon = tree.attachNew(enemy, space.at(10, 0));
    expect(space.worldPosition(weapon)).toEqual({ x: 190, y: 100 });
    expect(space.lossyScale(weapon)).toEqual({ x: -1, y: 1, skew: 0 });
    expect(space.worldRotation(weapon)).toBe(0);
    space.setRotation(weapon, QUARTER / 2);
    near(space.localToWorld(weapon, 1, 0), { x: 190 - Math.SQRT1_2, y: 100 + Math.SQRT1_2 });
  });

  it("still shows which way is up to a child that does not mirror", () => {
    const { world, tree, space } = createScene();
    const enemy = world.spawn(Transform2D({ scaleX: -1, rotation: 0.3 }));
    const label = tree.attachNew(enemy, space.at(0, 0));
    setInherit(space, label, { scale: false });
    expect(space.worldRotation(label)).toBeCloseTo(0.3, 6);
    expect(space.lossyScale(label).x).toBeCloseTo(1, 6);
  });
});

describe("what is written in world values", () => {
  const number = fc.double({ min: -10, max: 10, noNaN: true });
  const size = fc.constantFrom(0.5, 1, 2, -1, -2);
  const local = fc.record({
    x: number,
    y: number,
    rotation: number,
    scaleX: size,
    scaleY: size,
    skew: fc.constantFrom(0, 0.4),
  });
  const mask = fc.constantFrom(
    "all" as const,
    "position" as const,
    { rotation: false },
    { scale: false },
    { position: false },
  );

  it.each(["affine", "separable"] as const)("is what is read then (%s)", (compose) => {
    property(
      fc.record({
        above: fc.array(local, { maxLength: 3 }),
        own: local,
        mask,
        x: number,
        y: number,
        angle: number,
      }),
      ({ above, own, mask, x, y, angle }) => {
        const { tree, space } = createScene({ compose });
        let parent = null;
        for (const values of above) parent = tree.attachNew(parent, Transform2D(values));
        const e = tree.attachNew(parent, Transform2D(own));
        setInherit(space, e, mask);
        const before = space.localOf(e);

        space.setWorldPosition(e, x, y);
        near(space.worldPosition(e), { x, y }, 3);
        expect(space.localOf(e)).toMatchObject({ ...before, x: expect.any(Number), y: expect.any(Number) });

        space.setWorldRotation(e, angle);
        const turned = space.worldRotation(e) - angle;
        expect(Math.cos(turned)).toBeCloseTo(1, 4);
        near(space.worldPosition(e), { x, y }, 3);
        expect(space.localOf(e)).toMatchObject({
          scaleX: before.scaleX,
          scaleY: before.scaleY,
          skew: before.skew,
        });

        space.lookAt(e, x + 3, y + 4);
        const axis = space.localToWorldDirection(e, 1, 0);
        const length = Math.hypot(axis.x, axis.y);
        near({ x: axis.x / length, y: axis.y / length }, { x: 0.6, y: 0.8 }, 3);
        near(space.worldPosition(e), { x, y }, 3);
        const local = space.localOf(e);
        space.lookAt(e, space.worldX(e), space.worldY(e));
        expect(space.localOf(e)).toEqual(local);
      },
      150,
    );
  });

  it("is a scale that leaves position and rotation alone", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(Transform2D({ x: 5, rotation: 0.5, scaleX: 2, scaleY: 2 }));
    const e = tree.attachNew(parent, Transform2D({ x: 1, rotation: 0.25 }));
    const rotation = space.worldRotation(e);
    const position = space.worldPosition(e);
    space.setWorldScale(e, -6, 4);
    expect(space.lossyScale(e).x).toBeCloseTo(-6, 5);
    expect(space.lossyScale(e).y).toBeCloseTo(4, 5);
    expect(space.worldRotation(e)).toBeCloseTo(rotation, 5);
    near(space.worldPosition(e), position);
    space.setWorldScale(e, 3);
    expect(space.lossyScale(e).x).toBeCloseTo(3, 5);
    expect(space.worldRotation(e)).toBeCloseTo(rotation, 5);
  });

  it("may be a whole matrix, for an entity without a transform too", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(Transform2D({ x: 5, rotation: 0.5, scaleX: 2, scaleY: 3 }));
    const e = tree.attachNew(parent);
    const wanted = { a: 1, b: 2, c: -0.5, d: 4, x: 9, y: -9 };
    space.setWorld(e, wanted);
    expectClose(space.worldOf(e), wanted, 1e-5);
    expect(world.has(e, Transform2D)).toBe(true);
  });
});

describe("points and directions", () => {
  it("go to the world and back", () => {
    const number = fc.double({ min: -10, max: 10, noNaN: true });
    const size = fc.constantFrom(0.5, 1, 2, -1);
    property(
      fc.record({ x: number, y: number, rotation: number, scaleX: size, scaleY: size, u: number, v: number }),
      ({ u, v, ...local }) => {
        const { world, tree, space } = createScene();
        const parent = world.spawn(Transform2D({ ...local, skew: 0.3 }));
        const e = tree.attachNew(parent, Transform2D(local));
        const there = space.localToWorld(e, u, v);
        near(space.worldToLocal(e, there.x, there.y), { x: u, y: v }, 3);
        const way = space.localToWorldDirection(e, u, v);
        near(space.worldToLocalDirection(e, way.x, way.y), { x: u, y: v }, 3);
        const origin = space.localToWorld(e, 0, 0);
        near({ x: there.x - origin.x, y: there.y - origin.y }, way, 3);
      },
    );
  });
});

describe("matrices", () => {
  const number = fc.double({ min: -10, max: 10, noNaN: true });
  const size = fc.double({ min: 0.1, max: 10, noNaN: true });
  const local = fc.record({
    x: number,
    y: number,
    rotation: fc.double({ min: -3.1, max: 3.1, noNaN: true }),
    scaleX: fc.oneof(
      size,
      size.map((value) => -value),
    ),
    scaleY: fc.oneof(
      size,
      size.map((value) => -value),
    ),
    skew: fc.double({ min: -2, max: 2, noNaN: true }),
  });

  it("decompose and compose again", () => {
    property(local, (values) => {
      const matrix = compose2D(values);
      const { residue, ...again } = decompose2D(matrix);
      expect(residue).toBe(0);
      expectClose(compose2D(again), matrix, 1e-9);
      expect(Math.sign(again.scaleX)).toBe(Math.sign(values.scaleX * values.scaleY));
      if (values.scaleY > 0) expect(again.rotation).toBeCloseTo(values.rotation, 6);
    });
  });

  it("have inverses", () => {
    property(local, (values) => {
      const matrix = compose2D(values);
      expectClose(multiply2D(matrix, invert2D(matrix)!), compose2D({ ...identity }), 1e-9);
    });
  });

  const identity = { x: 0, y: 0, rotation: 0, scaleX: 1, scaleY: 1, skew: 0 };

  it("have no inverse when they flatten the plane", () => {
    expect(invert2D(compose2D({ ...identity, scaleX: 0 }))).toBe(undefined);
    expect(invert2D({ a: 0, b: 0, c: 0, d: 0, x: 1, y: 1 })).toBe(undefined);
  });

  it("decompose even when an axis is 0", () => {
    const noX = compose2D({ ...identity, rotation: 0.5, scaleX: 0, scaleY: 2 });
    expect(decompose2D(noX)).toMatchObject({ scaleX: 0, scaleY: 2, residue: 0 });
    expectClose(compose2D(decompose2D(noX)), noX, 1e-12);
    const noY = compose2D({ ...identity, rotation: 0.5, scaleX: 2, scaleY: 0 });
    expectClose(compose2D(decompose2D(noY)), noY, 1e-12);
    expect(decompose2D(noY).residue).toBe(0);
    expect(decompose2D({ a: 0, b: 0, c: 0, d: 0, x: 1, y: 2 })).toMatchObject({ x: 1, y: 2, residue: 0 });
  });

  it("move points, and turn directions without moving them", () => {
    const matrix = compose2D({ ...identity, x: 10, y: 20, rotation: QUARTER });
    near(transformPoint(matrix, 1, 0), { x: 10, y: 21 }, 9);
    near(transformDirection(matrix, 1, 0), { x: 0, y: 1 }, 9);
  });
});

describe("the border to a screen whose y grows downwards", () => {
  it("is the same way in both directions", () => {
    expect(toScreenY(100, 1080)).toBe(980);
    expect(toGameY(980, 1080)).toBe(100);
    property(
      fc.tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: 1, max: 5000 })),
      ([y, height]) => {
        expect(toGameY(toScreenY(y, height), height)).toBe(y);
        expect(toScreenY(toGameY(y, height), height)).toBe(y);
      },
    );
  });
});
