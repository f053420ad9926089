import { createWorld, not, optional, tag, where } from "espalier";
import { createHierarchy, parentHas } from "espalier/hierarchy";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
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
