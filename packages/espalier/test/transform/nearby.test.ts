import { createWorld, type Entity, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createNearby, createTransforms2D, InvalidTransformError } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const Enemy = tag("Enemy");

function setUp(cell?: number) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const nearby = createNearby(space, world.query(Enemy), cell === undefined ? {} : { cell });
  return { world, tree, space, nearby };
}

describe("createNearby", () => {
  it("finds entities by their position in the world, nearest first", () => {
    const { world, tree, space, nearby } = setUp();
    const ship = world.spawn(space.at(100, 0));
    const a = tree.attachNew(ship, space.at(5, 0), Enemy);
    const b = world.spawn(space.at(90, 0), Enemy);
    world.spawn(space.at(91, 0));
    expect(nearby.within(100, 0, 20)).toEqual([a, b]);
    expect(nearby.nearest(0, 0)).toBe(b);
    expect(nearby.nearest(90, 0, { except: b })).toBe(a);
    expect(nearby.nearest(0, 0, { max: 50 })).toBeNull();
    // Moved by its parent, then no enemy any more.
    space.setPosition(ship, -100, 0);
    expect(nearby.within(100, 0, 20)).toEqual([b]);
    expect(nearby.within(-95, 0, 1)).toEqual([a]);
    world.remove(b, Enemy);
    expect(nearby.nearest(100, 0)).toBe(a);
    world.destroy(a);
    expect(nearby.nearest(100, 0)).toBeNull();
    expect(nearby.within(0, 0, 1e9)).toEqual([]);
  });

  it("makes no millions of cells for a few entities far apart", () => {
    const { world, space, nearby } = setUp(1);
    const near = world.spawn(space.at(0, 0), Enemy);
    const far = world.spawn(space.at(1e7, 1e7), Enemy);
    expect(nearby.nearest(9e6, 9e6)).toBe(far);
    expect(nearby.within(0, 0, 10)).toEqual([near]);
  });

  it("refuses invalid numbers", () => {
    const { nearby, space, world } = setUp();
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => nearby.within(wrong, 0, 1)).toThrow(InvalidTransformError);
      expect(() => nearby.nearest(0, wrong)).toThrow(InvalidTransformError);
    }
    expect(() => nearby.within(0, 0, -1)).toThrow("the radius is -1");
    expect(() => nearby.nearest(0, 0, { max: Number.NaN })).toThrow(InvalidTransformError);
    for (const cell of [0, -1, Number.NaN])
      expect(() => createNearby(space, world.query(Enemy), { cell })).toThrow(InvalidTransformError);
  });

  it("agrees with looking at every entity, in random trees", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.infiniteStream(fc.nat(9999)), (cell, stream) => {
        const next = (most: number) => (stream.next().value as number) % most;
        const { world, tree, space, nearby } = setUp(cell);
        const all: Entity[] = [];
        for (let k = 0; k < 80; k++) {
          const some = all[next(Math.max(all.length, 1))];
          const choice = next(8);
          if (choice < 4 || some === undefined || !world.isAlive(some)) {
            const made = world.spawn(space.at(next(400) - 200, next(400) - 200, next(7)));
            if (next(4) > 0) world.add(made, Enemy);
            if (some !== undefined && world.isAlive(some) && next(2) === 0) tree.attach(made, some);
            all.push(made);
          } else if (choice === 4) space.setPosition(some, next(400) - 200, next(400) - 200);
          else if (choice === 5) space.setRotation(some, next(60) / 10);
          else if (choice === 6) {
            if (world.has(some, Enemy)) world.remove(some, Enemy);
            else world.add(some, Enemy);
          } else if (next(3) === 0) world.destroy(some);
          const [x, y, radius] = [next(900) - 450, next(900) - 450, next(300)];
          const slow = all
            .filter((entity) => world.isAlive(entity) && world.has(entity, Enemy))
            .map((entity) => {
              const position = space.worldPosition(entity);
              return { entity, distance: (position.x - x) ** 2 + (position.y - y) ** 2 };
            })
            .sort((a, b) => a.distance - b.distance || a.entity - b.entity);
          const inside = slow.filter(({ distance }) => distance <= radius * radius);
          expect(nearby.within(x, y, radius).length).toBe(inside.length);
          const distances = nearby.within(x, y, radius).map((entity) => {
            const position = space.worldPosition(entity);
            return (position.x - x) ** 2 + (position.y - y) ** 2;
          });
          expect(distances).toEqual(inside.map(({ distance }) => distance));
          const except = slow[0]?.entity;
          const nearest = nearby.nearest(x, y);
          const distanceOf = (entity: Entity | null) =>
            entity === null ? null : (slow.find((each) => each.entity === entity)?.distance ?? -1);
          expect(distanceOf(nearest)).toBe(slow[0]?.distance ?? null);
          if (except !== undefined)
            expect(distanceOf(nearby.nearest(x, y, { except }))).toBe(slow[1]?.distance ?? null);
          expect(distanceOf(nearby.nearest(x, y, { max: radius }))).toBe(inside[0]?.distance ?? null);
        }
      }),
      { numRuns: 60 },
    );
  });
});
