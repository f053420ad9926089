import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D, createTransforms3D } from "espalier/transform";
import { describe, expect, it } from "vitest";

/** Every public member of an object, also of its classes. */
function membersOf(object: object): string[] {
  const names = new Set<string>(Object.keys(object));
  for (let at = Object.getPrototypeOf(object); at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  names.delete("constructor");
  return [...names].sort();
}

function createSpaces() {
  const world = createWorld();
  const tree = createHierarchy(world);
  return {
    world,
    tree,
    plane: createTransforms2D(tree),
    solid: createTransforms3D(tree, { name: "solid" }),
  };
}

describe("spaces in 2D and 3D", () => {
  it("have the same calls, but for z and the value above all roots", () => {
    const { plane, solid } = createSpaces();
    const [two, three] = [membersOf(plane), membersOf(solid)];
    // Private ones that only one of them needs.
    const own = ["isSeparable", "recordOf", "turnAxis", "setWorldAxes"];
    expect(two.filter((name) => !three.includes(name) && !own.includes(name))).toEqual([]);
    expect(three.filter((name) => !two.includes(name) && !own.includes(name))).toEqual(["setRoot", "worldZ"]);
  });

  it("are two classes deep at most", () => {
    for (const space of Object.values(createSpaces()).slice(2)) {
      let depth = 0;
      for (let at = Object.getPrototypeOf(space); at !== Object.prototype; at = Object.getPrototypeOf(at))
        depth++;
      expect(depth).toBe(2);
    }
  });

  it("take back what localOf gives", () => {
    const { world, plane, solid } = createSpaces();
    const flat = world.spawn(plane.component({ x: 1, rotation: 2, scaleX: 3, skew: 0.5 }));
    const deep = world.spawn(solid.component({ z: 1, qx: 0.6, qw: 0.8, scaleY: 3 }));
    const other = world.spawn(plane.at(0, 0), solid.at(0, 0, 0));
    for (const [space, entity] of [
      [plane, flat],
      [solid, deep],
    ] as const) {
      const local = space.localOf(entity);
      space.setLocal(entity, local as never);
      expect(space.localOf(entity)).toEqual(local);
      space.setLocal(other, local as never);
      expect(space.localOf(other)).toEqual(local);
    }
  });
});
