import { component, createWorld, type Entity, f64, finite, i32, indexOf } from "espalier";
import { compactOrder, createHierarchy, Ghost } from "espalier/hierarchy";
import {
  createRectTransforms,
  createSpace,
  defineTransform,
  RectTransform,
  SingularTransformError,
  type Space,
  setInherit,
  setTopLevel,
  UnrepresentableTransformError,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, refused } from "../testing.ts";

/** Positions far out, where 32 bits would lose centimetres: 64-bit offsets. */
const Far = component("Far", { x: finite(f64(0)), y: finite(f64(0)) });
const far = defineTransform({
  name: "far",
  local: Far,
  world: [0, 0],
  compose(parent, p, local, out, o) {
    out[o] = parent[p]! + local.x;
    out[o + 1] = parent[p + 1]! + local.y;
  },
  invert: (parent, p, wanted, w) => ({ x: wanted[w]! - parent[p]!, y: wanted[w + 1]! - parent[p + 1]! }),
});

/** Fixed point: whole 256ths, and a scale of whole 256ths, rounded down. Every machine computes the same. */
const Fixed = component("Fixed", { x: i32(0), scale: i32(256) });
const fixed = defineTransform({
  name: "fixed",
  local: Fixed,
  world: [0, 256],
  compose(parent, p, local, out, o) {
    out[o] = parent[p]! + Math.floor((local.x * parent[p + 1]!) / 256);
    out[o + 1] = Math.floor((parent[p + 1]! * local.scale) / 256);
  },
  invert(parent, p, wanted, w) {
    const scale = parent[p + 1]!;
    if (scale === 0) throw new SingularTransformError("the parent's scale is 0.");
    const x = ((wanted[w]! - parent[p]!) * 256) / scale;
    const own = (wanted[w + 1]! * 256) / scale;
    const residue = Math.max(x % 1, own % 1);
    if (residue !== 0) throw new UnrepresentableTransformError("it lies between two steps.", { residue });
    return { x, scale: own };
  },
});

function create<S extends typeof far | typeof fixed>(definition: S) {
  const world = createWorld({ capacity: 4 });
  const tree = createHierarchy<"far" | "fixed">(world);
  const space = createSpace(tree, definition as never) as Space<S["local"]["schema"]>;
  return { world, tree, space };
}

describe("a space of 64-bit numbers", () => {
  it("keeps what 32 bits cannot", () => {
    const { world, tree, space } = create(far);
    const planet = world.spawn(Far({ x: 1e12, y: 0 }));
    const stone = tree.attachNew(planet, Far({ x: 0.25, y: 0.5 }));
    expect([...space.worldOf(stone)]).toEqual([1e12 + 0.25, 0.5]);
    space.setWorld(stone, [1e12 + 0.125, 1]);
    expect(world.get(stone, Far)).toEqual({ x: 0.125, y: 1 });
    const ship = world.spawn(Far({ x: 5, y: 5 }));
    tree.attach(stone, ship, { keep: "far" });
    expect([...space.worldOf(stone)]).toEqual([1e12 + 0.125, 1]);
    space.setRoot([1, 1]);
    expect([...space.worldOf(ship)]).toEqual([6, 6]);
  });

  it("reads the sum along the chain, after any edits, and reports exactly what changed", () => {
    const step = fc.record({ child: fc.nat(), parent: fc.nat(), x: fc.integer(), kind: fc.nat({ max: 7 }) });
    property(
      fc.array(step, { maxLength: 50 }),
      (steps) => {
        const { world, tree, space } = create(far);
        const reader = space.changes();
        const sum = (entity: Entity) => {
          let x = 0;
          for (const e of tree.ancestors(entity, { includeSelf: true }))
            if (!world.has(e, Ghost)) x += world.get(e, Far)?.x ?? 0;
          return x;
        };
        let before = new Map<Entity, number>();
        for (const { child, parent, x, kind } of steps) {
          const all = world.entities();
          const [e, above] = [all[child % all.length], all[parent % all.length]];
          if (kind < 2 || e === undefined || above === undefined)
            tree.attachNew(above ?? null, ...(kind === 0 ? [] : [Far({ x })]));
          else if (kind === 2) space.setLocal(e, { x });
          else if (kind === 3 && tree.canAttach(e, above)) tree.attach(e, above);
          else if (kind === 4) tree.destroy(e);
          else if (kind === 5) world.has(e, Ghost) ? world.remove(e, Ghost) : world.add(e, Ghost);
          else if (kind === 6) compactOrder(tree);
          const now = new Map(world.entities().map((entity) => [entity, sum(entity)]));
          for (const [entity, x] of now) expect(space.worldOf(entity)[0]).toBe(x);
          if (kind !== 7) continue;
          space.propagate();
          for (const [entity, x] of now) expect(space.worlds[space.worldRowOf(entity)]).toBe(x);
          const { added, changed, removed } = reader.read();
          const lived = [...now.keys()].filter((entity) => before.has(entity));
          expect(new Set(changed)).toEqual(
            new Set(lived.filter((entity) => before.get(entity) !== now.get(entity))),
          );
          expect(added.length).toBe(now.size - lived.length);
          expect(removed.length).toBe(before.size - lived.length);
          before = now;
        }
      },
      100,
    );
  });
});

