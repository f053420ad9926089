/**
 * Room that a build left over is given back by the first pass, and nothing can be noticed of it but the length of arrays.
 */
import { checkWorld, compileLoop, component, createChannel, createWorld, type Entity, f32 } from "espalier";
import { checkTree, createHierarchy, flatOrder } from "espalier/hierarchy";
import { createInherited, ZIndex, zIndex } from "espalier/inherit";
import { createTransforms2D, createTransforms3D, rawTransforms, Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";

const Speed = component("Speed", { x: f32(), label: f32() });

function createRooms(capacity: number) {
  const world = createWorld({
    capacity,
    onError: (error) => {
      throw error;
    },
  });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const solid = createTransforms3D(tree, { name: "solid" });
  const z = createInherited(tree, zIndex);
  const moving = world.query(Speed);
  const shift = compileLoop(moving, ([ids, { x }]) => (count, by: number) => {
    for (let k = 0; k < count; k++) x[ids[k]] += by;
  });
  return { world, tree, space, solid, z, moving, shift };
}

const frame = fc.record({
  born: fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 3 }) }, fc.nat({ max: 120 })),
  died: fc.nat({ max: 30 }),
  passes: fc.constantFrom(0, 1, 1, 12),
  isReserved: fc.boolean(),
});
type Frame = typeof frame extends fc.Arbitrary<infer T> ? T : never;

/** What the world is after each frame. */
function play(frames: readonly Frame[], capacity: number): unknown[] {
  const { world, tree, space, solid, z, moving, shift } = createRooms(capacity);
  const entities: Entity[] = [];
  return frames.map(({ born, died, passes, isReserved }, number) => {
    if (isReserved) world.reserve(born);
    for (let k = 0; k < born; k++) {
      const parent = entities[(k * 7 + number) % Math.max(1, entities.length)];
      const transform = k % 3 === 0 ? solid.at(k, 1, 2) : space.at(k, number, 0.5);
      entities.push(tree.attachNew(parent ?? null, transform, Speed({ x: k }), ZIndex({ z: k % 4 })));
    }
    for (let k = 0; k < died && entities.length > 0; k++) {
      const one = entities.splice((k * 13) % entities.length, 1)[0] as Entity;
      if (world.isAlive(one)) tree.destroy(one);
    }
    entities.splice(0, entities.length, ...entities.filter((e) => world.isAlive(e)));
    shift(1);
    for (let k = 0; k < passes; k++) {
      space.propagate();
      z.propagate();
      solid.propagate();
    }
    shift(1);
    const speeds: number[] = [];
    moving.each((entity, speed) => speeds.push(entity, speed.x));
    expect(checkWorld(world)).toEqual([]);
    expect(checkTree(tree)).toEqual([]);
    return [
      speeds,
      world.entities().map((e) => [e, tree.parentOf(e), z.of(e), space.worldOf(e), solid.worldPosition(e)]),
    ];
  });
}

describe("room that a build left over", () => {
  it("is given back and taken again without a difference", () => {
    // The second world has room for all from the start, and never moves a column.
    property(
      fc.array(frame, { maxLength: 12 }),
      (frames) => {
        expect(play(frames, 2)).toEqual(play(frames, 4000));
      },
      60,
    );
  });

  it("is given back by the first pass, all but a little", () => {
    const { world, tree, space } = createRooms(1023);
    const root = world.spawn(space.at(0, 0));
    for (let k = 1; k < 10_000; k++) tree.attachNew(root, space.at(k, 1));
    expect(flatOrder(tree).nodeAt.length).toBeGreaterThan(11_000);
    space.propagate();
    expect(flatOrder(tree).nodeAt.length).toBeLessThan(10_250);
    expect(flatOrder(tree).slotOf.length).toBeLessThan(10_250);
    expect(space.worldPosition(root)).toEqual({ x: 0, y: 0 });
  });

  it("stays where it was reserved", () => {
    const { world, space } = createRooms(1023);
    world.reserve(20_000);
    world.spawnMany(10, space.at(0, 0));
    const { locals } = rawTransforms(space);
    space.propagate();
    space.propagate();
    expect(rawTransforms(space).locals).toBe(locals);
    const other = createRooms(5000);
    const before = rawTransforms(other.space).locals;
    other.world.spawn(other.space.at(1, 1));
    other.space.propagate();
    expect(rawTransforms(other.space).locals).toBe(before);
  });

  it("is kept by a world that grew again, until nothing came for some passes, each time longer", () => {
    const { world, space } = createRooms(4);
    let used = 0;
    function growOnce(): void {
      const { length } = rawTransforms(space).locals;
      while (rawTransforms(space).locals.length === length) {
        world.spawn(space.at(used++, 0));
      }
    }
    /** How many passes it takes. */
    function passesUntilGivenBack(): number {
      const { length } = rawTransforms(space).locals;
      for (let passes = 1; passes < 1000; passes++) {
        space.propagate();
        if (rawTransforms(space).locals.length < length) return passes;
      }
      return Number.POSITIVE_INFINITY;
    }
    while (used < 100) growOnce();
    expect(passesUntilGivenBack()).toBe(1);
    growOnce();
    expect(passesUntilGivenBack()).toBe(9);
    growOnce();
    expect(passesUntilGivenBack()).toBe(65);
  });

  it("is not given back inside a loop, nor while observers run", () => {
    const { world, space } = createRooms(4);
    for (let k = 0; k < 100; k++) world.spawn(space.at(k, 0));
    const { length } = rawTransforms(space).locals;
    const placed = world.query(Transform2D);
    placed.update(() => {
      space.propagate();
      expect(rawTransforms(space).locals.length).toBe(length);
    });
    space.propagate();
    expect(rawTransforms(space).locals.length).toBeLessThan(length);
  });
});

describe("a channel after a burst", () => {
  it("gives back its room once, and gives every reader all that it keeps", () => {
    property(
      fc.array(
        fc.record({
          emitted: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 4000 })),
          reads: fc.nat({ max: 3 }),
        }),
        {
          maxLength: 12,
        },
      ),
      (rounds) => {
        const world = createWorld();
        const channel = createChannel<number>(world, "numbers");
        const quick = channel.reader();
        const slow = channel.reader();
        const seen: number[][] = [[], []];
        let next = 0;
        for (const { emitted, reads } of rounds) {
          for (let k = 0; k < emitted; k++) channel.emit(next++);
          if (reads & 1) seen[0]?.push(...quick.read());
          if (reads & 2) slow.forEach((number) => void seen[1]?.push(number));
          const late = channel.reader({ from: "oldest" });
          const kept = late.read();
          expect(kept.length).toBeGreaterThanOrEqual(Math.min(next, 1024));
          expect(kept).toEqual(Array.from(kept, (_, k) => next - kept.length + k));
          late.close();
        }
        seen[0]?.push(...quick.read());
        seen[1]?.push(...slow);
        const all = Array.from({ length: next }, (_, k) => k);
        expect(seen).toEqual([all, all]);
      },
      60,
    );
  });
});
