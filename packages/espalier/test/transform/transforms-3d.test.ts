import { createWorld, type Entity } from "espalier";
import { createHierarchy, Ghost } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import {
  createTransforms3D,
  InheritTransform,
  InvalidTransformError,
  SingularTransformError,
  type SpaceOptions,
  setInherit,
  setTopLevel,
  Transform3D,
  type Transforms3D,
  UnrepresentableTransformError,
  worldMatrix4,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, refused } from "../testing.ts";

const QUARTER = Math.PI / 2;

/** A 4x4 matrix as rows. */
type Matrix = number[][];

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + value * b[k]!, 0);
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** 1, or -1 for a mirrored world transform. */
function handedness(m: ArrayLike<number>): number {
  const [a, b, c, d, e, f, g, h, i] = Array.from(m) as [
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
  return Math.sign(a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e));
}

function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) =>
    b[0]!.map((_, column) => row.reduce((sum, value, k) => sum + value * b[k]![column]!, 0)),
  );
}

/** Position, rotation and scale as three matrices, multiplied the naive way. */
function localMatrix(space: Transforms3D, entity: Entity): Matrix {
  const local = space.localOf(entity);
  const { qx, qy, qz, qw } = local;
  const length = Math.hypot(qx, qy, qz, qw) || 1;
  const [x, y, z, w] = [qx / length, qy / length, qz / length, qw / length] as const;
  const turn = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 0],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 0],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), 0],
    [0, 0, 0, 1],
  ];
  const move = [
    [1, 0, 0, local.x],
    [0, 1, 0, local.y],
    [0, 0, 1, local.z],
    [0, 0, 0, 1],
  ];
  const size = [
    [local.scaleX, 0, 0, 0],
    [0, local.scaleY, 0, 0],
    [0, 0, local.scaleZ, 0],
    [0, 0, 0, 1],
  ];
  return multiply(multiply(move, turn), size);
}

function slowWorld(space: Transforms3D, entity: Entity): Matrix {
  const { tree } = space;
  let world: Matrix = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((column) => (row === column ? 1 : 0)));
  for (const e of [...tree.ancestors(entity, { includeSelf: true })].reverse()) {
    if (!tree.world.has(e, Transform3D) || tree.world.has(e, Ghost)) continue;
    world = multiply(world, localMatrix(space, e));
  }
  return world;
}

function expectMatrix(space: Transforms3D, entity: Entity, expected: Matrix): void {
  const matrix = worldMatrix4(space, entity, new Float64Array(16));
  const size = Math.max(1, ...expected.flat().map(Math.abs));
  expected.forEach((row, r) => {
    row.forEach((value, c) => {
      expect(Math.abs(matrix[c * 4 + r]! - value) / size, `row ${r}, column ${c}`).toBeLessThan(1e-9);
    });
  });
}

function createScene(options?: SpaceOptions) {
  const world = createWorld({ capacity: 4 });
  const tree = createHierarchy(world);
  return { world, tree, space: createTransforms3D(tree, options) };
}

/** None so small that proportions are lost. */
const number = fc
  .double({ min: -5, max: 5, noNaN: true })
  .map((value) => (Math.abs(value) < 1e-9 ? 0 : value));
const size = fc.constantFrom(1, 0.5, 2, -1);
const local = fc.record({
  x: number,
  y: number,
  z: number,
  qx: number,
  qy: number,
  qz: number,
  qw: number,
  scaleX: size,
  scaleY: size,
  scaleZ: size,
});

function near(actual: object, expected: object, digits = 6): void {
  for (const [key, value] of Object.entries(expected))
    expect((actual as { [key: string]: number })[key], key).toBeCloseTo(value as number, digits);
}