describe("a space of fixed-point numbers", () => {
  it.each(["swept", "compacted"] as const)(
    "keeps its values when slots are %s while little is computed",
    (how) => {
      const { world, tree, space } = create(far);
      const roots = Array.from({ length: 700 }, (_, k) => tree.attachNew(null, Far({ x: k, y: 1 })));
      const children = roots.map((root) => tree.attachNew(root, Far({ x: 1, y: 1 })));
      space.propagate();
      // Every second one goes, and one child moves before all others.
      for (let k = 0; k < 700; k += 2) world.destroy(roots[k]!);
      const moved = children[699]!;
      tree.attach(moved, roots[1]!);
      const late = tree.attachNew(moved, Far({ x: 5, y: 5 }));
      if (how === "compacted") compactOrder(tree);
      expect(space.isClean).toBe(false);
      expect(space.propagate()).toBeLessThan(100);
      expect(space.isClean).toBe(true);
      for (let k = 1; k < 699; k += 2) {
        expect([...space.worldOf(roots[k]!), ...space.worldOf(children[k]!)]).toEqual([k, 1, k + 1, 2]);
        const row = space.worldRowOf(children[k]!);
        expect([...space.worlds.subarray(row, row + 2)]).toEqual([k + 1, 2]);
      }
      expect([...space.worldOf(moved), ...space.worldOf(late)]).toEqual([2, 2, 7, 7]);
      // What it could not see is computed after a touch, and nothing else.
      world.columns(Far).x[indexOf(roots[3]!)] = 1000;
      space.touch(roots[3]!);
      expect([space.isClean, space.propagate(), space.worldOf(children[3]!)[0]]).toEqual([false, 2, 1001]);
      world.columns(Far).x[indexOf(roots[3]!)] = 2000;
      space.touchAll();
      space.propagate();
      expect(space.worldOf(children[3]!)[0]).toBe(2001);
    },
  );

  it("rounds the same way everywhere, and says where no step leads", () => {
    const { world, tree, space } = create(fixed);
    const root = world.spawn(Fixed({ x: 1000, scale: 128 }));
    const child = tree.attachNew(root, Fixed({ x: 333 }));
    expect([...space.worldOf(child)]).toEqual([1166, 128]);
    space.setWorld(child, [1100, 64]);
    expect(world.get(child, Fixed)).toEqual({ x: 200, scale: 128 });
    tree.setName(child, "gear");
    world.set(root, Fixed, { scale: 192 });
    const error = refused(world, () => space.setWorld(child, [1100, 64]));
    expect(error.message).toBe(
      "Cannot place gear#2 under #1: it lies between two steps. [transform/unrepresentable]",
    );
    expect((error as UnrepresentableTransformError).residue).toBeCloseTo(1 / 3, 6);
    expect((error as UnrepresentableTransformError).entities).toEqual([child, root]);
    world.set(root, Fixed, { scale: 0 });
    tree.detach(child);
    expect(refused(world, () => tree.attach(child, root, { keep: "fixed" }))).toBeInstanceOf(
      SingularTransformError,
    );
  });
});

describe("a definition", () => {
  const compose = () => {};

  it("is refused when something is missing", () => {
    for (const world of [[], [Number.NaN], undefined])
      expect(() => defineTransform({ name: "odd", local: Far, world: world as never, compose })).toThrow(
        "Cannot define the space odd: world must list at least one finite number, the value above all roots.",
      );
    expect(() =>
      defineTransform({ name: "odd", local: Far, world: [0], compose: undefined as never }),
    ).toThrow("Cannot define the space odd: it needs compose(parent, p, local, out, o).");
  });

  it("without invert can be read, not written in world values", () => {
    const world = createWorld();
    const tree = createHierarchy<"view">(world);
    const { invert, ...readOnly } = far;
    expect(invert).toBeDefined();
    const space = createSpace(tree, defineTransform({ ...readOnly, name: "view" }));
    const e = world.spawn(Far({ x: 1 }));
    expect(space.worldOf(e)[0]).toBe(1);
    expect(() => space.setWorld(e, [2, 2])).toThrow(
      "Cannot set the world value in view: it was defined without invert().",
    );
    expect(() => tree.attach(e, null, { keep: "view" })).toThrow('Cannot keep "view" while attaching');
  });

  it("without masks inherits everything, and refuses a mask", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    expect(() => createSpace(tree, far, { inherit: "position" })).toThrow(
      "Cannot create the space far with inherit: it was defined without masks: true, so children take over everything.",
    );
    const space = createSpace(tree, far);
    const root = world.spawn(Far({ x: 5 }));
    const child = tree.attachNew(root, Far({ x: 1 }));
    setInherit(space, child, { position: false });
    expect(space.worldOf(child)[0]).toBe(6);
    setTopLevel(space, child, true);
    expect(space.worldOf(child)[0]).toBe(1);
    expect(() => space.setWorld(child, [1])).toThrow("it takes 2 numbers, got 1");
  });
});

