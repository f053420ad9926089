import { type Entity, MissingComponentError, observe } from "espalier";
import { createHistory } from "espalier/history";
import { Transform2D, transformBatch } from "espalier/transform";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { compactOrder } from "espalier/hierarchy";
import { refused } from "../testing.ts";
import { createScene } from "./random-edits.ts";

describe.each(["javascript", "wasm"] as const)("a batch (%s kernel)", (kernel) => {
  function createFleet(count = 3) {
    const scene = createScene({ kernel }, 8);
    const { world, space } = scene;
    const ships = Array.from({ length: count }, () =>
      world.spawn(Transform2D({ rotation: 0.5, scaleX: 2, scaleY: 3, skew: 0.25 })),
    );
    return { ...scene, ships, batch: transformBatch(space, ships) };
  }

  it.each([
    [2, { x: 11, y: 12, rotation: 0.5, scaleX: 2, scaleY: 3, skew: 0.25 }],
    [3, { x: 11, y: 12, rotation: 13, scaleX: 2, scaleY: 3, skew: 0.25 }],
    [5, { x: 11, y: 12, rotation: 13, scaleX: 14, scaleY: 15, skew: 0.25 }],
    [6, { x: 11, y: 12, rotation: 13, scaleX: 14, scaleY: 15, skew: 16 }],
  ])("writes rows of %i fields and leaves the others", (width, expected) => {
    const { space, ships, batch } = createFleet();
    const rows = [0, 10, 20].flatMap((from) => [1, 2, 3, 4, 5, 6].map((k) => from + k).slice(0, width));
    batch.write(Float32Array.from(rows));
    expect(space.localOf(ships[1]!)).toEqual(expected);
    expect(space.worldPosition(ships[2]!)).toEqual({ x: 21, y: 22 });
    space.propagate();
    expect(space.worldPosition(ships[2]!)).toEqual({ x: 21, y: 22 });
  });

  it("follows its entities when they move in the tree and when the world grows", () => {
    const { world, tree, space, ships, batch } = createFleet();
    tree.attach(ships[0]!, ships[2]!);
    for (let k = 0; k < 100; k++) world.spawn(space.at(k, k));
    compactOrder(tree);
    batch.write(Float32Array.of(1, 1, 2, 2, 3, 3));
    expect(ships.map((ship) => space.localOf(ship).x)).toEqual([1, 2, 3]);
  });

  it("moves what is below, and lets passes compute only that", () => {
    const { tree, space, ships, batch } = createFleet(1);
    for (let k = 0; k < 50; k++) tree.attachNew(null, space.at(k, 0));
    const child = tree.attachNew(ships[0]!, space.at(1, 0));
    compactOrder(tree);
    space.propagate();
    batch.write(Float32Array.of(7, 7));
    expect(space.propagate()).toBe(2);
    expect(space.worldX(child)).toBeCloseTo(7 + 2 * Math.cos(0.5), 5);
  });

  it("lets the last row win where an entity is listed twice", () => {
    const { space, ships } = createFleet();
    const twice = transformBatch(space, [ships[0]!, ships[0]!, ships[0]!]);
    twice.write(Float32Array.of(1, 1, 1, 2, 2, 2, 3, 3, 3));
    expect(space.localOf(ships[0]!)).toMatchObject({ x: 3, rotation: 3, scaleX: 2 });
    space.propagate();
    expect(space.worldRotation(ships[0]!)).toBeCloseTo(3, 5);
  });

  it("computes rotations beyond the polynomials too", () => {
    const { space, ships, batch } = createFleet();
    batch.write(Float32Array.of(0, 0, 1e6, 0, 0, 2, 0, 0, -3e8));
    const rotation = Math.fround(-3e8);
    expect(space.worldOf(ships[2]!).a).toBeCloseTo(Math.cos(rotation) * 2, 5);
    expect(space.worldOf(ships[0]!).b).toBeCloseTo(Math.sin(1e6) * 2, 5);
  });

  it("does nothing for an empty list", () => {
    const { space } = createFleet();
    transformBatch(space, []).write(new Float32Array(0));
    expect(() => transformBatch(space, []).write(new Float32Array(3))).toThrow(
      "Cannot write 0 transforms from 3 floats. Give 2, 3, 5 or 6 for each entity.",
    );
  });

  it("refuses rows of another width, dead entities and entities without a transform", () => {
    const { world, space, ships, batch } = createFleet();
    expect(refused(world, () => batch.write(new Float32Array(12))).message).toContain(
      "Cannot write 3 transforms from 12 floats.",
    );
    const bare = world.spawn();
    expect(() => transformBatch(space, [bare])).toThrow(
      "Cannot write transforms together: #4 has no Transform2D. Add one, or leave it out.",
    );
    world.remove(ships[0]!, Transform2D);
    expect(refused(world, () => batch.write(new Float32Array(6))).message).toContain("#1 has no Transform2D");
    world.destroy(ships[1]!);
    world.add(ships[0]!, Transform2D);
    expect(() => batch.write(new Float32Array(6))).toThrow("#2 was destroyed");
    expect(() => world.set(bare, Transform2D, { x: 1 })).toThrow(MissingComponentError);
  });

  it.each([2, 3, 5, 6])(
    "of %i fields is undone and redone without listeners, as the setters are",
    (width) => {
      const { world, space, ships, batch } = createFleet();
      const history = createHistory(world);
      const slow = createFleet();
      const slowly = createHistory(slow.world);
      const fields = ["x", "y", "rotation", "scaleX", "scaleY", "skew"] as const;
      const all = (scene: typeof slow) =>
        scene.ships.map((ship) => [scene.space.localOf(ship), scene.space.worldOf(ship)]);
      const start = [all({ ...slow, space, ships }), all(slow)];
      for (let round = 1; round < 4; round++) {
        const rows = ships.flatMap((_, ship) =>
          fields.slice(0, width).map((_, f) => (f === 1 ? 0 : ship + f * 2 + round)),
        );
        history.step("batch", () => batch.write(Float32Array.from(rows)));
        slowly.step("set", () => {
          slow.ships.forEach((ship, k) => {
            const row = rows.slice(k * width, (k + 1) * width);
            slow.world.set(ship, Transform2D, Object.fromEntries(row.map((value, f) => [fields[f]!, value])));
          });
        });
        const now = all({ ...slow, space, ships });
        expect(now).toEqual(all(slow));
        history.undo();
        history.redo();
        expect(all({ ...slow, space, ships })).toEqual(now);
      }
      expect(history.bytes).toBe(slowly.bytes);
      for (let round = 1; round < 4; round++) {
        history.undo();
        slowly.undo();
        expect(all({ ...slow, space, ships })).toEqual(all(slow));
      }
      expect([all({ ...slow, space, ships }), all(slow)]).toEqual(start);
    },
  );

  it("skips entities that an observer of an earlier row destroyed", () => {
    const { world, space, ships, batch } = createFleet();
    observe(world, Transform2D, { set: (ship) => void (ship === ships[0] && world.destroy(ships[1]!)) });
    batch.write(Float32Array.of(1, 1, 2, 2, 3, 3));
    expect([world.isAlive(ships[1]!), space.localOf(ships[2]!).x]).toEqual([false, 3]);
  });

  it("is reported to observers and recorded for undo, entity by entity", () => {
    const { world, space, ships, batch } = createFleet();
    const told: Entity[] = [];
    observe(world, Transform2D, { set: (entity) => told.push(entity) });
    const history = createHistory(world);
    history.step("Fly", () => batch.write(Float32Array.of(1, 1, 0, 0, 3, 3)));
    expect(told).toEqual([ships[0], ships[2]]);
    history.undo();
    expect(ships.map((ship) => space.worldX(ship))).toEqual([0, 0, 0]);
    history.redo();
    expect(ships.map((ship) => space.worldX(ship))).toEqual([1, 0, 3]);
  });
});
