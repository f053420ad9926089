import { createWorld, type Entity } from "espalier";
import { createHierarchy, Ghost } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import {
  createTransforms2D,
  type InheritMask,
  InheritTransform,
  setInherit,
  setTopLevel,
  Transform2D,
} from "espalier/transform";
import { describe, expect, it } from "vitest";
import { createScene } from "./random-edits.ts";

const QUARTER = Math.PI / 2;

describe("what a child takes over", () => {
  /** A tank that is turned by a quarter and twice as large, and something at (0, 20) on it. */
  function onTank(mask: InheritMask) {
    const scene = createScene();
    const { world, tree, space } = scene;
    const tank = world.spawn(Transform2D({ x: 100, y: 100, rotation: QUARTER, scaleX: 2, scaleY: 2 }));
    const child = tree.attachNew(tank, Transform2D({ x: 0, y: 20, rotation: 0.25, scaleX: 3, scaleY: 3 }));
    setInherit(space, child, mask);
    return { ...scene, tank, child };
  }

  it.each([
    { mask: "all" as const, x: 60, y: 100, rotation: QUARTER + 0.25, scale: 6 },
    { mask: "position" as const, x: 100, y: 120, rotation: 0.25, scale: 3 },
    { mask: { scale: false }, x: 80, y: 100, rotation: QUARTER + 0.25, scale: 3 },
    { mask: { rotation: false }, x: 100, y: 140, rotation: 0.25, scale: 6 },
    { mask: { position: false }, x: 0, y: 20, rotation: QUARTER + 0.25, scale: 6 },
    { mask: { position: false, rotation: false, scale: false }, x: 0, y: 20, rotation: 0.25, scale: 3 },
  ])("is $mask", ({ mask, x, y, rotation, scale }) => {
    const { space, child } = onTank(mask);
    for (const pass of [false, true]) {
      if (pass) space.propagate();
      expect(space.worldX(child)).toBeCloseTo(x, 4);
      expect(space.worldY(child)).toBeCloseTo(y, 4);
      expect(space.worldRotation(child)).toBeCloseTo(rotation, 5);
      expect(space.lossyScale(child).x).toBeCloseTo(scale, 5);
    }
  });

  it("stays when the child gets another parent, is detached and attached again", () => {
    const { world, tree, space, tank, child } = onTank("position");
    const other = world.spawn(Transform2D({ x: 5, rotation: 1 }));
    tree.attach(child, other);
    expect(space.worldOf(child)).toMatchObject({ x: 5, y: 20 });
    expect(space.worldRotation(child)).toBeCloseTo(0.25, 6);
    tree.detach(child);
    tree.attach(child, tank);
    expect(space.worldOf(child)).toMatchObject({ x: 100, y: 120 });
    expect(world.get(child, InheritTransform)).toEqual({
      position: true,
      rotation: false,
      scale: false,
      topLevel: false,
    });
  });

  it("is a component: it can be set, removed and undone", () => {
    const { world, space, child } = onTank("position");
    world.set(child, InheritTransform, { rotation: true });
    expect(space.worldRotation(child)).toBeCloseTo(QUARTER + 0.25, 5);
    const history = createHistory(world);
    world.remove(child, InheritTransform);
    expect(space.lossyScale(child).x).toBeCloseTo(6, 5);
    history.undo();
    expect(space.lossyScale(child).x).toBeCloseTo(3, 5);
    history.redo();
    space.propagate();
    expect(space.lossyScale(child).x).toBeCloseTo(6, 5);
  });

  it("is refused when it is none", () => {
    const { space, child } = onTank("all");
    expect(() => setInherit(space, child, "rotation" as never)).toThrow(
      'Cannot inherit "rotation". Use "all", "position" or { position, rotation, scale }.',
    );
    const tree = createHierarchy(createWorld());
    expect(() => createTransforms2D(tree, { inherit: 7 as never })).toThrow("Cannot inherit 7.");
    expect(() => createTransforms2D(tree, { compose: "quick" as never })).toThrow(
      'Cannot compose transforms by "quick". Use "affine" or "separable".',
    );
  });
});

