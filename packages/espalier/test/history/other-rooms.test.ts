import { checkWorld, createWorld, type Entity } from "espalier";
import { checkTree, createHierarchy } from "espalier/hierarchy";
import { createHistory, createVersions, transaction } from "espalier/history";
import { createTransforms2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** A world whose transforms live in tree order, in memory that another room keeps. */
function scene() {
  const world = createWorld({ capacity: 8 });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const state = () =>
    world.entities().map((entity) => ({
      entity,
      parent: tree.parentOf(entity),
      has: world.has(entity, space.component),
      local: space.localOf(entity),
      world: space.worldOf(entity),
      siblings: tree.childrenOf(entity),
    }));
  return { world, tree, space, state };
}

describe("values that another room keeps", () => {
  it("come back with a destroyed subtree", () => {
    const { world, tree, space, state } = scene();
    const tank = world.spawn(space.at(10, 20));
    const turret = tree.attachNew(tank, space.at(1, 2, 0.5));
    const gun = tree.attachNew(turret, space.at(3, 0));
    const before = state();
    const history = createHistory(world);
    world.destroy(tank);
    world.spawn(space.at(7, 7));
    space.propagate();
    history.undo();
    expect(state()).toEqual(before);
    expect(space.worldX(gun)).toBeCloseTo(11 + 3 * Math.cos(0.5), 4);
    history.redo();
    expect(world.count).toBe(1);
    history.undo();
    expect(state()).toEqual(before);
    expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
  });

  it.each([true, false])("come back with a large tree (all at once: %s)", (isAlone) => {
    const { world, tree, space, state } = scene();
    const tops = [world.spawn(space.at(1, 1)), world.spawn(space.at(2, 2))];
    const made = [...tops];
    for (let k = 0; k < 60; k++) {
      const parent = made[(k * 13) % made.length] as Entity;
      made.push(k % 4 === 0 ? tree.attachNew(parent) : tree.attachNew(parent, space.at(k, -k, k / 10)));
    }
    const before = state();
    const history = createHistory(world);
    // A listener to each change makes the history record each, too.
    if (!isAlone) createVersions(tree);
    world.destroy(tops[0] as Entity);
    const after = state();
    for (let round = 0; round < 2; round++) {
      history.undo();
      expect(state()).toEqual(before);
      expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
      history.redo();
      expect(state()).toEqual(after);
    }
  });

  it("keep their world transforms, undone and redone", () => {
    const { world, tree, space } = scene();
    const [a, b, child] = [
      world.spawn(space.at(10, 0)),
      world.spawn(space.at(0, 5)),
      world.spawn(space.at(1, 1)),
    ];
    tree.attach(child, a);
    const history = createHistory(world);
    history.step("Move", () => tree.attach(child, b, { keep: "world" }));
    expect(space.localOf(child)).toMatchObject({ x: 11, y: -4 });
    history.undo();
    expect(space.localOf(child)).toMatchObject({ x: 1, y: 1 });
    expect(tree.parentOf(child)).toBe(a);
    history.redo();
    expect(space.localOf(child)).toMatchObject({ x: 11, y: -4 });
    expect(space.worldPosition(child)).toEqual({ x: 11, y: 1 });
  });

  it("survive random edits, undone, redone and rolled back", () => {
    const operation = fc.tuple(fc.nat(7), fc.nat(99), fc.nat(99));
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), fc.nat(59), (operations, failing) => {
        const { world, tree, space, state } = scene();
        world.spawnMany(3, space.at(1, 2));
        const start = state();
        const history = createHistory(world);
        const perform = ([what, a, b]: readonly [number, number, number]) => {
          const alive = world.entities();
          const [e, other] = [alive[a % alive.length], alive[b % alive.length]] as [Entity, Entity];
          if (what === 0 || e === undefined) world.spawn(space.at(a, b));
          else if (what === 1) tree.attachNew(e, space.at(a, b, a));
          else if (what === 2 && tree.canAttach(e, other)) tree.attach(e, other, { keep: "world" });
          else if (what === 3) space.setPosition(e, a, b);
          else if (what === 4 && b % 2 === 0) world.destroy(e);
          else if (what === 5) space.setLocal(e, { rotation: a, scaleX: b + 1 });
          else if (what === 6) world.remove(e, space.component);
          else space.propagate();
        };
        operations.forEach((each, k) => {
          if (k !== failing) history.step("random", () => perform(each));
          else {
            const before = state();
            expect(() =>
              transaction(world, () => {
                for (const again of operations.slice(0, 10)) perform(again);
                throw new Error("back");
              }),
            ).toThrow("back");
            expect(state()).toEqual(before);
          }
        });
        const end = state();
        while (history.undo());
        expect(state()).toEqual(start);
        while (history.redo());
        expect(state()).toEqual(end);
        expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
      }),
      { numRuns: 100, seed: 3 },
    );
  });
});
