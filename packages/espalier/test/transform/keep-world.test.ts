import { type Entity, guard, Props } from "espalier";
import { attachMany, createHierarchy, Ghost } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import {
  type Affine2D,
  createTransforms2D,
  SingularTransformError,
  setInherit,
  setTopLevel,
  Transform2D,
  UnrepresentableTransformError,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property, refused, strictWorld } from "../testing.ts";
import { expectClose } from "./naive-2d.ts";
import { createScene, type Scene } from "./random-edits.ts";

/** Relative to the size of the matrix. */
const NEAR = 1e-5;

describe("attach and detach with keep: world", () => {
  it("keep position, rotation, scale and skew under a turned and unevenly scaled parent", () => {
    // Where rotation and scale alone cannot say it: off by 0.45 in a library without skew.
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(0, 0));
    space.setScale(parent, 1, 2);
    const child = world.spawn(Transform2D({ x: 1, y: 0, rotation: Math.PI / 4 }));
    const before = space.worldOf(child);
    tree.attach(child, parent, { keep: "world" });
    expectClose(space.worldOf(child), before, NEAR);
    expect(Math.abs(space.localOf(child).skew)).toBeGreaterThan(0.3);
    tree.detach(child, { keep: "world" });
    expectClose(space.worldOf(child), before, NEAR);
    expect(space.localOf(child).skew).toBeCloseTo(0, 5);
  });

  it.each(["adopt", "orphan"] as const)("holds for the children of a destroyed parent: %s", (children) => {
    const { world, tree, space } = createScene();
    const top = world.spawn(space.at(10, 20));
    const parent = tree.attachNew(top, Transform2D({ x: 5, rotation: 1, scaleX: 2 }));
    const all = [1, 2, 3].map((k) => tree.attachNew(parent, Transform2D({ x: k, rotation: k })));
    const before = all.map((child) => space.worldOf(child));
    tree.destroy(parent, { children, keep: "world" });
    all.forEach((child, k) => {
      expectClose(space.worldOf(child), before[k]!, NEAR);
      expect(tree.parentOf(child)).toBe(children === "adopt" ? top : null);
    });
  });

  it("holds for the children of a destroyed parent as the hierarchy sends them, or destroys nothing", () => {
    const world = strictWorld();
    const tree = createHierarchy<"color">(world, { onDestroy: "adopt" });
    const space = createTransforms2D(tree);
    const flat = world.spawn(Transform2D({ scaleX: 0 }));
    const parent = tree.attachNew(flat, space.at(1, 1));
    const child = tree.attachNew(parent, space.at(2, 0));
    expect(refused(world, () => tree.destroy(parent, { keep: "world" }))).toBeInstanceOf(
      SingularTransformError,
    );
    expect(refused(world, () => tree.destroy(parent, { keep: "color" })).message).toContain(
      'Cannot keep "color"',
    );
    space.setScale(flat, 3, 1);
    const before = space.worldOf(child);
    tree.destroy(parent, { keep: "world" });
    expect(tree.parentOf(child)).toBe(flat);
    expectClose(space.worldOf(child), before, NEAR);
  });

  const number = fc.double({ min: -10, max: 10, noNaN: true });
  const size = fc.constantFrom(0.5, 1, 2, -1, -0.5, 3);
  const local = fc.record({
    x: number,
    y: number,
    rotation: number,
    scaleX: size,
    scaleY: size,
    skew: fc.constantFrom(0, 0.3, -1),
  });

  it.each(["javascript", "wasm"] as const)(
    "keep every world, whatever the parents are (%s kernel)",
    (kernel) => {
      property(
        fc.record({
          locals: fc.array(local, { minLength: 3, maxLength: 8 }),
          moves: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 }),
          passes: fc.boolean(),
        }),
        ({ locals, moves, passes }) => {
          const { tree, space } = createScene({ kernel });
          const entities: Entity[] = [];
          for (const [k, values] of locals.entries())
            entities.push(tree.attachNew(k % 3 === 0 ? null : entities[k - 1]!, Transform2D(values)));
          for (const [a, b] of moves) {
            const child = entities[a % entities.length]!;
            const parent = b % 5 === 0 ? null : entities[b % entities.length]!;
            if (!tree.canAttach(child, parent)) continue;
            if (passes) space.propagate();
            const before = entities.map((entity) => space.worldOf(entity));
            const grown = Math.max(...before.flatMap((m) => Object.values(m).map(Math.abs)));
            // Each kept transform is rounded to 32 bits; strongly scaled ones show it.
            if (grown > 1e3) return;
            if (parent === null) tree.detach(child, { keep: "world" });
            else tree.attach(child, parent, { keep: "world" });
            entities.forEach((entity, k) => {
              expectClose(space.worldOf(entity), before[k]!, NEAR * 20);
            });
          }
        },
        200,
      );
    },
  );

  it("keep the world transform of a child that takes over only a part", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(Transform2D({ x: 4, y: 1, rotation: 1, scaleX: 2, scaleY: -3 }));
    for (const mask of ["position", { scale: false }, { rotation: false }, { position: false }] as const) {
      const child = world.spawn(Transform2D({ x: 2, y: 3, rotation: 0.5, scaleX: 1.5 }));
      setInherit(space, child, mask);
      const before = space.worldOf(child);
      tree.attach(child, parent, { keep: "world" });
      expectClose(space.worldOf(child), before, NEAR);
    }
  });

  it("keep a top-level child where it is without touching its values", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(5, 5, 1));
    const child = world.spawn(space.at(1, 2));
    setTopLevel(space, child, true);
    tree.attach(child, parent, { keep: "world" });
    expect(space.localOf(child)).toMatchObject({ x: 1, y: 2, rotation: 0 });
  });

  it("keep rotations and scales without any skew", () => {
    const { world, tree, space } = createScene({ compose: "separable" });
    const parent = world.spawn(Transform2D({ x: 3, y: 1, rotation: 0.7, scaleX: 2, scaleY: -1 }));
    const child = world.spawn(Transform2D({ x: 1, y: 5, rotation: 0.2, scaleX: -3, scaleY: 0.5 }));
    const before = space.worldOf(child);
    tree.attach(child, parent, { keep: "world" });
    expectClose(space.worldOf(child), before, NEAR);
    expect(space.localOf(child).skew).toBe(0);
  });

  it("give an entity without a transform one, so that what it holds stays", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(10, 0));
    const folder = world.spawn();
    const lamp = tree.attachNew(folder, space.at(1, 1));
    tree.attach(folder, parent, { keep: "world" });
    expect(space.worldPosition(lamp)).toEqual({ x: 1, y: 1 });
    expect(world.get(folder, Transform2D)).toMatchObject({ x: -10, y: 0 });
  });

  it("refuse an entity without a transform that may not get one, before it moves", () => {
    const { world, tree, space } = createScene();
    const [above, bare] = [world.spawn(space.at(5, 5)), world.spawn()];
    const child = tree.attachNew(bare, space.at(1, 1));
    const end = guard(world, Transform2D, () => {
      throw new RangeError("none here");
    });
    expect(() => tree.attach(bare, above, { keep: "world" })).toThrow("none here");
    expect([tree.parentOf(bare), world.has(bare, Transform2D)]).toEqual([null, false]);
    // One that has a transform gets none.
    expect(tree.attach(child, above, { keep: "world" })).toBe(true);
    end();
    expect(tree.attach(bare, above, { keep: "world" })).toBe(true);
    expect(space.worldPosition(bare)).toEqual({ x: 0, y: 0 });
  });

  it("keep what a ghost holds, because it has no transform of its own", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(10, 0, 1));
    const ghost = world.spawn(Ghost);
    const inner = tree.attachNew(ghost, Ghost);
    const lamps = [tree.attachNew(ghost, space.at(1, 1)), tree.attachNew(inner, space.at(2, 2))];
    const before = lamps.map((lamp) => space.worldOf(lamp));
    tree.attach(ghost, parent, { keep: "world" });
    lamps.forEach((lamp, k) => {
      expectClose(space.worldOf(lamp), before[k]!, NEAR);
    });
    expect(world.has(ghost, Transform2D)).toBe(false);
  });

  it("keep all of several", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(10, 3, 2));
    const many = [1, 2, 3].map((x) => world.spawn(space.at(x, x, x)));
    tree.attach(many[2]!, many[1]!);
    const before = many.map((entity) => space.worldOf(entity));
    attachMany(tree, many, parent, { keep: "world" });
    many.forEach((entity, k) => {
      expectClose(space.worldOf(entity), before[k]!, NEAR);
    });
  });

  it("are undone in one step", () => {
    const { world, tree, space } = createScene();
    const parent = world.spawn(space.at(10, 3, 2));
    const child = world.spawn(space.at(1, 2));
    const history = createHistory(world);
    history.step("Move in", () => tree.attach(child, parent, { keep: "world" }));
    const moved = space.localOf(child);
    history.undo();
    expect(tree.parentOf(child)).toBe(null);
    expect(space.localOf(child)).toMatchObject({ x: 1, y: 2, rotation: 0 });
    history.redo();
    expect(tree.parentOf(child)).toBe(parent);
    expect(space.localOf(child)).toEqual(moved);
  });
});

