/**
 * Trees of some hundred nodes that keep changing: holes are swept and subtrees moved behind their parents inside passes, which
 * small random trees never reach.
 */
import type { Entity } from "espalier";
import { checkTree } from "espalier/hierarchy";
import { createInherited, sum, ZIndex, zIndex } from "espalier/inherit";
import { rawTransforms, Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";
import { expectClose, slowWorld } from "./naive-2d.ts";
import { createScene, type Scene } from "./random-edits.ts";

const frame = fc.record({
  seed: fc.nat(),
  destroyed: fc.integer({ min: 0, max: 250 }),
  created: fc.integer({ min: 0, max: 250 }),
  moved: fc.integer({ min: 0, max: 60 }),
  // The pass computes subtrees, or everything; "touched" computes everything though nothing was written.
  written: fc.constantFrom("none", "few", "all", "touched"),
  isLogged: fc.boolean(),
  isZFirst: fc.boolean(),
});

/** Small numbers from a seed, so that a frame of hundreds of edits shrinks as one value. */
function createPick(seed: number) {
  let state = seed | 1;
  return (below: number) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return ((state >>> 3) & 0xffffff) % below;
  };
}

function churn(scene: Scene, step: typeof frame extends fc.Arbitrary<infer T> ? T : never): void {
  const { world, tree, space } = scene;
  const pick = createPick(step.seed);
  const one = () => world.entities()[pick(world.count)] as Entity;
  for (let k = 0; k < step.destroyed && world.count > 50; k++) tree.destroy(one());
  for (let k = 0; k < step.created; k++) {
    const parent = pick(3) === 0 ? null : one();
    // Many are where their parents are, so that a move may leave them where they were.
    const at = pick(4) === 0 ? space.at(pick(9), pick(9), pick(4) * 0.5) : space.at(0, 0);
    tree.attachNew(parent, at, ZIndex({ z: pick(5) }));
  }
  for (let k = 0; k < step.moved; k++) {
    const child = one();
    const parent = one();
    if (tree.canAttach(child, parent)) tree.attach(child, parent);
  }
  if (step.written === "all") {
    world.query(Transform2D).update((transform) => {
      transform.x += 1;
      transform.rotation += 0.25;
    });
  } else if (step.written === "few") for (let k = 0; k < 20; k++) space.setPosition(one(), pick(9), pick(9));
  else if (step.written === "touched") rawTransforms(space).touchAll();
}

describe.each(["javascript", "wasm"] as const)("a tree that changes in every frame (%s kernel)", (kernel) => {
  it("has the world values, z and changes that the slow version finds", () => {
    property(
      fc.array(frame, { minLength: 3, maxLength: 8 }),
      (frames) => {
        const scene = createScene({ kernel });
        const { world, tree, space } = scene;
        const z = createInherited(tree, { ...zIndex, combine: sum("z") }, { kernel });
        for (let k = 0; k < 400; k++) {
          tree.attachNew(
            k < 40 ? null : (world.entities()[k % 40] as Entity),
            space.at(k % 7, 1),
            ZIndex({ z: 1 }),
          );
        }
        let before = new Map<Entity, string>();
        for (const step of frames) {
          const reader = step.isLogged ? space.changes() : undefined;
          churn(scene, step);
          if (step.isZFirst) z.propagate();
          space.propagate();
          const after = new Map(world.entities().map((e) => [e, JSON.stringify(space.worldOf(e))]));
          if (reader !== undefined) {
            const differing = [...after].filter(([e, at]) => before.has(e) && before.get(e) !== at);
            expect(new Set(reader.read().changed)).toEqual(new Set(differing.map(([e]) => e)));
            reader.close();
          }
          for (const e of world.entities()) {
            expectClose(space.worldOf(e), slowWorld(space, e));
            const above = tree.parentOf(e);
            expect(z.of(e)).toBe((above === null ? 0 : z.of(above)) + (world.get(e, ZIndex)?.z ?? 0));
          }
          expect(checkTree(tree)).toEqual([]);
          before = after;
        }
      },
      12,
    );
  });
});
