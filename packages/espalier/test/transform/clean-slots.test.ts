/**
 * Slots of the flat order are used again. What a new entity without a transform reads, or starts from, is never what a destroyed one
 * left there. These tests read rarely, because a read brings the slots up to date.
 */
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D, createTransforms3D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { dice } from "../hierarchy/planting.ts";

describe("an entity without a transform", () => {
  it("starts from the identity when it is translated, in a loop that spawns and destroys", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const shots: Entity[] = [];
    for (let frame = 0; frame < 300; frame++) {
      const moved = world.spawn();
      space.translate(moved, 1, 0);
      expect(space.localOf(moved)).toEqual({ x: 1, y: 0, rotation: 0, scaleX: 1, scaleY: 1, skew: 0 });
      space.setTransform(moved, 50, 60, 2);
      shots.push(moved);
      if (shots.length > 5) world.destroy(shots.shift()!);
      if (frame % 7 === 0) space.propagate();
    }
  });

  it("reads as the identity before the first pass, in 2D and 3D", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const plane = createTransforms2D(tree);
    const [a] = world.spawnMany(2) as [Entity];
    expect(plane.localOf(a)).toEqual({ x: 0, y: 0, rotation: 0, scaleX: 1, scaleY: 1, skew: 0 });
    expect(plane.worldOf(a)).toEqual({ a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 });
    const other = createWorld();
    const space = createTransforms3D(createHierarchy(other));
    const b = other.spawn();
    expect(space.localOf(b)).toMatchObject({ scaleX: 1, scaleY: 1, scaleZ: 1, qw: 1 });
    space.translate(b, 1, 2, 3);
    expect(space.localOf(b)).toMatchObject({ x: 1, y: 2, z: 3, scaleX: 1, qw: 1 });
  });

  it("reads as the identity and passes its parent through, whatever was in its slot", () => {
    const roll = dice(11);
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const plain = new Set<Entity>();
    const all: Entity[] = [];
    for (let step = 0; step < 4000; step++) {
      const at = roll(10);
      if (at < 5 || all.length < 3) {
        const parent = roll(2) === 0 ? null : (all[roll(all.length || 1)] ?? null);
        const isPlain = roll(2) === 0;
        const entity = isPlain
          ? tree.attachNew(parent)
          : tree.attachNew(parent, space.at(roll(100), roll(100), roll(6)));
        if (isPlain) plain.add(entity);
        all.push(entity);
      } else if (at < 8) {
        world.destroy(all[roll(all.length)]!);
        for (const list of [all.filter((entity) => world.isAlive(entity))])
          all.splice(0, all.length, ...list);
      } else if (at === 8) tree.attach(all[roll(all.length)]!, null, { at: "first" });
      else if (roll(10) === 0) space.propagate();
      if (roll(25) !== 0) continue;
      for (const entity of all) {
        if (!plain.has(entity)) continue;
        expect(space.localOf(entity)).toEqual({ x: 0, y: 0, rotation: 0, scaleX: 1, scaleY: 1, skew: 0 });
        const parent = tree.parentOf(entity);
        if (parent !== null) expect(space.worldOf(entity)).toEqual(space.worldOf(parent));
        break;
      }
    }
  });
});
