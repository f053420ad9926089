import { createWorld, indexOf, not, optional, tag, where } from "espalier";
import { createHierarchy, parentHas } from "espalier/hierarchy";
import { createTransforms2D, Transform2D, worldRowsOf } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";
import { expectClose, slowWorld } from "./naive-2d.ts";

const Frozen = tag("Frozen");

/** A parent with a child each, some of them frozen; the update loops are generated from the start. */
function setUp(generate: boolean) {
  const world = createWorld({ generate });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const parents = Array.from({ length: 20 }, (_, k) =>
    k % 3 === 0 ? world.spawn(space.at(k, 0), Frozen) : world.spawn(space.at(k, 0)),
  );
  const children = parents.map((parent) => tree.attachNew(parent, space.at(0, 1)));
  const bare = tree.attachNew(children[0]!);
  space.propagate();
  return { world, tree, space, parents, children, bare };
}

describe.each([true, false])("update that writes transforms, generate: %s", (generate) => {
  it("is seen by every kind of query: plain, narrowed, optional, through the tree", () => {
    const { world, tree, space, parents, children } = setUp(generate);
    const queries = [
      world.query(Transform2D),
      world.query(Transform2D, not(Frozen)),
      world.query(
        Transform2D,
        where("even", (index) => index % 2 === 0),
      ),
      world.query(optional(Transform2D)),
      world.query(parentHas(tree, Transform2D)),
    ];
    for (let round = 0; round < 8; round++) {
      for (const query of queries) {
        query.update(((at: { x: number; rotation: number } | undefined) => {
          if (at === undefined) return;
          at.x += 1;
          at.rotation += 0.25;
        }) as never);
        const before = [...parents, ...children].map((entity) => space.worldOf(entity));
        space.propagate();
        expect([...parents, ...children].map((entity) => space.worldOf(entity))).toEqual(before);
        const twin = [...parents, ...children].map((entity) => {
          const parent = tree.parentOf(entity);
          const own = space.localOf(entity);
          if (parent === null) return own.x;
          const above = space.localOf(parent);
          return above.x + Math.cos(above.rotation) * own.x - Math.sin(above.rotation) * own.y;
        });
        [...parents, ...children].forEach((entity, k) => {
          expect(space.worldPosition(entity).x).toBeCloseTo(twin[k]!, 3);
        });
        expect(space.isClean).toBe(true);
      }
    }
  });

  it("reaches entities that came after room was made for more", () => {
    const { world, space, parents } = setUp(generate);
    const query = world.query(Transform2D);
    const move = () =>
      query.update((at) => {
        at.x += 1;
      });
    for (let round = 0; round < 8; round++) move();
    world.reserve(5000);
    const late = world.spawn(space.at(0, 0));
    move();
    expect([space.localOf(late).x, space.localOf(parents[0]!).x]).toEqual([1, 9]);
    let sum = 0;
    for (let round = 0; round < 8; round++) world.query(space.world).update(({ x }) => void (sum += x));
    world.reserve(20_000);
    world.spawn(space.at(100_000, 0));
    sum = 0;
    world.query(space.world).update(({ x }) => void (sum += x));
    expect(sum).toBeGreaterThan(100_000);
  });

  it.each([false, true])(
    "over few of many is computed with what is below them, and nothing else (pass inside: %s)",
    (inside) => {
      const { world, tree, space } = setUp(generate);
      const roots = Array.from({ length: 400 }, (_, k) => world.spawn(space.at(k, 0)));
      for (const root of roots) tree.attachNew(root, space.at(0, 1));
      const Few = tag("Few");
      const few = world.query(Transform2D, Few);
      space.propagate();
      for (let round = 0; round < 8; round++) {
        world.add(roots[round * 40]!, Few);
        if (round % 2 === 1) tree.attachNew(world.spawn(space.at(1, 1), Few), space.at(0, 2));
        const below = few.ids().flatMap((entity) => tree.childrenOf(entity));
        few.update((at) => {
          at.x += 1;
          if (inside) {
            space.propagate();
            for (const entity of below) expectClose(space.worldOf(entity), slowWorld(space, entity));
          }
          at.rotation += 0.25;
        });
        const written = few.ids().length * 2;
        expect(space.isClean).toBe(false);
        const computed = space.propagate();
        if (inside) expect(computed).toBeLessThanOrEqual(written);
        else expect(computed).toBe(written);
        expect([space.isClean, space.propagate()]).toEqual([true, 0]);
        for (const entity of world.entities()) expectClose(space.worldOf(entity), slowWorld(space, entity));
      }
    },
  );
});

it("world transforms are right after loops that move all, and turn all, some or none of them", () => {
  const round = fc.record({
    turned: fc.constantFrom("none", "none", "few", "one", "all"),
    by: fc.nat(2999),
    edit: fc.constantFrom("none", "spawn", "destroy", "reparent", "turn one", "read one"),
  });
  property(
    fc.record({
      kernel: fc.constantFrom("javascript" as const, "wasm" as const),
      rounds: fc.array(round, { minLength: 2, maxLength: 8 }),
    }),
    ({ kernel, rounds }) => {
      const world = createWorld();
      const tree = createHierarchy(world);
      const space = createTransforms2D(tree, { kernel });
      const parents = Array.from({ length: 100 }, (_, k) => world.spawn(space.at(k, 0)));
      for (const parent of parents) for (let k = 0; k < 29; k++) tree.attachNew(parent, space.at(k, 1));
      const all = world.query(Transform2D);
      space.propagate();
      for (const { turned, by, edit } of rounds) {
        let number = 0;
        all.update((at) => {
          at.x += 1;
          const isTurned = turned === "all" || (turned === "one" && number === by);
          if (isTurned || (turned === "few" && number % 97 === 0)) at.rotation += 0.5;
          number++;
        });
        const ids = all.ids();
        const one = ids[by % ids.length]!;
        if (edit === "spawn") tree.attachNew(one, space.at(3, 4, 0.25));
        if (edit === "destroy") tree.destroy(one);
        if (edit === "reparent" && tree.parentOf(one) !== parents[0] && one !== parents[0])
          tree.attach(one, parents[0]!);
        if (edit === "turn one") space.setRotation(one, by);
        if (edit === "read one") expect(space.worldX(one)).toBeCloseTo(slowWorld(space, one).x, 2);
        space.propagate();
        expect(space.isClean).toBe(true);
        const { values, slotOf, stride } = worldRowsOf(space);
        for (const entity of all.ids().filter((_, k) => k % 7 === 0 || k === by || k % 97 === 0)) {
          const at = slotOf[indexOf(entity)]! * stride;
          const [a, b, c, d, x, y] = values.subarray(at, at + 6);
          expectClose({ a: a!, b: b!, c: c!, d: d!, x: x!, y: y! }, slowWorld(space, entity));
        }
      }
    },
    12,
  );
});
