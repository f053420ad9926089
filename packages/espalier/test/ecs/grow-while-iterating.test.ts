import { component, createWorld, f32, type World } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

const Point = component("Point", { x: f32() });

/** Spawns so many that every column moves. */
function outgrow(world: World): void {
  for (let k = 0; k < 5000; k++) world.spawn();
}

describe("a callback of each that makes the world grow", () => {
  for (const generate of [true, false]) {
    it(`writes to and reads from the columns as they are then, generate: ${generate}`, () => {
      const world = createWorld({ capacity: 8, generate });
      const entities = world.spawnMany(3, Point({ x: 1 }));
      const query = world.query(Point);
      // Loops are generated after some passes.
      for (let pass = 0; pass < 10; pass++) query.each(() => {});

      const seen: number[] = [];
      query.each((_entity, point) => {
        if (world.count < 100) outgrow(world);
        point.x += 10;
        seen.push(point.x);
      });

      expect(seen).toEqual([11, 11, 11]);
      expect(entities.map((entity) => world.get(entity, Point)?.x)).toEqual([11, 11, 11]);
    });

    it(`does so with transforms and world transforms, generate: ${generate}`, () => {
      const world = createWorld({ capacity: 8, generate });
      const tree = createHierarchy(world);
      const space = createTransforms2D(tree);
      const root = world.spawn(space.at(5, 0));
      const child = tree.attachNew(root, space.at(1, 0));
      const query = world.query(Transform2D, space.world);
      // The views of update hold arrays, those of each do not.
      for (let pass = 0; pass < 10; pass++) query.each(() => {});
      for (let pass = 0; pass < 10; pass++) query.update(() => {});

      const seen: number[] = [];
      query.each((_entity, local, point) => {
        if (world.count < 100) outgrow(world);
        local.x += 10;
        space.propagate();
        seen.push(local.x, point.x);
      });

      expect(seen).toEqual([15, 15, 11, 26]);
      expect(space.worldPosition(child).x).toBe(26);
    });
  }

  it("leaves loops of other queries right, and gives all passes of update views of one prototype", () => {
    const world = createWorld({ capacity: 8 });
    const entity = world.spawn(Point({ x: 1 }));
    const queries = [world.query(Point), world.query(Point)];
    const prototypes = new Set<unknown>();
    for (let pass = 0; pass < 20; pass++) {
      if (pass === 6 || pass === 15) outgrow(world);
      for (const query of queries) {
        query.update((point) => {
          point.x++;
          prototypes.add(Object.getPrototypeOf(point));
        });
      }
    }
    expect(world.get(entity, Point)).toEqual({ x: 41 });
    expect(prototypes.size).toBe(1);
  });
});