describe("3D transforms", () => {
  it("read the product of the local matrices, before and after a pass, after any edits", () => {
    const step = fc.record({ child: fc.nat(), parent: fc.nat(), local, kind: fc.nat({ max: 6 }) });
    property(
      fc.array(step, { maxLength: 40 }),
      (steps) => {
        const scene = createScene();
        const { world, tree, space } = scene;
        for (const { child, parent, local, kind } of steps) {
          const all = world.entities();
          const [e, above] = [all[child % all.length], all[parent % all.length]];
          if (kind < 2 || e === undefined || above === undefined)
            tree.attachNew(above ?? null, ...(kind === 0 ? [] : [Transform3D(local)]));
          else if (kind === 2) space.setLocal(e, local);
          else if (kind === 3 && tree.canAttach(e, above)) tree.attach(e, above);
          else if (kind === 4) tree.detach(e);
          else if (kind === 5) world.has(e, Ghost) ? world.remove(e, Ghost) : world.add(e, Ghost);
          else space.propagate();
          for (const entity of world.entities()) expectMatrix(space, entity, slowWorld(space, entity));
        }
        const lazy = world.entities().map((entity) => space.worldOf(entity));
        space.propagate();
        expect(world.entities().map((entity) => space.worldOf(entity))).toEqual(lazy);
      },
      80,
    );
  });

  it("turn about an axis: about z from +x towards +y", () => {
    const { world, tree, space } = createScene();
    const crane = world.spawn(space.at(10, 0, 0));
    const hook = tree.attachNew(crane, space.at(4, 0, 0));
    space.setRotation(crane, 0, 0, 5, QUARTER);
    near(space.worldPosition(hook), { x: 10, y: 4, z: 0 });
    space.rotate(crane, 1, 0, 0, QUARTER);
    near(space.worldPosition(hook), { x: 10, y: 0, z: 4 });
    space.translate(crane, 1, 2, 3);
    near(space.worldPosition(hook), { x: 11, y: 2, z: 7 });
    near({ x: space.worldX(hook), y: space.worldY(hook), z: space.worldZ(hook) }, space.worldPosition(hook));
    const error = refused(world, () => space.setRotation(crane, 0, 0, 0, 1));
    expect(error).toBeInstanceOf(InvalidTransformError);
    expect(error.message).toContain("Cannot turn #1 about an axis without a direction (0, 0, 0).");
  });

  it("give a matrix for WebGL", () => {
    const { world, tree, space } = createScene();
    const crane = world.spawn(space.at(1, 2, 3));
    const hook = tree.attachNew(crane);
    space.setPosition(hook, 1, 0, 0);
    expect(space.localOf(hook)).toMatchObject({ x: 1, y: 0, z: 0 });
    expect(space.worldPosition(hook)).toEqual({ x: 2, y: 2, z: 3 });
    expect([...space.worldOf(hook)]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 2, 3]);
    expect([...worldMatrix4(space, hook)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 2, 3, 1]);
    expect(worldMatrix4(space, hook)).toBeInstanceOf(Float32Array);
  });

  it("go from points and directions to the world and back", () => {
    property(fc.record({ a: local, b: local, x: number, y: number, z: number }), ({ a, b, x, y, z }) => {
      const { world, tree, space } = createScene();
      const e = tree.attachNew(world.spawn(Transform3D(a)), Transform3D(b));
      const there = space.localToWorld(e, x, y, z);
      near(space.worldToLocal(e, there.x, there.y, there.z), { x, y, z }, 5);
      const way = space.localToWorldDirection(e, x, y, z);
      near(space.worldToLocalDirection(e, way.x, way.y, way.z), { x, y, z }, 5);
      const origin = space.worldPosition(e);
      near({ x: there.x - origin.x, y: there.y - origin.y, z: there.z - origin.z }, way, 5);
    });
  });

  it("give rotation, scale and how far from right angles the world is", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(0, 0, 0));
    space.setScale(parent, 1, 2, 3);
    const child = tree.attachNew(parent, space.at(0, 0, 0));
    expect(space.lossyScale(child)).toEqual({ x: 1, y: 2, z: 3, residue: 0 });
    space.setRotation(child, 0, 0, 1, QUARTER / 2);
    expect(space.lossyScale(child).residue).toBeGreaterThan(0.1);
    space.setScale(parent, -1, 1, 1);
    space.setRotation(child, 0, 0, 1, 0);
    expect(space.lossyScale(child)).toEqual({ x: -1, y: 1, z: 1, residue: 0 });
    near(space.worldRotation(child), { qx: 0, qy: 0, qz: 0, qw: 1 });
  });
});

