/** Kernels come late: JavaScript computes until the code of WebAssembly is there. The tests run in order; the first one loads it. */
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInherited, sum, ZIndex, zIndex } from "espalier/inherit";
import { createTransforms2D, loadKernel, Transform2D, type Transforms2DOptions } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

type Kernel = NonNullable<Transforms2DOptions["kernel"]>;

function grow(kernel: Kernel, count: number, fixed = false) {
  const world = createWorld({ capacity: fixed ? count : 8, fixed });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree, { kernel });
  const z = createInherited(tree, { ...zIndex, combine: sum("z") }, { kernel });
  const all: Entity[] = [];
  for (let k = 0; k < count; k++) {
    const parent = k < 10 ? null : (all[k >> 2] as Entity);
    all.push(tree.attachNew(parent, space.at(k % 17, k % 5, k % 3), ZIndex({ z: k % 4 })));
  }
  return { world, tree, space, z, all };
}

type Scene = ReturnType<typeof grow>;

/** Everything that is computed, bit by bit. */
const bitsOf = ({ space, z, all }: Scene) =>
  all.map((entity) => [
    ...new Uint32Array(Float32Array.from(Object.values(space.worldOf(entity))).buffer),
    z.of(entity),
  ]);

describe("a kernel that is loaded late", () => {
  it("starts between two passes, and nothing is lost", async () => {
    const scenes = [grow("javascript", 3000), grow("auto", 3000)] as const;
    const [slow, quick] = scenes;
    const [looped, fixed] = [grow("wasm", 20), grow("wasm", 20, true)];
    // A few edits before the code can be there, and more while it comes.
    const edits = fc.sample(fc.record({ child: fc.nat(2999), parent: fc.nat(2999), x: fc.integer() }), {
      numRuns: 60,
      seed: 7,
    });
    let passes = 0;
    let lateness = 0;
    for (const { child, parent, x } of edits) {
      for (const { tree, space, z, world, all } of scenes) {
        const [a, b] = [all[child] as Entity, all[parent] as Entity];
        if (tree.canAttach(a, b)) tree.attach(a, b);
        space.setPosition(b, x % 100, 1);
        world.set(a, ZIndex, { z: x % 9 });
        space.propagate();
        z.propagate();
      }
      if (!quick.space.usesWasm) lateness = ++passes;
      expect(bitsOf(quick)).toEqual(bitsOf(slow));
      if (passes === 3) await Promise.all([loadKernel(quick.space), loadKernel(quick.z)]);
    }
    expect(lateness).toBe(3);
    // Not under a loop, which holds the records, and not in a world whose arrays stay for its life.
    looped.world.query(Transform2D).update((transform) => {
      transform.x += 1;
      looped.space.propagate();
      expect(looped.space.usesWasm).toBe(false);
    });
    looped.space.setPosition(looped.all[0] as Entity, 1, 1);
    looped.space.propagate();
    expect(looped.space.usesWasm).toBe(true);
    fixed.space.setPosition(fixed.all[0] as Entity, 1, 1);
    fixed.space.propagate();
    expect(fixed.space.usesWasm).toBe(false);
    expect(quick.space.usesWasm).toBe(true);
    expect(quick.z.usesWasm).toBe(true);
    expect(slow.space.usesWasm).toBe(false);
    expect(await loadKernel(slow.space)).toBe(false);
  });

  it("is available at once for the next world", () => {
    expect(grow("auto", 3000).space.usesWasm).toBe(true);
    expect(grow("wasm", 10).space.usesWasm).toBe(true);
    expect(grow("auto", 10).space.usesWasm).toBe(false);
  });

  it("is refused for spaces without one", async () => {
    await expect(loadKernel({ usesWasm: false })).rejects.toThrow(
      "Cannot load a kernel: what uses it is an object, not a space or an inherited value.",
    );
    await expect(loadKernel(undefined as never)).rejects.toThrow(
      "Cannot load a kernel: what uses it is undefined",
    );
  });
});
