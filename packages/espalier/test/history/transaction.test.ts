import {
  changesOf,
  checkWorld,
  component,
  createChannel,
  createWorld,
  type Entity,
  f32,
  MissingRoomError,
  object,
  observe,
  resource,
  tag,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  AsyncTransactionError,
  createHistory,
  enableTransactions,
  isReplaying,
  transaction,
} from "espalier/history";
import { stateOf as internalState } from "espalier/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operation, perform, plant, stateOf, violations } from "./random-world.ts";

const Health = component("Health", { hp: f32(100) });
const Frozen = tag("Frozen");

/** Runs `fn` and takes it back. */
function failing(world: ReturnType<typeof createWorld>, fn: () => void): void {
  expect(() =>
    transaction(world, () => {
      fn();
      throw new Error("changed my mind");
    }),
  ).toThrow("changed my mind");
}

describe("a transaction", () => {
  it("keeps everything when its function returns, and returns what that returns", () => {
    const world = createWorld();
    const e = transaction(world, () => world.spawn(Health));
    expect(world.has(e, Health)).toBe(true);
    expect(internalState(world).recorder.wanted).toBe(false);
  });

  it("is a call of the world once this room takes care of it", () => {
    const world = createWorld();
    expect(() => world.transaction(() => world.spawn())).toThrow(MissingRoomError);
    expect(() => world.transaction(() => world.spawn())).toThrow(
      "Cannot start a transaction: nothing can take back what is changed in this world. Call enableTransactions(world) or createHistory(world) of espalier/history once, or transaction(world, work). [ecs/missing-room]",
    );
    expect(world.count).toBe(0);
    enableTransactions(world);
    const e = world.transaction(() => world.spawn(Health({ hp: 5 })));
    expect(() =>
      world.transaction(() => {
        world.destroy(e);
        world.spawn();
        throw new Error("no");
      }),
    ).toThrow("no");
    expect([world.count, world.get(e, Health)]).toEqual([1, { hp: 5 }]);
    const other = createWorld();
    createHistory(other);
    expect(other.transaction(() => 7)).toBe(7);
    other.dispose();
    expect(() => other.transaction(() => 7)).toThrow("[ecs/disposed-world]");
    expect(() => enableTransactions(other)).toThrow("[ecs/disposed-world]");
  });

  it("rolls everything back when its function throws, including the ids", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const Score = resource<number>("Score");
    const [a, b] = [world.spawn(Health), world.spawn(Health)];
    tree.attach(b, a);
    failing(world, () => {
      world.destroy(a);
      world.spawn(Frozen);
      tree.setName(world.spawn(), "new");
      world.setResource(Score, 5);
    });
    expect(world.entities()).toEqual([a, b]);
    expect(tree.parentOf(b)).toBe(a);
    expect(world.hasResource(Score)).toBe(false);
    expect(world.spawn()).toBe(3);
    expect(world.query(Health).ids()).toEqual([a, b]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("can be nested: the inner one rolls back its own part, the outer one all", () => {
    const world = createWorld();
    const a = world.spawn(Health);
    transaction(world, () => {
      world.set(a, Health, { hp: 1 });
      failing(world, () => {
        world.set(a, Health, { hp: 2 });
        transaction(world, () => world.spawn());
      });
      expect([world.get(a, Health)?.hp, world.count]).toEqual([1, 1]);
    });
    expect(world.get(a, Health)?.hp).toBe(1);
    failing(world, () => {
      transaction(world, () => world.set(a, Health, { hp: 3 }));
    });
    expect(world.get(a, Health)?.hp).toBe(1);
  });

  it("delivers events when it ends, and never those it took back", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const news = createChannel<string>(world, "news");
    const [a, b] = [world.spawn(), world.spawn()];
    const [reader, treeReader] = [news.reader(), tree.events.reader()];
    transaction(world, () => {
      news.emit("first");
      failing(world, () => {
        news.emit("never");
        tree.attach(a, b);
      });
      news.emit("second");
      expect(reader.read()).toEqual([]);
    });
    expect(reader.read()).toEqual(["first", "second"]);
    expect(treeReader.read()).toEqual([]);
    failing(world, () => void world.destroy(b));
    expect(treeReader.read()).toEqual([]);
  });

  it("leaves no trace with readers of changes that did not read inside", () => {
    const world = createWorld();
    const a = world.spawn(Health);
    const outside = changesOf(world, Health);
    const inside = changesOf(world, Health);
    failing(world, () => {
      world.set(a, Health, { hp: 1 });
      world.destroy(a);
      world.spawn(Health);
    });
    expect(outside.read()).toEqual({ added: [], changed: [], removed: [] });
    world.set(a, Health, { hp: 2 });
    expect(outside.read()).toEqual({ added: [], changed: [a], removed: [] });
    inside.read();
    failing(world, () => {
      world.remove(a, Health);
      expect(inside.read().removed).toEqual([a]);
    });
    expect(inside.read().added).toEqual([a]);
  });

  it("calls observers immediately, also for what it rolls back", () => {
    const world = createWorld();
    const calls: string[] = [];
    observe(world, Frozen, { add: () => calls.push("add"), remove: () => calls.push("remove") });
    const a = world.spawn();
    failing(world, () => world.add(a, Frozen));
    expect(calls).toEqual(["add", "remove"]);
  });

  it("does not see into objects", () => {
    const world = createWorld();
    const Bag = component("Bag", { items: object((): string[] => []) });
    const e = world.spawn(Bag);
    failing(world, () => {
      world.get(e, Bag)?.items.push("sword");
      world.set(e, Bag, { items: ["axe"] });
    });
    expect(world.get(e, Bag)?.items).toEqual(["sword"]);
  });

  it("refuses to wait, and rolls back what was done until then", () => {
    const world = createWorld();
    const waiting = () => transaction(world, async () => void world.spawn());
    expect(waiting).toThrow(AsyncTransactionError);
    expect(waiting).toThrow(
      "Cannot wait for a promise inside a transaction: other code would change the world meanwhile.",
    );
    expect(world.count).toBe(0);
  });

  it("works inside loops over entities, and where structure is locked", () => {
    const world = createWorld();
    const all = world.spawnMany(5, Health);
    world.query(Health).each((entity) => {
      failing(world, () => {
        world.destroy(...all);
        world.spawn(Health);
        expect(entity).toBeGreaterThan(0);
      });
    });
    expect(world.query(Health).ids()).toEqual(all);
    world.query(Health).update((health) => {
      failing(world, () => {
        health.hp = 5;
      });
    });
    expect(all.map((e) => world.get(e, Health)?.hp)).toEqual([100, 100, 100, 100, 100]);
    expect([world.spawn(), checkWorld(world)]).toEqual([6, []]);
  });

  it("leaves a world alone that was disposed inside it", () => {
    const world = createWorld();
    failing(world, () => {
      world.spawn();
      world.dispose();
    });
    expect(world.isDisposed).toBe(true);
  });

  it("lets observers of the rollback run when everything is back", () => {
    const world = createWorld();
    const [a, b] = world.spawnMany(2, Frozen) as [Entity, Entity];
    const seen: unknown[] = [];
    // What it creates cannot get the index of an entity that comes back.
    observe(world, Health, {
      remove: () => {
        seen.push([world.isAlive(a), world.isAlive(b), isReplaying(world)]);
        world.spawn();
      },
    });
    const stubborn = () =>
      transaction(world, () => {
        world.destroy(a, b);
        world.spawn(Health);
        throw new Error("back");
      });
    expect(stubborn).toThrow("back");
    expect([seen, world.count, checkWorld(world)]).toEqual([[[true, true, true]], 3, []]);
  });
});

describe("history.transaction", () => {
  it("is a step when it succeeds and nothing when it fails", () => {
    const world = createWorld();
    const history = createHistory(world);
    const e = history.transaction("Create", () => world.spawn(Health));
    expect(() =>
      history.transaction("Kill", () => {
        world.destroy(e);
        throw new Error("no");
      }),
    ).toThrow("no");
    expect([history.undoLabels, world.isAlive(e)]).toEqual([["Create"], true]);
    history.undo();
    expect(world.isAlive(e)).toBe(false);
    expect(history.redoLabels).toEqual(["Create"]);
    failing(world, () => void world.spawn());
    expect(history.redo()).toBe(true);
  });

  it("lets a failed transaction inside a step roll back only its part", () => {
    const world = createWorld();
    const history = createHistory(world);
    history.step("outer", () => {
      world.spawn(Health);
      failing(world, () => void world.spawn(Frozen));
      history.transaction("inner", () => world.spawn(Health));
    });
    expect([history.undoLabels, world.count]).toEqual([["outer"], 2]);
    history.undo();
    expect(world.count).toBe(0);
  });
});

describe("random transactions", () => {
  it.each([true, false])("that fail leave the world as it was (history: %s)", (withHistory) => {
    const part = fc.array(operation, { maxLength: 40 });
    fc.assert(
      fc.property(part, part, part, (before, inside, nested) => {
        const forest = plant();
        const history = withHistory ? createHistory(forest.world) : undefined;
        const empty = stateOf(forest);
        for (const each of before) perform(forest, each);
        const state = stateOf(forest);
        failing(forest.world, () => {
          for (const each of inside) perform(forest, each);
          const middle = stateOf(forest);
          failing(forest.world, () => {
            for (const each of nested) perform(forest, each);
          });
          expect(stateOf(forest)).toEqual(middle);
          for (const each of nested) perform(forest, each);
        });
        expect(stateOf(forest)).toEqual(state);
        expect(violations(forest)).toEqual([]);
        if (history === undefined) return;
        while (history.undo());
        expect(stateOf(forest)).toEqual(empty);
        while (history.redo());
        expect(stateOf(forest)).toEqual(state);
      }),
      { numRuns: 100, seed: 11 },
    );
  });
});
