import { component, createWorld, f32, type World } from "espalier";
import { createHierarchy, createUpHierarchy, depthLimit } from "espalier/hierarchy";
import {
  createTransforms2D,
  createTransforms3D,
  InvalidSpaceError,
  rawTransforms,
  Transform2D,
} from "espalier/transform";
import { describe, expect, it, vi } from "vitest";
import { refused } from "../testing.ts";
import { createScene } from "./random-edits.ts";

const Shadow2D = component("Shadow2D", {
  x: f32(0),
  y: f32(0),
  rotation: f32(0),
  scaleX: f32(1),
  scaleY: f32(1),
  skew: f32(0),
});

describe("two spaces", () => {
  it("of one tree keep values of their own", () => {
    const { world, tree, space } = createScene();
    const shadows = createTransforms2D(tree, { component: Shadow2D, name: "shadow", inherit: "position" });
    const tank = world.spawn(Transform2D({ x: 10, rotation: 1 }), Shadow2D({ x: 12, rotation: 1 }));
    const turret = tree.attachNew(tank, Transform2D({ x: 5 }), Shadow2D({ x: 5 }));
    expect(space.worldX(turret)).toBeCloseTo(10 + 5 * Math.cos(1), 5);
    expect(shadows.worldX(turret)).toBe(17);
    tree.detach(turret, { keep: "shadow" });
    expect(shadows.worldX(turret)).toBe(17);
    expect(space.worldX(turret)).toBe(5);
    space.propagate();
    shadows.propagate();
    shadows.setPosition(tank, 0, 0);
    expect([space.isClean, shadows.isClean]).toEqual([true, false]);
  });

  it("of one tree cannot mean the same by keep: world", () => {
    const { tree } = createScene();
    expect(() => createTransforms2D(tree, { component: Shadow2D })).toThrow(
      'Cannot create transforms named "world": tree has a space of that name already, and { keep: "world" } can mean only one. Give the second another: { name: "shadow" }.',
    );
  });

  it("in two and in three dimensions share a tree", () => {
    const { world, tree, space } = createScene();
    const solid = createTransforms3D(tree, { name: "solid" });
    const tank = world.spawn(space.at(1, 2), solid.at(3, 4, 5));
    const turret = tree.attachNew(tank, space.at(1, 0), solid.at(0, 0, 1));
    expect(space.worldPosition(turret)).toEqual({ x: 2, y: 2 });
    expect(solid.worldPosition(turret)).toEqual({ x: 3, y: 4, z: 6 });
  });

  it("of two trees follow each its own links", () => {
    const world = createWorld();
    const scene = createHierarchy(world);
    const rig = createHierarchy(world, { name: "rig" });
    const space = createTransforms2D(scene);
    const bones = createTransforms2D(rig, { component: Shadow2D });
    const [a, b] = [1, 2].map((x) => world.spawn(Transform2D({ x }), Shadow2D({ x })));
    scene.attach(b!, a!);
    expect([space.worldX(b!), bones.worldX(b!)]).toEqual([3, 2]);
    rig.attach(a!, b!);
    expect([space.worldX(a!), bones.worldX(a!)]).toEqual([1, 3]);
    scene.detach(b!, { keep: "world" });
    expect([space.worldX(b!), bones.worldX(b!)]).toEqual([3, 2]);
    rig.destroy(b!);
    expect(world.count).toBe(0);
  });

  it("of two worlds are not merged", () => {
    const [one, other] = [createScene(), createScene()];
    const a = one.world.spawn(one.space.at(1, 1));
    const b = other.world.spawn(other.space.at(2, 2));
    one.space.setPosition(a, 5, 5);
    expect(other.space.worldX(b)).toBe(2);
  });

  it("say what to do when the world uses their component already", () => {
    let trees = 0;
    const create = (world: World) => () =>
      createTransforms2D(createHierarchy(world, { name: `t${trees++}` }));
    const spawned = createWorld();
    spawned.spawnMany(2, Transform2D);
    expect(refused(spawned, create(spawned))).toBeInstanceOf(InvalidSpaceError);
    const after = ". Create the space first, right after the hierarchy.";
    expect(create(spawned)).toThrow(
      `Cannot create transforms of Transform2D: this world uses Transform2D already, because 2 of its entities have one (the first is #1)${after}`,
    );
    const queried = createWorld();
    queried.query(Transform2D);
    expect(create(queried)).toThrow(
      `Cannot create transforms of Transform2D: this world uses Transform2D already, because a query, a reader or an observer of it was made${after}`,
    );
    const twice = createScene();
    expect(() => createTransforms2D(twice.tree)).toThrow(
      "Cannot create transforms of Transform2D: a space of this world has it already. Use that one, or give the second a component of its own: { component, name }.",
    );
    const solid = createScene();
    createTransforms3D(solid.tree, { name: "solid" });
    expect(() => createTransforms3D(solid.tree, { name: "other" })).toThrow(
      "Cannot create transforms of Transform3D: a space of this world has it already.",
    );
  });

  it("refuse a component without their fields, and a tree that knows parents only", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const Half = component("Half", { x: f32(0), y: f32(0) });
    expect(() => createTransforms2D(tree, { component: Half as never })).toThrow(
      "Cannot create transforms of Half: it must be a component whose fields x, y, rotation, scaleX, scaleY, skew are f32.",
    );
    const links = createUpHierarchy(world);
    for (const create of [createTransforms2D, createTransforms3D]) {
      expect(() => create(links as never)).toThrow(
        "Cannot compute values along links: it knows parents only (upLinks), so it has no order from parents to children. Use createHierarchy().",
      );
      expect(() => create(null as never)).toThrow("what was given is not a hierarchy");
    }
  });

  it("leave nothing behind when one is refused", () => {
    const { world, tree } = createScene();
    expect(() => createTransforms2D(tree, { component: Shadow2D })).toThrow(InvalidSpaceError);
    const shadows = createTransforms2D(tree, { component: Shadow2D, name: "shadow" });
    const tank = world.spawn(Shadow2D({ x: 1 }));
    expect(shadows.worldX(tank)).toBe(1);
  });
});

