import { createWorld, type Entity } from "espalier";
import { createHierarchy, Ghost } from "espalier/hierarchy";
import { createTransforms3D, Transform3D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
const wild = fc.constantFrom(0, 1e-310, 1e-160, 1e160, -1);
const entry = fc.record({
  parent: fc.nat(),
  kind: fc.nat(9),
  values: fc.array(fc.oneof({ weight: 9, arbitrary: number }, wild), { minLength: 10, maxLength: 10 }),
});

describe("the pass in space", () => {
  it("gives the same bits as a single read, also among ghosts, masks and entities without a transform", () => {
    property(fc.array(entry, { minLength: 1, maxLength: 40 }), (entries) => {
      const world = createWorld();
      const tree = createHierarchy(world);
      const space = createTransforms3D(tree, { onWarn: () => {} });
      const entities: Entity[] = [];
      for (const { parent, kind, values } of entries) {
        const [x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ] = values as [
          number,
          number,
          number,
          number,
          number,
          number,
          number,
          number,
          number,
          number,
        ];
        const above = entities[parent % (entities.length + 1)] ?? null;
        const init = Transform3D({ x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ });
        const entity = kind === 0 ? tree.attachNew(above) : tree.attachNew(above, init);
        if (kind === 1) world.add(entity, Ghost);
        if (kind === 2) space.setInherit(entity, "position");
        if (kind === 3) space.setTopLevel(entity, true);
        entities.push(entity);
      }
      const single = entities.map((entity) => [...space.worldOf(entity)]);
      expect(space.propagate()).toBe(entities.length);
      expect(entities.map((entity) => [...space.worldOf(entity)])).toEqual(single);
    });
  });

  it("follows components that come and go between two passes", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms3D(tree);
    const top = world.spawn(space.at(1, 0, 0));
    const child = tree.attachNew(top, space.at(1, 0, 0));
    const leaf = tree.attachNew(child, space.at(1, 0, 0));
    const x = () => {
      space.propagate();
      return space.worlds[space.worldRowOf(leaf) + 9];
    };
    expect(x()).toBe(3);
    world.remove(child, Transform3D);
    expect(x()).toBe(2);
    world.add(top, Ghost);
    expect(x()).toBe(1);
    world.add(child, Transform3D({ x: 5 }));
    expect(x()).toBe(6);
    space.setTopLevel(leaf, true);
    expect(x()).toBe(1);
  });
});