describe("a space with a mask of its own", () => {
  it("applies it to children that have none: the old rule, follow but do not turn", () => {
    const { world, tree, space } = createScene({ inherit: "position" });
    const tank = world.spawn(Transform2D({ x: 100, y: 100, rotation: QUARTER, scaleX: 2 }));
    const turret = tree.attachNew(tank, space.at(0, 20));
    const barrel = tree.attachNew(turret, space.at(5, 0));
    expect(space.worldOf(turret)).toEqual({ a: 1, b: 0, c: 0, d: 1, x: 100, y: 120 });
    setInherit(space, barrel, "all");
    space.setRotation(turret, QUARTER);
    expect(space.worldY(barrel)).toBeCloseTo(125, 4);
  });

  it("passes everything through entities without a transform", () => {
    const { world, tree, space } = createScene({ inherit: "position" });
    const tank = world.spawn(Transform2D({ x: 100, rotation: QUARTER }));
    const folder = tree.attachNew(tank);
    const barrel = tree.attachNew(folder, space.at(5, 0));
    setInherit(space, barrel, "all");
    expect(space.worldY(barrel)).toBeCloseTo(5, 4);
    world.add(folder, Transform2D);
    expect(space.worldY(barrel)).toBeCloseTo(0, 4);
    world.remove(folder, Transform2D);
    expect(space.worldY(barrel)).toBeCloseTo(5, 4);
    space.propagate();
    expect(space.worldY(barrel)).toBeCloseTo(5, 4);
  });
});

describe("a top-level entity", () => {
  it("ignores its parent's transform and dies with it", () => {
    const { world, tree, space } = createScene();
    const tank = world.spawn(space.at(100, 100, 1));
    const label = tree.attachNew(tank, space.at(3, 4));
    const text = tree.attachNew(label, space.at(1, 0));
    setTopLevel(space, label, true);
    expect(space.worldPosition(label)).toEqual({ x: 3, y: 4 });
    expect(space.worldPosition(text)).toEqual({ x: 4, y: 4 });
    tree.destroy(tank);
    expect(world.isAlive(text)).toBe(false);
  });

  it.each([
    ["its own mask", "position", "all"],
    ["that of its space", undefined, "position"],
  ] as const)("gets %s back when it no longer is one", (_, own, inherit) => {
    const { world, tree, space } = createScene({ inherit });
    const tank = world.spawn(space.at(100, 100, QUARTER));
    const label = tree.attachNew(tank, space.at(3, 4));
    if (own !== undefined) setInherit(space, label, own);
    setTopLevel(space, label, true);
    setTopLevel(space, label, false);
    expect(space.worldPosition(label)).toEqual({ x: 103, y: 104 });
    expect(space.worldRotation(label)).toBe(0);
  });

  it("keeps being one when its mask is set", () => {
    const { world, tree, space } = createScene();
    const tank = world.spawn(space.at(100, 100));
    const label = tree.attachNew(tank, space.at(3, 4));
    setTopLevel(space, label, true);
    setInherit(space, label, "position");
    expect(space.worldPosition(label)).toEqual({ x: 3, y: 4 });
    setTopLevel(space, tank, false);
    expect(world.has(tank, InheritTransform)).toBe(false);
  });
});

describe("ghosts and missing transforms", () => {
  it("pass the ancestors' transform through", () => {
    const { world, tree, space } = createScene();
    const tank = world.spawn(space.at(100, 100, QUARTER));
    const folder = tree.attachNew(tank);
    const ghost = tree.attachNew(folder, space.at(50, 50, 1), Ghost);
    const lamp = tree.attachNew(ghost, space.at(0, 20));
    for (const pass of [false, true]) {
      if (pass) space.propagate();
      expect(space.worldX(lamp)).toBeCloseTo(80, 4);
      expect(space.worldOf(ghost)).toEqual(space.worldOf(tank));
      expect(space.worldOf(folder)).toEqual(space.worldOf(tank));
    }
    world.remove(ghost, Ghost);
    expect(space.worldX(lamp)).not.toBeCloseTo(80, 1);
    world.add(ghost, Ghost);
    expect(space.worldX(lamp)).toBeCloseTo(80, 4);
  });

  it("lose their values when the component is removed: one added later starts with defaults", () => {
    const { world, space } = createScene();
    const e = world.spawn(Transform2D({ x: 5, rotation: 1, scaleX: 3, skew: 2 }));
    world.remove(e, Transform2D);
    expect(space.worldOf(e)).toEqual({ a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 });
    expect(space.localOf(e)).toMatchObject({ x: 0, scaleX: 1, skew: 0 });
    world.add(e, Transform2D);
    expect(space.worldOf(e)).toEqual({ a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 });
    const next = (entity: Entity) => space.localOf(entity).x;
    world.destroy(e);
    expect(next(world.spawn())).toBe(0);
  });
});