describe("rectangles", () => {
  function createScreen() {
    const world = createWorld();
    const tree = createHierarchy(world);
    const layout = createRectTransforms(tree, { width: 800, height: 600 });
    const panel = world.spawn(RectTransform({ x: 100, y: 50, width: 200, height: 400 }));
    return { world, tree, layout, panel, read: (e: Entity) => [...layout.worldOf(e)] };
  }

  it("have a fixed size and position by default", () => {
    const { tree, panel, read } = createScreen();
    const label = tree.attachNew(panel, RectTransform({ x: 10, y: 20, width: 80, height: 30 }));
    expect(read(panel)).toEqual([100, 50, 200, 400]);
    expect(read(label)).toEqual([110, 70, 80, 30]);
  });

  it("stretch between anchors, with a margin", () => {
    const { tree, panel, read } = createScreen();
    const all = { anchorMaxX: 1, anchorMaxY: 1 };
    expect(read(tree.attachNew(panel, RectTransform(all)))).toEqual([100, 50, 200, 400]);
    const inset = tree.attachNew(panel, RectTransform({ ...all, x: 10, y: 10, width: -20, height: -20 }));
    expect(read(inset)).toEqual([110, 60, 180, 380]);
    const bar = tree.attachNew(panel, RectTransform({ anchorMaxX: 1, height: 20 }));
    expect(read(bar)).toEqual([100, 50, 200, 20]);
    const rightHalf = tree.attachNew(panel, RectTransform({ ...all, anchorMinX: 0.5 }));
    expect(read(rightHalf)).toEqual([200, 50, 100, 400]);
  });

  it("hang on a corner or the middle by their pivot", () => {
    const { tree, panel, read } = createScreen();
    const at = (x: number, y: number) => ({ anchorMinX: x, anchorMaxX: x, anchorMinY: y, anchorMaxY: y });
    const size = { width: 40, height: 20 };
    const corner = tree.attachNew(
      panel,
      RectTransform({ ...at(1, 1), pivotX: 1, pivotY: 1, x: -5, y: -5, ...size }),
    );
    expect(read(corner)).toEqual([255, 425, 40, 20]);
    const middle = tree.attachNew(
      panel,
      RectTransform({ ...at(0.5, 0.5), pivotX: 0.5, pivotY: 0.5, ...size }),
    );
    expect(read(middle)).toEqual([180, 240, 40, 20]);
  });

  it("follow the screen", () => {
    const { world, tree, layout, read } = createScreen();
    const page = world.spawn(RectTransform({ anchorMaxX: 1, anchorMaxY: 1 }));
    const half = tree.attachNew(page, RectTransform({ anchorMaxX: 0.5, anchorMaxY: 1 }));
    layout.propagate();
    layout.setRoot([0, 0, 1000, 500]);
    expect(read(half)).toEqual([0, 0, 500, 500]);
    layout.propagate();
    expect(read(half)).toEqual([0, 0, 500, 500]);
  });

  it("stay on the screen when they get another parent, whatever their anchors", () => {
    const fraction = fc.constantFrom(0, 0.25, 0.5, 1);
    const length = fc.integer({ min: -50, max: 300 });
    const rect = fc.record({
      anchorMinX: fraction,
      anchorMinY: fraction,
      anchorMaxX: fraction,
      anchorMaxY: fraction,
      pivotX: fraction,
      pivotY: fraction,
      x: length,
      y: length,
      width: length,
      height: length,
    });
    property(fc.record({ a: rect, b: rect, own: rect }), ({ a, b, own }) => {
      const { world, tree, read } = createScreen();
      const [from, to] = [world.spawn(RectTransform(a)), world.spawn(RectTransform(b))];
      const button = tree.attachNew(from, RectTransform(own));
      const before = read(button);
      tree.attach(button, to, { keep: "rect" });
      read(button).forEach((value, k) => {
        expect(value).toBeCloseTo(before[k]!, 9);
      });
      const { x, y, width, height, ...anchors } = world.get(button, RectTransform)!;
      expect(anchors).toEqual(
        Object.fromEntries(Object.keys(anchors).map((key) => [key, own[key as keyof typeof own]])),
      );
      tree.detach(button, { keep: "rect" });
      read(button).forEach((value, k) => {
        expect(value).toBeCloseTo(before[k]!, 9);
      });
      expect([x, y, width, height].every(Number.isFinite)).toBe(true);
    });
  });
});