describe("what is written in world values in 3D", () => {
  const even = fc
    .record({ x: number, y: number, z: number, qx: number, qy: number, qz: number, qw: number, scale: size })
    .map(({ scale, ...values }) => ({ ...values, scaleX: scale, scaleY: scale, scaleZ: scale }));

  it("is what is read then, under parents of even scale", () => {
    property(
      fc.record({ a: even, b: even, own: local, x: number, y: number, z: number }),
      ({ a, b, own, x, y, z }) => {
        const { world, tree, space } = createScene();
        const parent = tree.attachNew(world.spawn(Transform3D(a)), Transform3D(b));
        const e = tree.attachNew(parent, Transform3D(own));
        space.setWorldPosition(e, x, y, z);
        near(space.worldPosition(e), { x, y, z });
        const rotation = { qx: 0.5, qy: -0.5, qz: 0.5, qw: 0.5 };
        space.setWorldRotation(e, rotation);
        const now = space.worldRotation(e);
        expect(Math.abs(now.qx * 0.5 - now.qy * 0.5 + now.qz * 0.5 + now.qw * 0.5)).toBeCloseTo(1, 6);
        near(space.worldPosition(e), { x, y, z });
        space.lookAt(e, x + 1, y + 2, z + 2);
        const axis = space.localToWorldDirection(e, 1, 0, 0);
        const length = Math.hypot(axis.x, axis.y, axis.z);
        near(
          { x: axis.x / length, y: axis.y / length, z: axis.z / length },
          { x: 1 / 3, y: 2 / 3, z: 2 / 3 },
        );
        const turned = space.worldRotation(e);
        space.setWorldScale(e, 2, 3, 4);
        near(space.lossyScale(e), { x: 2, y: 3, z: 4 });
        near(space.worldPosition(e), { x, y, z });
        const { qx, qy, qz, qw } = space.worldRotation(e);
        expect(Math.abs(qx * turned.qx + qy * turned.qy + qz * turned.qz + qw * turned.qw)).toBeCloseTo(1, 6);
        space.setWorldScale(e, 0.5);
        near(space.lossyScale(e), { x: 0.5, y: 0.5, z: 0.5 });
        const wanted = [0, 2, 0, -2, 0, 0, 0, 0, 2, 7, 8, 9];
        space.setWorld(e, wanted);
        expect(space.worldOf(e).every((value, k) => Math.abs(value - wanted[k]!) < 1e-9)).toBe(true);
      },
    );
  });

  it("is a rotation and nothing else where an entity is turned to look, whatever the signs of its scale", () => {
    const sign = fc.constantFrom(-1, 1);
    const away = fc.record({ x: number, y: number, z: number });
    property(
      fc.record({
        a: even,
        b: even,
        own: even,
        signs: fc.tuple(sign, sign, sign),
        away,
        up: away,
        isTop: fc.boolean(),
      }),
      ({ a, b, own, signs, away, up, isTop }) => {
        const { world, tree, space } = createScene();
        const parent = tree.attachNew(world.spawn(Transform3D(a)), Transform3D(b));
        const [scaleX, scaleY, scaleZ] = signs.map((each, k) => each * own.scaleX * (k + 1));
        const e = tree.attachNew(parent, Transform3D({ ...own, scaleX, scaleY, scaleZ }));
        if (isTop) setTopLevel(space, e, true);
        const before = { local: space.localOf(e), world: space.worldOf(e) };
        const at = space.worldPosition(e);
        const ahead = unit([away.x, away.y, away.z]);
        const along = dot([up.x, up.y, up.z], ahead);
        const across = [up.x - along * ahead[0]!, up.y - along * ahead[1]!, up.z - along * ahead[2]!];
        if (Math.hypot(...Object.values(away)) < 0.1 || Math.hypot(...across) < 0.1) return;
        space.lookAt(e, at.x + away.x, at.y + away.y, at.z + away.z, up);
        const now = { local: space.localOf(e), world: space.worldOf(e) };
        const { qx: _x, qy: _y, qz: _z, qw: _w, ...rest } = now.local;
        // Under a mirrored parent the signs may be others.
        if (isTop || a.scaleX * b.scaleX > 0) expect(before.local).toMatchObject(rest);
        const axes = (m: Float64Array) => [0, 3, 6].map((k) => [...m.slice(k, k + 3)]);
        const [x, , z] = axes(now.world) as [number[], number[], number[]];
        for (const k of [0, 1, 2]) {
          expect(unit(x)[k]).toBeCloseTo(ahead[k]!, 5);
          expect(unit(z)[k]).toBeCloseTo(unit(across)[k]!, 4);
          const [length, former] = [now, before].map((each) => Math.hypot(...axes(each.world)[k]!));
          expect(length).toBeCloseTo(former!, 3);
        }
        expect(handedness(now.world)).toBe(handedness(before.world));
      },
    );
  });

  it("is a rotation with a new scale where an entity under an uneven parent is turned to look", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(Transform3D({ scaleX: 2, scaleY: 1, scaleZ: 1 }));
    const e = tree.attachNew(parent, Transform3D({ scaleX: 3, scaleY: 3, scaleZ: 3 }));
    space.lookAt(e, 0, 5, 0);
    near(space.localToWorldDirection(e, 1, 0, 0), { x: 0, y: 6, z: 0 });
    near(space.localToWorldDirection(e, 0, 1, 0), { x: -3, y: 0, z: 0 });
    near(space.localToWorldDirection(e, 0, 0, 1), { x: 0, y: 0, z: 3 });
    const { scaleX, scaleY, scaleZ } = space.localOf(e);
    near({ scaleX, scaleY, scaleZ }, { scaleX: 6, scaleY: 1.5, scaleZ: 3 });
  });

  it("looks with the z axis up, or as near to another direction as it can", () => {
    const { world, space } = createScene();
    const e = world.spawn(space.at(0, 0, 0));
    space.lookAt(e, 0, 5, 0);
    near(space.localToWorldDirection(e, 0, 0, 1), { x: 0, y: 0, z: 1 });
    space.lookAt(e, 0, 0, 5, { x: 0, y: 1, z: 0 });
    near(space.localToWorldDirection(e, 1, 0, 0), { x: 0, y: 0, z: 1 });
    near(space.localToWorldDirection(e, 0, 0, 1), { x: 0, y: 1, z: 0 });
    // Straight up there is no nearest; any will do.
    space.lookAt(e, 0, 0, 5);
    near(space.localToWorldDirection(e, 1, 0, 0), { x: 0, y: 0, z: 1 });
    const before = space.localOf(e);
    space.lookAt(e, 0, 0, 0);
    expect(space.localOf(e)).toEqual(before);
  });

  it("is refused with the residue where it would need shear, and nothing has changed", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(1, 0, 0));
    tree.setName(parent, "wide");
    space.setScale(parent, 1, 2, 1);
    const child = world.spawn(space.at(0, 0, 0));
    space.setRotation(child, 0, 0, 1, QUARTER / 2);
    const error = refused(world, () => tree.attach(child, parent, { keep: "world" }));
    expect(error).toBeInstanceOf(UnrepresentableTransformError);
    expect(error.message).toContain(
      "Cannot place #2 under wide#1: position, rotation and scale cannot express it, because its axes are not at right angles (off by 0.",
    );
    expect((error as UnrepresentableTransformError).residue).toBeGreaterThan(0.1);
    expect((error as UnrepresentableTransformError).entities).toEqual([child, parent]);
    expect(tree.parentOf(child)).toBe(null);
    tree.attach(child, parent);
    space.setWorldPosition(child, 5, 5, 5);
    near(space.worldPosition(child), { x: 5, y: 5, z: 5 });
  });

  it("is refused under a parent of scale 0", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(1, 0, 0));
    space.setScale(parent, 1, 0, 1);
    const child = world.spawn(space.at(0, 0, 0));
    expect(refused(world, () => tree.attach(child, parent, { keep: "world" }))).toBeInstanceOf(
      SingularTransformError,
    );
    tree.attach(child, parent);
    for (const change of [
      () => space.setWorldPosition(child, 1, 1, 1),
      () => space.setWorld(child, space.worldOf(child)),
      () => space.worldToLocal(child, 0, 0, 0),
      () => space.worldToLocalDirection(child, 0, 0, 0),
    ])
      expect(refused(world, change)).toBeInstanceOf(SingularTransformError);
    setInherit(space, child, "position");
    space.setWorldPosition(child, 1, 1, 1);
    near(space.worldPosition(child), { x: 1, y: 1, z: 1 });
  });

  it("is refused for ghosts; what they hold is kept", () => {
    const { world, tree, space } = createScene();
    const ghost = world.spawn(Ghost);
    const lamp = tree.attachNew(ghost, space.at(1, 1, 1));
    expect(refused(world, () => space.setWorldPosition(ghost, 0, 0, 0)).message).toContain("it is a ghost");
    const parent = world.spawn(space.at(5, 5, 5));
    tree.attach(ghost, parent, { keep: "world" });
    near(space.worldPosition(lamp), { x: 1, y: 1, z: 1 });
  });

  it("is kept by attach and detach, and undone in one step", () => {
    property(fc.record({ a: even, own: local }), ({ a, own }) => {
      const { world, tree, space } = createScene();
      const parent = world.spawn(Transform3D(a));
      const child = world.spawn(Transform3D(own));
      const before = [...space.worldOf(child)];
      const history = createHistory(world);
      history.step("Move in", () => tree.attach(child, parent, { keep: "world" }));
      expect(space.worldOf(child).every((value, k) => Math.abs(value - before[k]!) < 1e-9)).toBe(true);
      history.undo();
      expect([...space.worldOf(child)]).toEqual(before);
      history.redo();
      tree.detach(child, { keep: "world" });
      expect(space.worldOf(child).every((value, k) => Math.abs(value - before[k]!) < 1e-9)).toBe(true);
    });
  });
});

