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

  it("is computed in 3D too", () => {
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