describe("a world transform that no local value gives", () => {
  function flat(): Scene & { parent: Entity; child: Entity } {
    const scene = createScene();
    const { world, tree, space } = scene;
    const parent = world.spawn(space.at(3, 4));
    tree.setName(parent, "flat");
    space.setScale(parent, 0);
    const child = world.spawn(space.at(1, 2));
    return { ...scene, parent, child };
  }

  const wanted: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 5, y: 5 };

  it("under a parent of scale 0 is refused, and nothing has changed", () => {
    const { world, tree, space, parent, child } = flat();
    const version = tree.version;
    const attach = refused(world, () => tree.attach(child, parent, { keep: "world" }));
    expect(attach).toBeInstanceOf(SingularTransformError);
    expect(attach.message).toBe(
      "Cannot place #2 under flat#1: the world scale of the parent is 0, so its transform has no inverse. Give the parent a scale that is not 0, or pick another. [transform/singular]",
    );
    expect((attach as SingularTransformError).entities).toEqual([child, parent]);
    expect(tree.version).toBe(version);
    tree.attach(child, parent);
    for (const change of [
      () => space.setWorld(child, wanted),
      () => space.setWorldPosition(child, 5, 5),
      () => space.setWorldRotation(child, 1),
      () => space.setWorldScale(child, 1),
      () => space.lookAt(child, 5, 5),
      () => space.worldToLocal(child, 0, 0),
      () => space.worldToLocalDirection(child, 0, 0),
    ])
      expect(refused(world, change)).toBeInstanceOf(SingularTransformError);
  });

  it("can be left: keeping the world from under a flat parent keeps it flat", () => {
    const { tree, space, parent, child } = flat();
    tree.attach(child, parent);
    const before = space.worldOf(child);
    tree.detach(child, { keep: "world" });
    expect(space.worldOf(child)).toEqual(before);
  });

  it("is no problem for a child that does not take over the scale", () => {
    const { tree, space, parent, child } = flat();
    setInherit(space, child, "position");
    tree.attach(child, parent, { keep: "world" });
    expect(space.worldPosition(child)).toEqual({ x: 1, y: 2 });
    expect(space.localOf(child)).toMatchObject({ x: -2, y: -2 });
  });

  it("is refused for a flattening onto a line that only skew could give", () => {
    const { world, space, child } = flat();
    const error = refused(world, () => space.setWorld(child, { a: 1, b: 0, c: 2, d: 0, x: 0, y: 0 }));
    expect(error).toBeInstanceOf(UnrepresentableTransformError);
    expect((error as UnrepresentableTransformError).residue).toBe(2);
    expect(error.message).toContain(
      "#2: it flattens the plane onto a line that no rotation and scale give (off by 2).",
    );
  });

  it("is refused when it needs skew and no skew is allowed", () => {
    const { world, tree, space } = createScene({ compose: "separable" });
    const e = world.spawn(space.at(0, 0));
    const error = refused(world, () => space.setWorld(e, { a: 1, b: 0, c: 0.5, d: 1, x: 0, y: 0 }));
    expect(error).toBeInstanceOf(UnrepresentableTransformError);
    expect((error as UnrepresentableTransformError).residue).toBeCloseTo(0.5);
    const parent = tree.attachNew(null, Transform2D({ rotation: 1, scaleX: 2 }));
    expect(() => tree.attach(e, parent, { keep: "world" })).not.toThrow();
  });

  it("is refused for a ghost, by name", () => {
    const { world, space } = createScene();
    const ghost = world.spawn(space.at(1, 1), Ghost);
    for (const change of [
      () => space.setWorld(ghost, wanted),
      () => space.setWorldPosition(ghost, 5, 5),
      () => space.lookAt(ghost, 5, 5),
    ]) {
      expect(refused(world, change).message).toContain(
        "Cannot place #1: it is a ghost, and values pass through it. Place what is below it, or remove Ghost.",
      );
    }
  });

  it("is refused where no space registered a handler", () => {
    const { world, tree } = createScene();
    const [a, b] = [world.spawn(Props), world.spawn(Props)];
    expect(() => tree.attach(a, b, { keep: "scale" })).toThrow(
      'Cannot keep "scale" while attaching: no handler for it is registered in tree (registered: "world").',
    );
  });
});