describe("masks in 3D", () => {
  it.each([
    { mask: "all" as const, position: { x: 10, y: 8, z: 0 }, axis: { x: 0, y: 6, z: 0 } },
    { mask: "position" as const, position: { x: 14, y: 0, z: 0 }, axis: { x: 3, y: 0, z: 0 } },
    { mask: { scale: false }, position: { x: 10, y: 4, z: 0 }, axis: { x: 0, y: 3, z: 0 } },
    { mask: { rotation: false }, position: { x: 18, y: 0, z: 0 }, axis: { x: 6, y: 0, z: 0 } },
    { mask: { position: false }, position: { x: 4, y: 0, z: 0 }, axis: { x: 0, y: 6, z: 0 } },
  ])("let $mask through", ({ mask, position, axis }) => {
    for (const isDefault of [true, false]) {
      const { world, tree, space } = createScene(isDefault ? { inherit: mask } : {});
      const crane = world.spawn(space.at(10, 0, 0));
      space.setRotation(crane, 0, 0, 1, QUARTER);
      space.setScale(crane, 2);
      const hook = tree.attachNew(crane, space.at(4, 0, 0));
      space.setScale(hook, 3);
      if (!isDefault) setInherit(space, hook, mask);
      near(space.worldPosition(hook), position);
      near(space.localToWorldDirection(hook, 1, 0, 0), axis);
      const before = space.worldOf(hook);
      space.propagate();
      expect(space.worldOf(hook)).toEqual(before);
      space.setWorldPosition(hook, 1, 2, 3);
      near(space.worldPosition(hook), { x: 1, y: 2, z: 3 });
      tree.detach(hook, { keep: "world" });
      near(space.worldPosition(hook), { x: 1, y: 2, z: 3 });
      near(space.localToWorldDirection(hook, 1, 0, 0), axis);
    }
  });

  it("are none for top-level entities", () => {
    const { world, tree, space } = createScene();
    const crane = world.spawn(space.at(10, 0, 0));
    const label = tree.attachNew(crane, space.at(1, 1, 1));
    setTopLevel(space, label, true);
    near(space.worldPosition(label), { x: 1, y: 1, z: 1 });
    space.setWorldPosition(label, 2, 2, 2);
    near(space.worldPosition(label), { x: 2, y: 2, z: 2 });
    setTopLevel(space, label, false);
    near(space.worldPosition(label), { x: 12, y: 2, z: 2 });
    expect(world.get(label, InheritTransform)?.rotation).toBe(true);
  });
});
