import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  applyPatch,
  createHistory,
  diff,
  type Patch,
  reconcile,
  takeSnapshot,
  transaction,
} from "espalier/history";
import { describe, expectTypeOf, it } from "vitest";

describe("the types of espalier/history", () => {
  const world = createWorld();
  const tree = createHierarchy(world);

  it("pass on what functions return", () => {
    expectTypeOf(transaction(world, () => world.spawn())).toEqualTypeOf<Entity>();
    expectTypeOf(createHistory(world).step("a", () => 5)).toEqualTypeOf<number>();
  });

  it("know the items of a wanted list", () => {
    const items = [{ id: 1 }];
    const result = reconcile(tree, null, items, {
      key: (item) => item.id,
      create: (item) => {
        expectTypeOf(item).toEqualTypeOf<{ id: number }>();
        return world.spawn();
      },
    });
    expectTypeOf(result.children).toEqualTypeOf<readonly Entity[]>();
    // @ts-expect-error: a key is a string or a number
    reconcile(tree, null, items, { key: () => ({}), create: () => world.spawn() });
  });

  it("take snapshots and worlds, and patches as data", () => {
    expectTypeOf(diff(takeSnapshot(world), { world, trees: [tree] })).toEqualTypeOf<Patch>();
    // @ts-expect-error: a set entry has values, or a tree and a name
    applyPatch(world, [{ op: "set", id: 1 }]);
    // @ts-expect-error: a world needs its hierarchies beside it
    diff(world, world);
  });
});
