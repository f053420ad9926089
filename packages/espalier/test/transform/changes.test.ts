import { changesOf, type Entity } from "espalier";
import { Ghost } from "espalier/hierarchy";
import { type Affine2D, rawTransforms, Transform2D, transformBatch } from "espalier/transform";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";
import { createScene, edit, edits, type Scene } from "./random-edits.ts";

function worldsOf({ world, space }: Scene): Map<Entity, Affine2D> {
  return new Map(world.entities().map((entity) => [entity, space.worldOf(entity)]));
}

const same = (a: Affine2D, b: Affine2D) =>
  (["a", "b", "c", "d", "x", "y"] as const).every((key) => a[key] === b[key]);

describe.each(["javascript", "wasm"] as const)("a reader of changed worlds (%s kernel)", (kernel) => {
  it("lists exactly the entities whose world transform changed", () => {
    property(
      edits({ maxLength: 80 }),
      (steps) => {
        const scene = createScene({ kernel });
        const reader = scene.space.changes();
        let before = worldsOf(scene);
        for (const step of steps) {
          edit(scene, step.kind === "propagate" ? { kind: "compact" } : step);
          if (step.kind !== "propagate") continue;
          scene.space.propagate();
          const after = worldsOf(scene);
          const { added, changed, removed } = reader.read();
          const lived = [...after.keys()].filter((entity) => before.has(entity));
          expect(new Set(changed)).toEqual(
            new Set(lived.filter((entity) => !same(before.get(entity)!, after.get(entity)!))),
          );
          expect(new Set(added)).toEqual(new Set([...after.keys()].filter((entity) => !before.has(entity))));
          expect(new Set(removed)).toEqual(
            new Set([...before.keys()].filter((entity) => !after.has(entity))),
          );
          before = after;
        }
      },
      150,
    );
  });
});

describe("a reader of changed worlds", () => {
  function createTank() {
    const scene = createScene({}, 64);
    const { world, tree, space } = scene;
    const tank = world.spawn(space.at(100, 50));
    const turret = tree.attachNew(tank, space.at(0, 20));
    const tree2 = world.spawn(space.at(0, 0));
    space.propagate();
    return { ...scene, tank, turret, other: tree2, reader: space.changes() };
  }

  it("lists what is below a write, once, when a pass has computed it", () => {
    const { space, tank, turret, reader } = createTank();
    space.setPosition(tank, 1, 1);
    space.setPosition(tank, 2, 2);
    expect(reader.read().changed).toEqual([]);
    space.propagate();
    expect(reader.read().changed).toEqual([tank, turret]);
    space.propagate();
    expect(reader.read().changed).toEqual([]);
  });

  it("lists nothing when a value is written back to what it was", () => {
    const { space, tank, reader } = createTank();
    space.setPosition(tank, 1, 1);
    space.setPosition(tank, 100, 50);
    space.propagate();
    expect(reader.read().changed).toEqual([]);
  });

  it("lists only the parent when the child compensates for its move", () => {
    const { space, tank, turret, reader } = createTank();
    space.translate(tank, 5, 0);
    space.translate(turret, -5, 0);
    space.propagate();
    expect(reader.read().changed).toEqual([tank]);
  });

  it("lists no entity that a kept world transform did not move", () => {
    const { tree, space, turret, other, reader } = createTank();
    tree.attach(turret, other, { keep: "world" });
    space.propagate();
    expect(reader.read().changed).toEqual([]);
  });

  it("lists entities without a transform too, because they have a world", () => {
    const { world, tree, space, tank, reader } = createTank();
    const bare = tree.attachNew(tank);
    space.propagate();
    expect(reader.read().added).toEqual([bare]);
    space.setPosition(tank, 0, 0);
    space.propagate();
    expect(reader.read().changed).toContain(bare);
    world.remove(tank, Transform2D);
    world.add(bare, Ghost);
    space.propagate();
    expect(reader.read().changed).not.toContain(bare);
  });

  it("reports destroyed entities, but not those that never had a value", () => {
    const { world, tree, space, tank, turret, reader } = createTank();
    const shortLived = tree.attachNew(tank, space.at(1, 1));
    tree.destroy(shortLived);
    tree.destroy(tank);
    space.propagate();
    expect(reader.read()).toEqual({ added: [], changed: [], removed: [turret, tank] });
    expect(world.count).toBe(1);
  });

  it("is one of any number, each with its own position", () => {
    const { space, tank, turret, reader } = createTank();
    space.setPosition(tank, 0, 0);
    space.propagate();
    const late = space.changes();
    expect(reader.read().changed).toEqual([tank, turret]);
    expect(late.read().changed).toEqual([]);
    reader.close();
    late.close();
    space.setPosition(tank, 1, 0);
    expect(space.propagate()).toBe(3);
  });
});

describe("readers of the component", () => {
  it("get the writes of setters, and nothing when the value stays", () => {
    const { world, space } = createScene();
    const tank = world.spawn(space.at(1, 2));
    const reader = changesOf(world, Transform2D);
    space.setPosition(tank, 1, 2);
    space.setRotation(tank, 0);
    expect(reader.read().changed).toEqual([]);
    space.setPosition(tank, 5, 5);
    expect(reader.read().changed).toEqual([tank]);
    space.setRotation(tank, 1);
    expect(reader.read().changed).toEqual([tank]);
    space.setScale(tank, 2);
    expect(reader.read().changed).toEqual([tank]);
    transformBatch(space, [tank]).write(Float32Array.of(7, 7));
    expect(reader.read().changed).toEqual([tank]);
    rawTransforms(space).locals[rawTransforms(space).rowOf(tank)] = 8;
    rawTransforms(space).touch(tank);
    expect(reader.read().changed).toEqual([tank]);
    expect(space.worldX(tank)).toBe(8);
  });
});
