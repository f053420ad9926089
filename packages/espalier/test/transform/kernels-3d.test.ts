import { createWorld, DEVELOPMENT, type Entity } from "espalier";
import { compactOrder, createHierarchy, Ghost } from "espalier/hierarchy";
import {
  createSpace,
  createTransforms3D,
  rawTransforms,
  setInherit,
  setTopLevel,
  space3D,
  Transform3D,
  type Transforms3D,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";

function createSolid(kernel: "javascript" | "wasm", generate = true): Transforms3D {
  return createTransforms3D(createHierarchy(createWorld({ capacity: 64, generate })), {
    kernel,
  });
}

const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
// Quaternions that are too large or too small for the kernel, and zeros.
const wild = fc.constantFrom(0, -0, 1e-310, 1e-160, 1e160, -1, 1);
const value = fc.oneof({ weight: 9, arbitrary: number }, wild);
const entry = fc.record({
  parent: fc.nat(),
  kind: fc.nat(20),
  values: fc.array(value, { minLength: 10, maxLength: 10 }),
});
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

const fields = ["x", "y", "z", "qx", "qy", "qz", "qw", "scaleX", "scaleY", "scaleZ"];
const localOf = ({ values }: Entry) => Object.fromEntries(fields.map((field, k) => [field, values[k]!]));

function build(space: Transforms3D, entries: readonly Entry[]): Entity[] {
  const { tree } = space;
  const entities: Entity[] = [];
  for (const each of entries) {
    const above = each.parent % 4 === 0 ? null : (entities[each.parent % entities.length] ?? null);
    const entity =
      each.kind === 0 ? tree.attachNew(above) : tree.attachNew(above, Transform3D(localOf(each)));
    if (each.kind === 1) tree.world.add(entity, Ghost);
    if (each.kind === 2) setInherit(space, entity, "position");
    if (each.kind === 3) setTopLevel(space, entity, true);
    entities.push(entity);
  }
  return entities;
}

/** The world matrices as the last pass left them; NaN has many bits, all of which are one here. */
function worldsOf(space: Transforms3D, entities: readonly Entity[]): number[] {
  return entities.flatMap((entity) => {
    const at = rawTransforms(space).worldRowOf(entity);
    return [...rawTransforms(space).worlds.subarray(at, at + 12)];
  });
}

describe("the two kernels of three dimensions", () => {
  it("give the same bits as each other and as single reads, for any records", () => {
    property(
      fc.array(entry, { minLength: 1, maxLength: 60 }),
      (entries) => {
        const worlds = (["javascript", "wasm"] as const).map((kernel) => {
          const space = createSolid(kernel);
          const entities = build(space, entries);
          const single = entities.flatMap((entity) => [...space.worldOf(entity)]);
          compactOrder(space.tree);
          space.propagate();
          expect(worldsOf(space, entities)).toEqual(single);
          return worldsOf(space, entities);
        });
        expect(worlds[0]).toEqual(worlds[1]);
      },
      60,
    );
  });

  it("give the same bits where loops may not be made from text", () => {
    const worlds = [true, false].map((generate) => {
      const space = createSolid("javascript", generate);
      const root = space.tree.attachNew(null, Transform3D({ x: 3, qx: 0.7, qw: 0.2, scaleX: -2 }));
      const children = Array.from({ length: 20 }, (_, k) => space.tree.attachNew(root, space.at(k, 1, k)));
      space.propagate();
      return worldsOf(space, children);
    });
    expect(worlds[0]).toEqual(worlds[1]);
  });

  it("give the same bits as a space that compose() describes", () => {
    property(
      // What has no transform has the parent's value, except for the sign of zero.
      fc.array(entry, { minLength: 1, maxLength: 30 }).map((all) => all.filter(({ kind }) => kind !== 0)),
      (entries) => {
        const space = createSolid("wasm");
        const described = createHierarchy(createWorld());
        const slow = createSpace(described, space3D);
        const entities = build(space, entries);
        build(slow as never, entries);
        space.propagate();
        expect(worldsOf(space, entities)).toEqual(entities.flatMap((entity) => [...slow.worldOf(entity)]));
      },
      30,
    );
  });

  it("say whether WebAssembly is in use", () => {
    expect(createSolid("javascript").usesWasm).toBe(false);
    expect(createSolid("wasm").usesWasm).toBe(true);
  });

  it.runIf(DEVELOPMENT)("refuse a kernel that does not exist", () => {
    expect(() => createSolid("gpu" as never)).toThrow('it takes "auto" or "javascript" or "wasm"');
  });
});

describe("a pass in three dimensions", () => {
  it("follows components that come and go between two passes", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms3D(tree);
    const top = world.spawn(space.at(1, 0, 0));
    const child = tree.attachNew(top, space.at(1, 0, 0));
    const leaf = tree.attachNew(child, space.at(1, 0, 0));
    const x = () => {
      space.propagate();
      return rawTransforms(space).worlds[rawTransforms(space).worldRowOf(leaf) + 9];
    };
    expect(x()).toBe(3);
    world.remove(child, Transform3D);
    expect(x()).toBe(2);
    world.add(top, Ghost);
    expect(x()).toBe(1);
    world.add(child, Transform3D({ x: 5 }));
    expect(x()).toBe(6);
    setTopLevel(space, leaf, true);
    expect(x()).toBe(1);
  });
});

describe.each(["javascript", "wasm"] as const)("runs in three dimensions (%s kernel)", (kernel) => {
  it("continue behind a quaternion that the kernel leaves to JavaScript, wherever it stands", () => {
    for (let wild = 0; wild < 30; wild++) {
      const space = createSolid(kernel);
      const root = space.tree.attachNew(null, space.at(1, 0, 0));
      const children = Array.from({ length: 29 }, (_, k) =>
        space.tree.attachNew(root, Transform3D({ x: k, qw: k === wild ? 1e160 : 2 })),
      );
      space.propagate();
      children.forEach((child, k) => {
        const at = rawTransforms(space).worldRowOf(child);
        expect([...rawTransforms(space).worlds.subarray(at, at + 12)]).toEqual([
          1,
          0,
          0,
          0,
          1,
          0,
          0,
          0,
          1,
          k + 1,
          0,
          0,
        ]);
      });
    }
  });
});
