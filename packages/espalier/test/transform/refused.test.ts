import { createWorld, type Entity, InvalidValueError, type World } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  createRectTransforms,
  createTransforms2D,
  createTransforms3D,
  InvalidTransformError,
  RectTransform,
  rawTransforms,
  setInherit,
  setSkew,
  Transform2D,
  Transform3D,
  transformBatch,
} from "espalier/transform";
import { describe, expect, it } from "vitest";
import { refused } from "../testing.ts";

const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;

function field(world: World, change: () => unknown): [code: string, field: string, about: readonly Entity[]] {
  const error = refused(world, change);
  expect(error).toBeInstanceOf(InvalidTransformError);
  const { code, field, entities } = error as InvalidTransformError;
  return [code, field, entities];
}

describe.each([true, false])("numbers that are not finite in a 2D space (checks: %s)", (checks) => {
  function createShip() {
    const world = createWorld({ checks });
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const ship = world.spawn(space.at(1, 2));
    tree.setName(ship, "ship");
    return { world, tree, space, ship };
  }

  it.each(bad)("are refused by every setter: %s", (value) => {
    const { world, space, ship } = createShip();
    const cases: [field: string, change: () => void][] = [
      ["x", () => space.setPosition(ship, value, 0)],
      ["y", () => space.setPosition(ship, 0, value)],
      ["rotation", () => space.setRotation(ship, value)],
      ["scaleX", () => space.setScale(ship, value, 1)],
      ["scaleY", () => space.setScale(ship, 1, value)],
      ["skew", () => setSkew(space, ship, value)],
      ["x", () => space.translate(ship, value, 0)],
      ["rotation", () => space.rotate(ship, value)],
      ["y", () => space.setLocal(ship, { x: 3, y: value })],
      ["x", () => space.setPosition(ship, value, 0)],
      ["x", () => space.setWorldPosition(ship, value, 0)],
      ["rotation", () => space.setWorldRotation(ship, value)],
      ["scaleY", () => space.setWorldScale(ship, 1, value)],
      ["y", () => space.lookAt(ship, 0, value)],
      ["c", () => space.setWorld(ship, { a: 1, b: 0, c: value, d: 1, x: 0, y: 0 })],
      ["y", () => transformBatch(space, [ship]).write(Float32Array.of(0, value))],
      ["rotation", () => transformBatch(space, [ship]).write(Float32Array.of(0, 0, value))],
      ["scaleY", () => transformBatch(space, [ship]).write(Float32Array.of(0, 0, 0, 1, value))],
    ];
    for (const [name, change] of cases)
      expect(field(world, change)).toEqual(["transform/invalid-number", name, [ship]]);
    expect(field(world, () => space.at(0, value))).toEqual(["transform/invalid-number", "y", []]);
    expect(space.localOf(ship)).toMatchObject({ x: 1, y: 2 });
    expect(space.worldPosition(ship)).toEqual({ x: 1, y: 2 });
  });

  it("are refused with the names of field and entity", () => {
    const { space, ship } = createShip();
    expect(() => space.setPosition(ship, Number.NaN, 0)).toThrow(
      "Cannot set Transform2D.x of ship#1 to NaN: a transform holds finite numbers of 32 bits. Check the computation that gave it. [transform/invalid-number]",
    );
  });

  it("are refused too when only 32 bits make them infinite", () => {
    const { world, space, ship } = createShip();
    expect(field(world, () => space.setPosition(ship, 1e39, 0))[1]).toBe("x");
    expect(field(world, () => space.setScale(ship, 1, -1e39))[1]).toBe("scaleY");
    expect(field(world, () => space.setRotation(ship, 1e39))[1]).toBe("rotation");
  });

  it("are refused for an entity without a transform, which then still has none", () => {
    const { world, space } = createShip();
    const bare = world.spawn();
    for (const change of [
      () => space.setPosition(bare, Number.NaN, 0),
      () => space.setRotation(bare, Number.NaN),
      () => space.setScale(bare, Number.NaN),
    ])
      expect(field(world, change)[2]).toEqual([bare]);
    expect(world.has(bare, Transform2D)).toBe(false);
  });

  it("are refused in views, which keep their values", () => {
    const { world, space, ship } = createShip();
    const error = refused(world, () =>
      world.query(Transform2D).update((transform) => {
        transform.x = Number.NaN;
      }),
    );
    expect(error).toBeInstanceOf(InvalidValueError);
    expect(error.message).toContain("Cannot set Transform2D.x of #1: x takes a finite number, got NaN.");
    expect(() =>
      world.query(Transform2D).update((transform) => {
        transform.y = 1e39;
      }),
    ).toThrow("y takes a finite number of 32 bits, got 1e+39");
    expect(space.worldPosition(ship)).toEqual({ x: 1, y: 2 });
  });

  it("do not matter for dead entities, which every call refuses", () => {
    const { world, space, ship } = createShip();
    world.destroy(ship);
    for (const call of [
      () => space.worldOf(ship),
      () => space.localOf(ship),
      () => space.setPosition(ship, 0, 0),
      () => space.setScale(ship, 1),
      () => setInherit(space, ship, "all"),
      () => space.setWorldPosition(ship, 0, 0),
      () => rawTransforms(space).touch(ship),
      () => rawTransforms(space).rowOf(ship),
      () => rawTransforms(space).worldRowOf(ship),
      () => transformBatch(space, [ship]),
    ])
      expect(call).toThrow(/#1 was destroyed/);
  });
});

describe("numbers that are not finite in the world", () => {
  it.each(bad)("are refused on spawn, add and set, with the field: %s", (value) => {
    const world = createWorld();
    const tree = createHierarchy(world);
    createTransforms2D(tree);
    const ship = world.spawn(Transform2D({ x: 1 }));
    const bare = world.spawn();
    for (const [change, about] of [
      [
        () => world.spawn(Transform2D({ skew: value })),
        "Cannot set Transform2D.skew: skew takes a finite number",
      ],
      [
        () => tree.attachNew(ship, Transform2D({ y: value })),
        "Cannot set Transform2D.y: y takes a finite number",
      ],
      [
        () => world.add(bare, Transform2D({ y: value })),
        "Cannot set Transform2D.y of #2: y takes a finite number",
      ],
      [
        () => world.set(ship, Transform2D, { y: 3, x: value }),
        "Cannot set Transform2D.x of #1: x takes a finite",
      ],
    ] as const) {
      const error = refused(world, change);
      expect(error).toBeInstanceOf(InvalidValueError);
      expect(error.message).toContain(about);
    }
    expect(world.get(ship, Transform2D)).toMatchObject({ x: 1, y: 0 });
  });
});

describe.each([true, false])("numbers that are not finite in other spaces (checks: %s)", (checks) => {
  it.each(bad)("are refused in 3D: %s", (value) => {
    const world = createWorld({ checks });
    const space = createTransforms3D(createHierarchy(world));
    const ship = world.spawn(space.at(1, 2, 3));
    const cases: [field: string, change: () => void][] = [
      ["z", () => space.setPosition(ship, 0, 0, value)],
      ["scaleY", () => space.setScale(ship, 1, value)],
      ["qw", () => space.setLocal(ship, { x: 3, qw: value })],
      ["y", () => space.translate(ship, 0, value, 0)],
      ["z", () => space.setWorldPosition(ship, 0, 0, value)],
      ["qx", () => space.setWorldRotation(ship, { qx: value, qy: 0, qz: 0, qw: 1 })],
      ["x", () => space.lookAt(ship, value, 0, 0)],
      ["world[4]", () => space.setWorld(ship, [1, 0, 0, 0, value, 0, 0, 0, 1, 0, 0, 0])],
    ];
    for (const [name, change] of cases)
      expect(field(world, change)).toEqual(["transform/invalid-number", name, [ship]]);
    for (const change of [
      () => space.setRotation(ship, 0, 0, 1, value),
      () => space.rotate(ship, value, 0, 0, 1),
    ])
      expect(field(world, change)[2]).toEqual([ship]);
    expect(field(world, () => space.at(0, value, 0))).toEqual(["transform/invalid-number", "y", []]);
    expect(world.get(ship, Transform3D)).toMatchObject({ x: 1, y: 2, z: 3, qw: 1 });
  });

  it.each(bad)("are refused for rectangles: %s", (value) => {
    const world = createWorld({ checks });
    const layout = createRectTransforms(createHierarchy(world), { width: 100, height: 100 });
    const panel = world.spawn(RectTransform({ width: 10 }));
    expect(field(world, () => layout.setLocal(panel, { width: value }))[1]).toBe("width");
    expect(field(world, () => layout.setWorld(panel, [0, 0, 1, value]))[1]).toBe("world[3]");
    expect(field(world, () => layout.setRoot([0, 0, value, 1]))).toEqual([
      "transform/invalid-number",
      "world[2]",
      [],
    ]);
    expect(() => createRectTransforms(createHierarchy(createWorld()), { width: value, height: 1 })).toThrow(
      "Cannot set the world value of the root in rect: number 2 is",
    );
  });
});
