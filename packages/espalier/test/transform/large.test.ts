import type { Entity } from "espalier";
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D, createTransforms3D, Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

const MILLION = 1_000_000;

describe("a chain of a million", () => {
  it("is computed, read and changed without a stack of its own", () => {
    const world = createWorld({ capacity: MILLION + 1 });
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const all: Entity[] = new Array(MILLION);
    for (let k = 0; k < MILLION; k++) all[k] = tree.attachNew(k === 0 ? null : all[k - 1]!, space.at(1, 0));
    const [first, last] = [all[0]!, all[MILLION - 1]!];
    // Before any pass: the whole way down.
    expect(space.worldX(last)).toBe(MILLION);
    expect(space.propagate()).toBe(MILLION);
    expect(space.worldX(last)).toBe(MILLION);
    space.setPosition(first, 11, 0);
    expect(space.worldX(last)).toBe(MILLION + 10);
    const reader = space.changes();
    expect(space.propagate()).toBe(MILLION);
    expect(reader.pending).toBe(MILLION);
    reader.close();
    space.setPosition(last, 5, 0);
    expect(space.propagate()).toBe(1);
    expect(space.worldX(last)).toBe(MILLION + 14);
  });

  it("is computed in space too", () => {
    const count = 200_000;
    const world = createWorld({ capacity: count + 1 });
    const tree = createHierarchy(world);
    const space = createTransforms3D(tree);
    let last = world.spawn(space.at(1, 0, 0));
    for (let k = 1; k < count; k++) last = tree.attachNew(last, space.at(1, 0, 0));
    expect(space.worldX(last)).toBe(count);
    space.propagate();
    expect(space.worldX(last)).toBe(count);
  });
});

describe("frames in a steady state", () => {
  /** Bytes that the heap grew by in one call, at best over many: collections and other work only add or take away. */
  function growth(run: () => void): number {
    // What V8 compiles meanwhile, later on a busy machine, is no garbage of a frame: that would be there every time.
    return Math.min(...Array.from({ length: 3 }, () => sample(run)));
  }

  function sample(run: () => void): number {
    for (let k = 0; k < 300; k++) run();
    const growths = Array.from({ length: 200 }, () => {
      const before = process.memoryUsage().heapUsed;
      run();
      return process.memoryUsage().heapUsed - before;
    });
    const grown = growths.filter((bytes) => bytes >= 0).sort((a, b) => a - b);
    return grown[grown.length >> 3] ?? 0;
  }

  it.each(["javascript", "wasm"] as const)(
    "leave no garbage that grows with the tree (%s kernel)",
    (kernel) => {
      const frames = [100, 10_000].map((count) => {
        const world = createWorld({ capacity: count + 1 });
        const tree = createHierarchy(world);
        const space = createTransforms2D(tree, { kernel });
        const all: Entity[] = [];
        for (let k = 0; k < count; k++)
          all.push(tree.attachNew(k < 4 ? null : all[(k / 4) | 0]!, Transform2D));
        tree.compact();
        const rows = new Float32Array(count * 3);
        const batch = space.batch(all);
        const out = { a: 0, b: 0, c: 0, d: 0, x: 0, y: 0 };
        let frame = 0;
        return growth(() => {
          frame++;
          for (let k = 0; k < 20; k++) space.setPosition(all[k * 5]!, frame, k);
          space.propagate();
          rows.fill(frame % 7);
          batch.write(rows);
          space.worldOf(all[count - 1]!, out);
          space.propagate();
          space.propagate();
        });
      });
      // The measuring itself makes some objects, equally many for both.
      expect(Math.abs(frames[1]! - frames[0]!)).toBeLessThan(20_000);
      expect(frames[1]!).toBeLessThan(40_000);
    },
  );

  it("compute nothing when nothing happens, and what is below a change when something does", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const all: Entity[] = [];
    for (let k = 0; k < 10_000; k++) all.push(tree.attachNew(k < 4 ? null : all[(k / 4) | 0]!, Transform2D));
    expect(space.propagate()).toBe(10_000);
    expect(space.propagate()).toBe(0);
    space.setPosition(all[500]!, 1, 2);
    expect(space.propagate()).toBe(1 + [...tree.descendants(all[500]!)].length);
    expect(space.propagate()).toBe(0);
  });
});
