/**
 * A history that is alone with its world writes whole lists and single numbers on its tape without being called for each.
 * Beside another recorder it is called for each: the slow, obvious twin.
 */
import type { ComponentInit, Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Label, operation, Position, perform, plantOne, Rare, stateOf, violations } from "./random-world.ts";
import { both, record } from "./recorded-twins.ts";

describe("the short ways on a tape", () => {
  it("lead where hearing of each change leads, there and back", () => {
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 20, maxLength: 200 }),
        fc.boolean(),
        (operations, generate) => {
          const quick = record(generate, false);
          const slow = record(generate, true);
          for (const { forest, history } of [quick, slow]) {
            operations.forEach((each, k) => {
              perform(forest, each);
              // A tree grows on what there is, so that much goes with what is destroyed.
              const alive = forest.world.entities();
              if (k % 2 === 0 && alive.length > 1) perform(forest, [222, k, k * 7 + (each[1] % 5), 0]);
              if (k % 4 === 0) history.commit();
            });
          }
          both(quick, slow);
          while (quick.history.undo()) {
            expect(slow.history.undo()).toBe(true);
            both(quick, slow);
          }
          expect(quick.forest.world.count).toBe(0);
          while (quick.history.redo()) {
            slow.history.redo();
            both(quick, slow);
          }
        },
      ),
      { numRuns: 40, seed: 11 },
    );
  });
});

describe("many moves", () => {
  it.each([true, false])(
    "are undone and redone like few, also while the world grows (generated code: %s)",
    (generate) => {
      const twins = [record(generate, false), record(generate, true)] as const;
      const moves = fc.sample(fc.tuple(fc.nat(99), fc.nat(0xffff), fc.nat(0xffff)), {
        numRuns: 1500,
        seed: 41,
      });
      for (const { forest, history } of twins) {
        const tree = forest.trees[0] as Hierarchy;
        moves.forEach(([what, a, b], k) => {
          if (k % 4 === 0) tree.attachNew(null, Position);
          const alive = forest.world.entities();
          const [e, other] = [alive[a % alive.length], alive[b % alive.length]] as [Entity, Entity];
          if (what % 4 === 0) tree.detach(e);
          else if (what % 4 === 1 && tree.canAttach(e, other)) tree.attach(e, other, { at: "first" });
          else if (tree.canAttach(e, other)) tree.attach(e, other);
          if (k % 50 === 0) history.commit();
        });
        history.commit();
      }
      const [quick, slow] = twins;
      both(quick, slow);
      for (let round = 0; round < 2; round++) {
        while (quick.history.undo()) {
          slow.history.undo();
          both(quick, slow);
        }
        while (quick.history.redo()) slow.history.redo();
        both(quick, slow);
      }
    },
  );
});

describe("a destroyed tree", () => {
  function build(generate: boolean) {
    const forest = plantOne({ generate });
    const { world } = forest;
    const tree = forest.trees[0] as Hierarchy;
    const history = createHistory(world);
    const inits: ComponentInit[][] = [[Position], [], [Label], [Position, Rare], [Rare, Label, Position]];
    /** A tree of `size` entities, each under one of those before it. */
    const grow = (seed: number, size: number): Entity => {
      const made = [world.spawn(Position)];
      for (let k = 1; k < size; k++) {
        const parent = made[(k * seed * 31 + (k >> 2)) % made.length] as Entity;
        // Not by number: the positions that are kept for that make every change be heard.
        const entity = tree.attachNewAt(
          parent,
          { at: (k * seed) % 3 === 0 ? "first" : "last" },
          ...(inits[(k * seed) % inits.length] as ComponentInit[]),
        );
        if (world.has(entity, Position)) world.set(entity, Position, { x: k, y: seed });
        if (world.has(entity, Label)) world.set(entity, Label, { text: `${k}`, bold: k % 2 === 0 });
        if (world.has(entity, Rare)) world.set(entity, Rare, { n: k / 3 });
        made.push(entity);
      }
      return made[0] as Entity;
    };
    return { world, tree, history, grow, forest };
  }

  it.each([true, false])("comes back whole, and goes again (generated code: %s)", (generate) => {
    const { world, tree, history, grow, forest } = build(generate);
    const other = grow(3, 50);
    const top = grow(5, 700);
    tree.attach(top, other, { at: "first" });
    history.commit();
    const before = stateOf(forest);
    world.destroy(top);
    const after = stateOf(forest);
    expect(world.count).toBe(50);
    for (let round = 0; round < 3; round++) {
      history.undo();
      expect(stateOf(forest)).toEqual(before);
      expect(violations(forest)).toEqual([]);
      history.redo();
      expect(stateOf(forest)).toEqual(after);
      expect(violations(forest)).toEqual([]);
    }
  });

  it("comes back when its places were used so often that their handles rest", () => {
    const { world, history, grow, forest } = build(true);
    const states: unknown[] = [];
    for (let round = 0; round < 1100; round++) {
      const top = grow(round + 1, 8);
      if (round >= 500 && round % 50 === 0) {
        history.commit();
        states.push(stateOf(forest));
      }
      world.destroy(top);
      if (round >= 500 && round % 50 === 0) history.commit();
    }
    history.commit();
    const end = stateOf(forest);
    for (let k = states.length - 1; k >= 0; k--) {
      history.undo();
      history.undo();
      expect(stateOf(forest)).toEqual(states[k]);
      expect(violations(forest)).toEqual([]);
    }
    while (history.redo());
    expect(stateOf(forest)).toEqual(end);
  });

  it("comes back inside a loop over a query, where places wait", () => {
    const { world, tree, history, grow, forest } = build(true);
    const tops = [grow(2, 300), grow(3, 300), grow(4, 300)];
    for (const top of tops) tree.attachNew(top);
    history.commit();
    const before = stateOf(forest);
    history.step("destroy while walking", () => {
      world.query(Position).each((entity) => {
        if (tree.parentOf(entity) === null) world.destroy(entity);
      });
    });
    expect(world.count).toBe(0);
    history.undo();
    expect(stateOf(forest)).toEqual(before);
    expect(violations(forest)).toEqual([]);
  });

  it("comes back when the transaction around it fails", () => {
    const { world, history, grow, forest } = build(true);
    const top = grow(7, 200);
    history.commit();
    const before = stateOf(forest);
    expect(() =>
      history.transaction("fail", () => {
        world.destroy(top);
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(stateOf(forest)).toEqual(before);
  });
});
