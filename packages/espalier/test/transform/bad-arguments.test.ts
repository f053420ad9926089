import { component, createWorld, f32, InvalidArgumentError, InvalidOptionError } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { applyPatch, diff, followChanges, restoreSnapshot, takeSnapshot } from "espalier/history";
import {
  createTransforms2D,
  createTransforms3D,
  createWorldFill,
  fillRotations,
  fillWorlds,
  InvalidFillError,
  transformPoint,
} from "espalier/transform";
import { describe, expect, it } from "vitest";

const matrix = { a: 1, b: 0, c: 0, d: 1, x: 2, y: 3 };

function start() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  return { world, tree, space, entity: world.spawn(space.at(1, 2)) };
}

describe("an object to write into", () => {
  it("is refused when it is frozen, by every call that takes one", () => {
    const { tree, space, entity } = start();
    const space3 = createTransforms3D(tree, { name: "world3" });
    const frozen = Object.freeze({ x: 0, y: 0, z: 0 });
    const calls = [
      () => transformPoint(matrix, 1, 1, frozen),
      () => space.worldPosition(entity, frozen),
      () => space.worldOf(entity, Object.freeze({ ...matrix })),
      () => space.localToWorld(entity, 1, 1, frozen),
      () => space3.worldPosition(entity, frozen),
      () => space3.worldToLocalDirection(entity, 1, 1, 1, frozen),
    ];
    for (const call of calls) expect(call).toThrow(InvalidArgumentError);
    expect(frozen).toEqual({ x: 0, y: 0, z: 0 });
  });

  it("may throw for itself", () => {
    const { space, entity } = start();
    const own = new RangeError("mine");
    const out = {
      y: 0,
      get x() {
        return 0;
      },
      set x(_: number) {
        throw own;
      },
    };
    expect(() => space.worldPosition(entity, out)).toThrow(own);
  });

  it("is refused when it is an array that is too short", () => {
    const { tree, entity } = start();
    const space = createTransforms3D(tree, { name: "world3" });
    expect(() => space.worldOf(entity, new Float64Array(3))).toThrow(
      "Cannot read the world transform: out is an object, not an array for 12 numbers.",
    );
  });
});

describe("options that do not exist", () => {
  it("are refused by the calls that fill buffers", () => {
    const { world, space, entity } = start();
    const out = new Float32Array(16);
    const options: object = { strid: 16 };
    expect(() => fillWorlds(space, [entity], out, options)).toThrow(InvalidOptionError);
    expect(() => fillRotations(space, [entity], out, options)).toThrow(InvalidOptionError);
    expect(() => createWorldFill(space, world.query(space.component), options)).toThrow(InvalidOptionError);
    expect(() => fillWorlds(space, [entity], Object.freeze(Array(16).fill(0)) as number[])).toThrow(
      InvalidFillError,
    );
    expect([...out]).toEqual(Array(16).fill(0));
  });

  it("are refused by snapshots, differences, patches and streams", () => {
    const world = createWorld();
    world.spawn(component("Health", { hp: f32(1) }));
    const before = takeSnapshot(world);
    const options: object = { tree: [] };
    expect(() => takeSnapshot(world, options)).toThrow("Cannot take a snapshot with tree");
    expect(() => restoreSnapshot(world, before, options)).toThrow(InvalidOptionError);
    expect(() => diff(before, { world }, options)).toThrow(InvalidOptionError);
    expect(() => applyPatch(world, [], options)).toThrow(InvalidOptionError);
    expect(() => followChanges(world, options)).toThrow(InvalidOptionError);
  });
});
