import { createWorld, type Entity } from "espalier";
import { checkTree, compactOrder, createHierarchy } from "espalier/hierarchy";
import { createTransforms2D, rawTransforms, type Transforms2DOptions } from "espalier/transform";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";
import { ALL, expectClose, type Mask, POSITION, slowWorld } from "./naive-2d.ts";
import { createScene, edit, edits, type Scene } from "./random-edits.ts";

const kernels = ["javascript", "wasm"] as const;

const variants: { title: string; options: Transforms2DOptions; mask: Mask }[] = [
  { title: "everything inherited by default", options: {}, mask: ALL },
  { title: "positions inherited by default", options: { inherit: "position" }, mask: POSITION },
  { title: "no shear", options: { compose: "separable" }, mask: ALL },
  {
    title: "no shear, rotation not inherited by default",
    options: { compose: "separable", inherit: { rotation: false } },
    mask: { ...ALL, rotation: false },
  },
];

const cases = variants.flatMap((variant) => kernels.map((kernel) => ({ ...variant, kernel })));

describe.each(cases)("2D transforms, $title ($kernel kernel)", ({ options, mask, kernel }) => {
  const rules = { mask, separable: options.compose === "separable" };

  /** Reads everything, and everything again after a pass. */
  function compare({ world, space, tree }: Scene): void {
    const lazy = world.entities().map((entity) => space.worldOf(entity));
    world.entities().forEach((entity, k) => {
      expectClose(lazy[k]!, slowWorld(space, entity, rules));
    });
    space.propagate();
    expect(world.entities().map((entity) => space.worldOf(entity))).toEqual(lazy);
    expect(space.isClean).toBe(true);
    expect(checkTree(tree)).toEqual([]);
  }

  it("reads the composition along the chain, after any edits, before and after a pass", () => {
    property(
      edits(),
      (steps) => {
        const scene = createScene({ ...options, kernel });
        for (const step of steps) {
          edit(scene, step);
          for (const entity of scene.world.entities()) {
            expectClose(scene.space.worldOf(entity), slowWorld(scene.space, entity, rules));
          }
        }
        compare(scene);
      },
      60,
    );
  });

  it("computes long runs as short ones, after any edits", () => {
    property(
      edits({ without: ["spawn", "destroy", "detach"], maxLength: 30 }),
      (steps) => {
        const scene = createScene({ ...options, kernel });
        const { tree, space } = scene;
        // Long enough for the WebAssembly kernel: one fifth of it hangs on each of the first.
        const all: Entity[] = [];
        for (let k = 0; k < 80; k++) {
          all.push(
            tree.attachNew(k === 0 ? null : all[k % 5 === 0 ? 0 : k - 1]!, space.at(k % 7, -1, k % 3)),
          );
        }
        scene.space.propagate();
        for (const step of steps) edit(scene, step);
        compare(scene);
      },
      60,
    );
  });
});

describe("a tree that changes", () => {
  it.each(kernels)("hands the new parent to the kernel although no slot moves (%s)", (kernel) => {
    const { world, tree, space } = createScene({ kernel }, 64);
    const left = world.spawn(space.at(100, 0));
    const right = world.spawn(space.at(200, 0));
    const group = tree.attachNew(right, space.at(0, 0));
    const many = Array.from({ length: 30 }, (_, k) => tree.attachNew(group, space.at(k, 0)));
    compactOrder(tree);
    space.propagate();
    tree.attach(group, left);
    rawTransforms(space).touchAll();
    space.propagate();
    expect(
      many.map((entity) => rawTransforms(space).worlds[rawTransforms(space).worldRowOf(entity) + 4]),
    ).toEqual(many.map((_, k) => 100 + k));
  });

  it.each(kernels)("keeps every value when the world grows (%s)", (kernel) => {
    const { world, tree, space } = createScene({ kernel }, 2);
    const all: Entity[] = [];
    for (let k = 0; k < 3000; k++) {
      all.push(tree.attachNew(k % 10 === 0 ? null : all[k - 1]!, space.at(1, k % 10)));
      if (k % 500 === 0) space.propagate();
    }
    space.propagate();
    const x = all.map((entity) => space.worldX(entity));
    expect(x).toEqual(all.map((_, k) => (k % 10) + 1));
    expect(world.get(all[2999]!, space.component)?.y).toBe(9);
  });

  it("makes transforms for entities that were there before the space", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const root = world.spawn();
    const child = tree.attachNew(root);
    const space = createTransforms2D(tree);
    expect(space.worldPosition(child)).toEqual({ x: 0, y: 0 });
    space.setPosition(root, 3, 4);
    expect(space.worldPosition(child)).toEqual({ x: 3, y: 4 });
  });

  it("computes nothing when nothing changed, and only what is below a change otherwise", () => {
    const { tree, space } = createScene({}, 64);
    const roots = [0, 1, 2].map((x) => tree.attachNew(null, space.at(x, 0)));
    for (const root of roots) for (let k = 0; k < 9; k++) tree.attachNew(root, space.at(0, k));
    compactOrder(tree);
    expect(space.propagate()).toBe(30);
    expect(space.propagate()).toBe(0);
    space.setPosition(roots[1]!, 5, 5);
    expect(space.isClean).toBe(false);
    expect(space.propagate()).toBe(10);
    space.setPosition(roots[1]!, 5, 5);
    space.setRotation(roots[1]!, 0);
    space.setScale(roots[1]!, 1);
    expect(space.propagate()).toBe(0);
  });
});
