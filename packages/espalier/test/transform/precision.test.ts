import { createWorld, DEVELOPMENT, indexOf } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import { createSceneFormat } from "espalier/scene";
import {
  createTransforms2D,
  createWorldFill,
  fillWorlds,
  InvalidSpaceError,
  InvalidTransformError,
  rawTransforms,
  Transform2D,
  transformBatch,
  transformComponents,
  worldRowsOf,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { modes, property } from "../testing.ts";
import { expectClose, slowWorld } from "./naive-2d.ts";
import { createScene, edit, edits } from "./random-edits.ts";

const FAR = 123_456_789.125;

function createFar(generate = true) {
  const world = createWorld({ capacity: 4, generate });
  const tree = createHierarchy(world);
  return { world, tree, space: createTransforms2D(tree, { precision: "f64" }) };
}

describe.each(modes)("transforms of 64 bits ($mode)", ({ generate }) => {
  it("keep the digits that 32 bits lose, whichever way they are written", () => {
    const { world, tree, space } = createFar(generate);
    const planet = world.spawn(space.at(FAR, 0));
    const stone = tree.attachNew(planet, Transform2D({ x: 0.0625, y: 0.1 }));
    expect(space.worldPosition(stone)).toEqual({ x: FAR + 0.0625, y: 0.1 });
    space.propagate();
    expect(space.worldPosition(stone)).toEqual({ x: FAR + 0.0625, y: 0.1 });
    expect(world.get(planet, Transform2D)?.x).toBe(FAR);
    const writes: (() => void)[] = [
      () => space.setPosition(planet, FAR + 1, 0),
      () => world.set(planet, Transform2D, { x: FAR + 1 }),
      () => space.setLocal(planet, { x: FAR + 1 }),
      () => space.setWorldPosition(planet, FAR + 1, 0),
      () => transformBatch(space, [planet]).write(Float64Array.of(FAR + 1, 0)),
      () =>
        world.query(Transform2D).update((at) => {
          if (at.x === FAR) at.x += 1;
        }),
    ];
    for (const write of writes) {
      space.setPosition(planet, FAR, 0);
      write();
      expect(space.localOf(planet).x).toBe(FAR + 1);
      expect(space.worldX(stone)).toBe(FAR + 1.0625);
    }
    expect(
      [rawTransforms(space).locals, rawTransforms(space).worlds].every(
        (numbers) => numbers instanceof Float64Array,
      ),
    ).toBe(true);
    expect(space.usesWasm).toBe(false);
  });

  it("are undone, and kept by snapshots and files, to the last digit", () => {
    const { world, tree, space } = createFar(generate);
    const history = createHistory(world);
    const planet = world.spawn(space.at(FAR, 0));
    history.step("Set", () => space.setPosition(planet, FAR + 0.5, 0));
    history.step("Update", () => world.query(Transform2D).update((at) => void (at.x += 0.25)));
    history.undo();
    expect(space.localOf(planet).x).toBe(FAR + 0.5);
    history.undo();
    expect(space.localOf(planet).x).toBe(FAR);
    history.redo();
    history.redo();
    expect(space.localOf(planet).x).toBe(FAR + 0.75);
    const bytes = takeSnapshot(world);
    space.setPosition(planet, 0, 0);
    restoreSnapshot(world, bytes);
    expect(space.localOf(planet).x).toBe(FAR + 0.75);
    const format = createSceneFormat({ components: [transformComponents] });
    space.setPosition(planet, FAR + 0.75, 0.1);
    const text = format.save(tree);
    const copy = createFar(generate);
    format.load(copy.tree, text);
    expect([...copy.tree.roots()].map((root) => copy.space.localOf(root))).toEqual([space.localOf(planet)]);
  });
});

describe("transforms of 64 bits", () => {
  it("agree with the slow version after any edits, twelve digits of it", () => {
    property(
      edits({ maxLength: 40, without: ["ghost"] }),
      (steps) => {
        const scene = createScene({ precision: "f64" });
        for (const step of steps) edit(scene, step);
        const { world, space } = scene;
        for (const entity of world.entities())
          expectClose(space.worldOf(entity), slowWorld(space, entity), 1e-9);
        const single = world.entities().map((entity) => space.worldOf(entity));
        space.propagate();
        expect(world.entities().map((entity) => space.worldOf(entity))).toEqual(single);
      },
      60,
    );
  });

  it("fill arrays of 32 bits, and of 64", () => {
    const { world, tree, space } = createFar();
    const planet = world.spawn(space.at(FAR, 0));
    const stone = tree.attachNew(planet, space.at(0.5, 0));
    const single = new Float32Array(12);
    fillWorlds(space, [planet, stone], single, { width: 6 });
    expect([...single.subarray(6)]).toEqual([1, 0, 0, 1, Math.fround(FAR + 0.5), 0]);
    const double = new Float64Array(32);
    expect(createWorldFill(space, world.query(Transform2D)).update(double)).toBe(2);
    expect(double[16 + 12]).toBe(FAR + 0.5);
    const { values, slotOf, stride } = worldRowsOf(space);
    expect(values[slotOf[indexOf(stone)]! * stride + 4]).toBe(FAR + 0.5);
  });

  it("hold what 32 bits cannot, and refuse the infinities", () => {
    const { world, space } = createFar();
    const e = world.spawn(Transform2D({ x: 1e39 }));
    expect(space.worldX(e)).toBe(1e39);
    for (const write of [
      () => space.setPosition(e, Number.POSITIVE_INFINITY, 0),
      () => transformBatch(space, [e]).write(Float64Array.of(Number.NaN, 0)),
    ])
      expect(write).toThrow(InvalidTransformError);
  });

  it("compose without shear too", () => {
    property(
      edits({ maxLength: 30, without: ["ghost"] }),
      (steps) => {
        const scene = createScene({ precision: "f64", compose: "separable" });
        for (const step of steps) edit(scene, step);
        for (const entity of scene.world.entities())
          expectClose(scene.space.worldOf(entity), slowWorld(scene.space, entity, { separable: true }), 1e-9);
      },
      30,
    );
  });

  it("have no WebAssembly kernel", () => {
    const tree = createHierarchy(createWorld());
    expect(() => createTransforms2D(tree, { precision: "f64", kernel: "wasm" })).toThrow(InvalidSpaceError);
  });

  it.runIf(DEVELOPMENT)("refuse a precision that does not exist", () => {
    const tree = createHierarchy(createWorld());
    expect(() => createTransforms2D(tree, { precision: "f16" as never })).toThrow('it takes "f32" or "f64"');
  });
});

describe("transforms of 32 bits", () => {
  it.each(["javascript", "wasm"] as const)(
    "refuse doubles that are too large for them in a batch (%s)",
    (kernel) => {
      property(
        fc.record({
          at: fc.nat(11),
          width: fc.constantFrom(2, 3, 6),
          large: fc.constantFrom(3.5e38, -1e300),
        }),
        ({ at, width, large }) => {
          const { world, space } = createScene({ kernel });
          const pair = [world.spawn(space.at(1, 2)), world.spawn(space.at(3, 4))];
          const rows = new Float64Array(2 * width).fill(1);
          rows[at % rows.length] = large;
          expect(() => transformBatch(space, pair).write(rows)).toThrow(
            `to ${large}: a transform holds finite numbers of 32 bits.`,
          );
          expect(pair.map((e) => space.localOf(e).x)).toEqual([1, 3]);
          rows[at % rows.length] = 3.4e38;
          transformBatch(space, pair).write(rows);
          expect(pair.flatMap((e) => Object.values(space.localOf(e))).every(Number.isFinite)).toBe(true);
        },
        30,
      );
    },
  );
});
