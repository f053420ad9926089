/**
 * Loops that write while a history listens: as copies of whole columns where they write much, against a history that hears of
 * each write.
 */
import { createCommands, type Entity, flush, observe } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { transaction } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Health, Position, Rare, stateOf, violations } from "./random-world.ts";
import { both, type Recorded, record } from "./recorded-twins.ts";

/** What happens at an entity that a loop visits: what to do, and two numbers to do it with. */
const visit = fc.tuple(fc.noBias(fc.nat(39)), fc.nat(0xffff), fc.noBias(fc.nat(9)));

type Visit = readonly [what: number, a: number, b: number];

/** Loops that write, with all that may happen meanwhile. */
function loop(
  { forest: { world, trees }, history, queries }: Recorded,
  script: readonly Visit[],
  kind: number,
): void {
  const tree = trees[0] as Hierarchy;
  let turn = 0;
  const values = [0, -0, Number.NaN, 1e30, 0.1];
  const act = (e: Entity, position: { x: number; y: number }) => {
    const [what, a, b] = script[turn++ % script.length] as Visit;
    position.x = what % 3 === 0 ? (values[b % values.length] as number) : position.x + 1;
    if (b > 4) position.y += a;
    if (turn > 400) return;
    const alive = world.entities();
    const other = alive[a % alive.length] as Entity;
    if (what === 30 && world.has(other, Position)) world.set(other, Position, { x: a });
    else if (what === 31) world.add(other, b < 4 ? Position({ x: b }) : b < 7 ? Health : Rare({ n: a }));
    else if (what === 32) world.remove(other, b < 4 ? Position : b < 7 ? Health : Rare);
    else if (what === 33) world.spawn(Position({ x: a, y: b }), Health);
    else if (what === 34) world.destroy(b < 3 ? e : other);
    else if (what === 35) tree.attach(e, other);
    else if (what === 36 && b < 5) history.commit();
    else if (what === 37) {
      transaction(world, () => {
        queries.nested.update((each) => void (each.y -= 1));
        if (b < 5) throw new Error("taken back");
      });
    } else if (what === 38) {
      queries.optional.each((_, health, inner) => {
        health.hp = (health.hp + b) % 1000;
        if (inner !== undefined) inner.x *= 2;
      });
      queries.rares.update((rare) => void (rare.n += a));
    } else if (what === 39 && b === 0) history.undo();
  };
  const attemptTo = (fn: () => void) => {
    try {
      fn();
    } catch (error) {
      if (!/taken back|\[(ecs|hierarchy|history)\//.test(String(error))) throw error;
    }
  };
  const attempt = (e: Entity, position: { x: number; y: number }) => attemptTo(() => act(e, position));
  const query = queries.positions;
  if (kind === 0) query.each(attempt);
  else if (kind === 1) {
    query.update((position) => {
      position.x += 1;
    });
  } else if (kind === 2) {
    queries.both.update((position, health) => {
      position.y = -position.y;
      if (position.x > 3) health.precise += 0.5;
      health.max = (health.max * 3) % 1000;
    });
  } else if (kind === 3) {
    queries.healths.each((e, health) => {
      health.hp = e % 100;
    });
  } else if (kind === 4) {
    queries.rares.each((e, rare) => {
      const [what, , b] = script[turn++ % script.length] as Visit;
      if (what === 32) world.remove(e, Rare);
      rare.n = b % 2 === 0 ? rare.n + 1 : (values[b % values.length] as number);
      if (what === 31) rare.why += "!";
    });
  } else {
    // Several with one key become one step.
    const write = [
      () => query.update((position) => void (position.x += 2)),
      () => queries.healths.update((health) => void (health.precise += 1)),
      () => queries.rares.each((e, rare) => void (rare.n += e)),
      () => world.set(world.entities()[0] as Entity, Position, { y: turn }),
    ];
    for (const [what, , b] of script.slice(0, 3)) {
      const writeBoth = () => {
        for (const k of [what, b]) attemptTo(write[k % write.length] as () => void);
      };
      history.step("keyed", writeBoth, { key: "drag" });
    }
  }
}

describe("loops that write", () => {
  it("are undone and redone as if each write was recorded", () => {
    fc.assert(
      fc.property(
        fc.array(visit, { minLength: 1, maxLength: 150 }),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 20, max: 150 }),
        fc.boolean(),
        (script, kinds, size, generate) => {
          const twins = [record(generate, false), record(generate, true)] as const;
          for (const twin of twins) {
            const { world } = twin.forest;
            for (let k = 0; k < size; k++) {
              if (k % 3 === 0) world.spawn(Position({ x: k }));
              else if (k % 3 === 1) world.spawn(Position, Health({ hp: k }));
              else world.spawn(Health, Rare({ n: k }));
            }
            twin.history.commit();
            for (const kind of kinds) {
              loop(twin, script, kind);
              if (kind % 2 === 0) twin.history.commit();
            }
          }
          const [quick, slow] = twins;
          both(quick, slow);
          for (let round = 0; round < 2; round++) {
            while (quick.history.undo()) {
              expect(slow.history.undo()).toBe(true);
              both(quick, slow);
            }
            expect(slow.history.canUndo).toBe(false);
            while (quick.history.redo()) {
              slow.history.redo();
              both(quick, slow);
            }
            expect(slow.history.canRedo).toBe(false);
          }
        },
      ),
      { numRuns: 60, seed: 17 },
    );
  });

  it.each([
    ["commit", 0],
    ["begin", 0],
    ["transaction", 0],
    ["commit", 3],
    ["begin", 3],
    ["transaction", 3],
  ] as const)("may be cut in two by a %s (after %d loops that wrote as much)", (how, before) => {
    const { forest, history, queries } = record(true, false);
    const { world } = forest;
    world.spawnMany(100, Position);
    for (let k = 0; k < before; k++) queries.positions.each((_, position) => void (position.x += 3));
    history.commit();
    const start = stateOf(forest);
    let count = 0;
    let middle: unknown;
    const write = () =>
      queries.positions.each((_, position) => {
        position.x += 1;
        if (++count !== 50) return;
        middle = stateOf(forest);
        if (how === "begin") history.begin("rest");
        else if (how === "commit") history.commit();
        else {
          expect(() =>
            transaction(world, () => {
              world.query(Position).each((_e, inner) => void (inner.x += 5));
              throw new Error("taken back");
            }),
          ).toThrow("taken back");
          expect(stateOf(forest)).toEqual(middle);
        }
      });
    write();
    history.commit();
    const end = stateOf(forest);
    if (how !== "transaction") {
      history.undo();
      expect(stateOf(forest)).toEqual(middle);
    }
    history.undo();
    expect(stateOf(forest)).toEqual(start);
    while (history.redo());
    expect(stateOf(forest)).toEqual(end);
  });

  it.each([
    [3, true],
    [30, true],
    [3, false],
  ])(
    "notify a listener that comes in the middle of one, from then on (after %i passes, generate: %s)",
    (passes, generate) => {
      const { forest, history, queries } = record(generate, false);
      const { world } = forest;
      const entities = world.spawnMany(100, Position);
      for (let k = 0; k < passes; k++) queries.positions.update((position) => void (position.x += 1));
      history.commit();
      const start = stateOf(forest);
      const notified: Entity[] = [];
      let count = 0;
      let end = () => {};
      queries.positions.update((position) => {
        position.x += 1;
        if (++count === 40) end = observe(world, Position, { set: (entity) => notified.push(entity) });
        position.y -= 1;
      });
      expect(notified).toEqual(
        entities.slice(39).flatMap((entity, k) => (k === 0 ? [entity] : [entity, entity])),
      );
      end();
      queries.positions.update((position) => void (position.x += 1));
      expect(notified.length).toBe(121);
      history.commit();
      history.undo();
      expect(stateOf(forest)).toEqual(start);
      expect(violations(forest)).toEqual([]);
    },
  );

  it("are nothing to undo when they change nothing", () => {
    const { forest, history, queries } = record(true, false);
    forest.world.spawnMany(100, Position);
    for (let k = 0; k < 3; k++) queries.positions.update((position) => void (position.x += 1));
    history.commit();
    const { bytes } = history;
    queries.positions.update((position) => {
      position.x += 0;
    });
    history.commit();
    expect(history.bytes).toBe(bytes);
    queries.positions.update((position) => void (position.x = -0));
    history.commit();
    expect(history.bytes).toBeGreaterThan(bytes);
  });

  it("are copied as far as the columns go, when reserved entities have made the table grow", () => {
    const { forest, history, queries } = record(true, false);
    const { world } = forest;
    world.spawnMany(100, Position);
    const commands = createCommands(world);
    history.commit();
    const start = stateOf(forest);
    queries.positions.update((position) => {
      for (let k = 0; k < 50; k++) commands.spawn();
      position.x += 1;
    });
    flush(world);
    history.commit();
    history.undo();
    expect(stateOf(forest)).toEqual(start);
    expect(violations(forest)).toEqual([]);
  });

  it("reach the columns of a world that grows under them", () => {
    const { forest, history, queries } = record(true, false);
    const { world } = forest;
    const entities = world.spawnMany(100, Position);
    for (let k = 0; k < 3; k++) queries.positions.each((_, position) => void (position.x += 1));
    history.commit();
    const start = stateOf(forest);
    queries.positions.each((_, position) => {
      if (position.x === 3 && world.count === 100) world.spawnMany(5000);
      position.x = 7;
    });
    expect(entities.map((entity) => world.get(entity, Position)?.x)).toEqual(entities.map(() => 7));
    history.commit();
    history.undo();
    expect(stateOf(forest)).toEqual(start);
  });

  it("take no more room with a key than without repeating themselves", () => {
    const { forest, history } = record(true, false);
    forest.world.spawnMany(300, Position);
    const query = forest.world.query(Position);
    const before = stateOf(forest);
    history.commit();
    const drag = () =>
      history.step("drag", () => query.update((each) => void (each.x += 1)), { key: "drag" });
    drag();
    const { bytes } = history;
    for (let k = 0; k < 20; k++) drag();
    expect(history.bytes).toBe(bytes);
    expect(history.undoLabels.length).toBe(2);
    history.undo();
    expect(stateOf(forest)).toEqual(before);
  });

  it("are joined by a key, whatever they write", () => {
    const { forest, history, queries } = record(true, false);
    const { world } = forest;
    world.spawnMany(20, Position, Health, Rare);
    const [first] = world.entities() as [Entity];
    history.commit();
    const before = stateOf(forest);
    const drag = (write: () => void) => history.step("Drag", write, { key: "drag" });
    const shift = () => queries.positions.update((position) => void (position.x += 1));
    drag(shift);
    drag(() => queries.healths.update((health) => void (health.hp += 1)));
    drag(() => {
      shift();
      world.set(first, Rare, { why: "b" });
    });
    drag(() => queries.rares.update((rare) => void (rare.n += 1)));
    const after = stateOf(forest);
    expect(history.undoLabels.length).toBe(2);
    for (let round = 0; round < 2; round++) {
      history.undo();
      expect(stateOf(forest)).toEqual(before);
      history.redo();
      expect(stateOf(forest)).toEqual(after);
    }
  });

  it.each([true, false])(
    "may write to entities that they destroyed or removed the component from (%s)",
    (generate) => {
      const { forest, history, queries } = record(generate, false);
      const { world } = forest;
      world.spawnMany(6, Position, Rare);
      history.commit();
      const before = stateOf(forest);
      for (const query of [queries.positions, queries.rares]) {
        for (let round = 0; round < 3; round++) {
          let k = 0;
          (query as typeof queries.positions).each((e, view) => {
            if (k++ % 3 === 0) world.destroy(e);
            else if (k % 3 === 0) world.remove(e, query === queries.rares ? Rare : Position);
            if ("n" in view) view.n = 5;
            else view.x = 5;
          });
          history.undo();
          expect(stateOf(forest)).toEqual(before);
          history.redo();
          history.undo();
          expect(stateOf(forest)).toEqual(before);
          expect(violations(forest)).toEqual([]);
        }
      }
    },
  );

  it("are recorded as copies even after a loop inside", () => {
    const bytesOf = (withInner: boolean) => {
      const { forest, history, queries } = record(true, false);
      forest.world.spawnMany(1000, Position);
      forest.world.spawnMany(4, Health);
      history.clear();
      let isFirst = true;
      queries.positions.each((_, position) => {
        if (isFirst && withInner) queries.healths.each(() => {});
        isFirst = false;
        position.x += 1;
      });
      return history.bytes;
    };
    expect(bytesOf(true)).toBe(bytesOf(false));
  });
});
