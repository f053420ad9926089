import { createWorld, inspect } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  Active,
  activity,
  createInherited,
  HIDDEN,
  Visibility,
  visibility,
  ZIndex,
  zIndex,
} from "espalier/inherit";
import { createTransforms2D, createTransforms3D, Transform3D } from "espalier/transform";
import { expect, it } from "vitest";

it("an inspected entity shows what its rooms compute: world transform, visibility, activity, z, path and depth", () => {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  createInherited(tree, visibility);
  createInherited(tree, activity);
  createInherited(tree, zIndex);
  const tank = world.spawn(
    space.at(10, 20),
    Visibility({ mode: HIDDEN }),
    ZIndex({ z: 3 }),
    Active({ on: false }),
  );
  const turret = tree.attachNew(tank, space.at(1, 2), ZIndex({ z: 4 }));
  const bare = tree.attachNew(turret);
  tree.setName(tank, "tank");
  tree.setName(turret, "turret");
  const computed = (entity: typeof tank) =>
    Object.fromEntries(inspect(world, entity).computed.map(({ name, value }) => [name, value]));
  expect(computed(turret)).toEqual({
    depth: 1,
    path: "/tank/turret",
    "world transform": { a: 1, b: 0, c: 0, d: 1, x: 11, y: 22 },
    visibility: false,
    activity: false,
    zIndex: 7,
  });
  expect(Object.keys(computed(bare))).not.toContain("world transform");
});

it("values of a second tree or space are distinguished by its name", () => {
  const world = createWorld();
  const first = createHierarchy(world);
  createTransforms2D(first);
  const second = createHierarchy(world, { name: "menu" });
  createTransforms3D(second);
  const entity = second.attachNew(second.attachNew(null), Transform3D({ x: 4 }));
  const { computed } = inspect(world, entity);
  expect(computed.map(({ name }) => name)).toEqual([
    "depth",
    "path",
    "depth (menu)",
    "path (menu)",
    "world transform (menu)",
  ]);
  expect(computed.find(({ name }) => name === "depth (menu)")?.value).toBe(1);
});
