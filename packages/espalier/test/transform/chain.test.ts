import { createWorld, type Entity } from "espalier";
import { check, createHierarchy, Ghost } from "espalier/hierarchy";
import {
  type Affine2D,
  compose2D,
  createTransforms2D,
  multiply2D,
  type Transforms2D,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** The slow, obvious version: the product of the locals along the chain. */
function slowWorld(space: Transforms2D, entity: Entity): Affine2D {
  let world: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
  for (const e of [...space.tree.ancestors(entity, { includeSelf: true })].reverse()) {
    if (space.tree.world.has(e, Ghost) || !space.tree.world.has(e, space.component)) continue;
    world = multiply2D(world, compose2D(space.localOf(e)));
  }
  return world;
}

function expectClose(actual: Affine2D, expected: Affine2D): void {
  const size = Math.max(1, ...Object.values(expected).map(Math.abs));
  for (const key of ["a", "b", "c", "d", "x", "y"] as const) {
    expect(Math.abs(actual[key] - expected[key]) / size, key).toBeLessThan(2e-4);
  }
}

const number = fc.double({ min: -10, max: 10, noNaN: true });
const scale = fc.constantFrom(1, 1, 0.5, 2, -1, 0);
const step = fc.oneof(
  fc.record({
    kind: fc.constant("spawn" as const),
    parent: fc.nat(),
    x: number,
    y: number,
    bare: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("attach" as const), child: fc.nat(), parent: fc.nat() }),
  fc.record({ kind: fc.constant("detach" as const), child: fc.nat() }),
  fc.record({ kind: fc.constant("move" as const), child: fc.nat(), x: number, y: number }),
  fc.record({ kind: fc.constant("turn" as const), child: fc.nat(), angle: number }),
  fc.record({
    kind: fc.constant("scale" as const),
    child: fc.nat(),
    x: scale,
    y: scale,
    skew: fc.constantFrom(0, 0.3),
  }),
  fc.record({ kind: fc.constant("ghost" as const), child: fc.nat() }),
  fc.record({ kind: fc.constant("destroy" as const), child: fc.nat() }),
  fc.record({ kind: fc.constant("propagate" as const) }),
  fc.record({ kind: fc.constant("compact" as const) }),
);

describe.each(["javascript", "wasm"] as const)("2D transforms (%s kernel)", (kernel) => {
  it("reads the product of the locals along the chain, before and after a pass", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = createWorld({ capacity: 4 });
        const tree = createHierarchy(world);
        const space = createTransforms2D(tree, { kernel, onWarn: () => {} });
        const pick = (n: number) => {
          const all = world.entities();
          return all.length === 0 ? undefined : all[n % all.length];
        };
        for (const s of steps) {
          const child = "child" in s ? pick(s.child) : undefined;
          if ("child" in s && child === undefined) continue;
          const e = child as Entity;
          if (s.kind === "spawn") {
            const parent = pick(s.parent) ?? null;
            tree.attachNew(s.parent % 3 === 0 ? null : parent, ...(s.bare ? [] : [space.at(s.x, s.y, s.x)]));
          } else if (s.kind === "attach") {
            const parent = pick(s.parent) as Entity;
            if (tree.canAttach(e, parent)) tree.attach(e, parent);
          } else if (s.kind === "detach") tree.detach(e);
          else if (s.kind === "move") space.setPosition(e, s.x, s.y);
          else if (s.kind === "turn") space.setRotation(e, s.angle);
          else if (s.kind === "scale") space.setLocal(e, { scaleX: s.x, scaleY: s.y, skew: s.skew });
          else if (s.kind === "ghost") {
            if (world.has(e, Ghost)) world.remove(e, Ghost);
            else world.add(e, Ghost);
          } else if (s.kind === "destroy") tree.destroy(e);
          else if (s.kind === "propagate") space.propagate();
          else tree.order.compact();
          const lazy = world.entities().map((entity) => space.worldOf(entity));
          world.entities().forEach((entity, k) => {
            expectClose(lazy[k] as Affine2D, slowWorld(space, entity));
          });
        }
        const before = world.entities().map((entity) => space.worldOf(entity));
        space.propagate();
        expect(world.entities().map((entity) => space.worldOf(entity))).toEqual(before);
        expect(check(tree)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