describe("raw records", () => {
  it("can be written by row, and touched one by one or all at once", () => {
    const { world, tree, space } = createScene();
    const tank = world.spawn(space.at(0, 0));
    const turret = tree.attachNew(tank, space.at(1, 0));
    space.propagate();
    const { locals } = rawTransforms(space);
    locals.set([5, 6, Math.PI / 2, 2, 2, 0], rawTransforms(space).rowOf(tank));
    rawTransforms(space).touch(tank);
    expect(space.worldX(turret)).toBeCloseTo(5, 5);
    expect(space.worldY(turret)).toBeCloseTo(8, 5);
    locals[rawTransforms(space).rowOf(turret)] = 2;
    rawTransforms(space).touchAll({ only: "position" });
    expect(space.worldY(turret)).toBeCloseTo(10, 5);
    space.propagate();
    expect(rawTransforms(space).worlds[rawTransforms(space).worldRowOf(turret) + 5]).toBeCloseTo(10, 5);
    expect(rawTransforms(space).rowOf(turret) % rawTransforms(space).localWidth).toBe(0);
    expect(world.get(tank, Transform2D)).toMatchObject({ x: 5, y: 6, scaleX: 2 });
  });
});

describe("help while developing", () => {
  it("does not warn of a transform below folders, which have none", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const tree = createHierarchy(createWorld());
    const flat = createTransforms2D(tree);
    const solid = createTransforms3D(tree, { name: "solid" });
    const folder = tree.attachNew(tree.attachNew(null));
    const [lamp, cube] = [tree.attachNew(folder, flat.at(1, 1)), tree.attachNew(folder, solid.at(1, 1, 1))];
    flat.propagate();
    solid.propagate();
    // Moving the folder gives it a transform, and what is below follows.
    flat.setPosition(folder, 10, 0);
    expect([flat.worldPosition(lamp).x, solid.worldPosition(cube).x]).toEqual([11, 1]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it("warns of trees that get too deep, once per root", () => {
    const world = createWorld();
    const warnings: string[] = [];
    const tree = createHierarchy(world, {
      limits: depthLimit({ warn: 2 }),
      onWarn: (message) => warnings.push(message),
    });
    const space = createTransforms2D(tree);
    for (let root = 0; root < 2; root++) {
      let parent = world.spawn(space.at(0, 0));
      for (let depth = 1; depth < 6; depth++) parent = tree.attachNew(parent, space.at(0, 1));
      expect(space.worldY(parent)).toBe(5);
    }
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain("got more than 2 levels");
  });
});
