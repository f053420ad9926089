import { component, createWorld, f32, not, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  createTransforms2D,
  createTransforms3D,
  InvalidTransformError,
  Transform2D,
  Transform3D,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes } from "../testing.ts";

const Sprite = component("Sprite", { size: f32(1) });
const Frozen = tag("Frozen");

describe.each(modes)("the world transform as a query term ($mode)", ({ generate }) => {
  it("agrees with worldOf in every pass, whatever happened before it", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(6), fc.nat(50), fc.nat(50)), { maxLength: 60 }), (steps) => {
        const world = createWorld({ generate, capacity: 4 });
        const tree = createHierarchy(world);
        const space = createTransforms2D(tree);
        const query = world.query(Sprite, not(Frozen), space.world);
        world.spawn(space.at(1, 2), Sprite);
        for (const [what, a, b] of steps) {
          if (world.count === 0) world.spawn(space.at(1, 2), Sprite);
          const all = world.entities();
          const one = all[a % all.length]!;
          const other = all[b % all.length]!;
          if (what === 0) tree.attachNew(one, space.at(b, a, a / 10), Sprite);
          else if (what === 1) world.spawnMany(a % 7, Transform2D({ x: b, rotation: a }), Sprite);
          else if (what === 2 && tree.canAttach(one, other)) tree.attach(one, other);
          else if (what === 3) space.setPosition(one, a, b);
          else if (what === 4 && all.length > 1) world.destroy(one);
          else if (what === 5) world.add(one, Frozen);
          else space.setRotation(one, a);
          let visited = 0;
          query.each((entity, _sprite, at) => {
            const right = space.worldOf(entity);
            expect([at.a, at.b, at.c, at.d, at.x, at.y]).toEqual([
              right.a,
              right.b,
              right.c,
              right.d,
              right.x,
              right.y,
            ]);
            visited++;
          });
          let updated = 0;
          query.update((_sprite, at) => {
            updated += at.x + at.y < Number.POSITIVE_INFINITY ? 1 : 0;
          });
          expect([visited, updated]).toEqual([query.count(), query.count()]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("gives rotation and scale, and is read-only", () => {
    const world = createWorld({ generate });
    const space = createTransforms2D(createHierarchy(world));
    world.spawn(Transform2D({ rotation: 0.5, scaleX: 2, scaleY: -3 }));
    for (let pass = 0; pass < 8; pass++) {
      world.query(space.world).update((at) => {
        expect(at.rotation).toBeCloseTo(0.5);
        expect(at.scaleX).toBeCloseTo(2);
        expect(at.scaleY).toBeCloseTo(-3);
        expect(() => {
          (at as { x: number }).x = 5;
        }).toThrow(InvalidTransformError);
      });
    }
  });

  it("agrees with worldOf in three dimensions, and is read-only", () => {
    const world = createWorld({ generate, capacity: 4 });
    const tree = createHierarchy(world);
    const space = createTransforms3D(tree);
    const query = world.query(Sprite, space.world);
    let parent = world.spawn(Transform3D({ x: 1, qz: 0.6, qw: 0.8, scaleX: 2 }), Sprite);
    for (let k = 0; k < 30; k++) {
      const child = tree.attachNew(parent, Transform3D({ x: k, z: 1, qx: 0.6, qw: 0.8 }), Sprite);
      if (k % 3 === 0) parent = child;
      space.setPosition(child, k, k, 2);
      let visited = 0;
      query.each((entity, _sprite, at) => {
        const { xx, xy, xz, yx, yy, yz, zx, zy, zz, x, y, z } = at;
        expect([xx, xy, xz, yx, yy, yz, zx, zy, zz, x, y, z]).toEqual([...space.worldOf(entity)]);
        expect(at.rotation).toEqual(space.worldRotation(entity));
        expect(at.scale).toMatchObject({ x: space.lossyScale(entity).x });
        visited++;
      });
      expect(visited).toBe(k + 2);
    }
    query.update((_sprite, at) => {
      expect(() => {
        (at as { z: number }).z = 5;
      }).toThrow("Cannot set Transform3D in the world.z: world transforms are computed.");
    });
  });
});
