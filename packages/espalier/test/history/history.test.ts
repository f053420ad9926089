import {
  changesOf,
  checkWorld,
  component,
  createWorld,
  DisposedWorldError,
  type Entity,
  f32,
  object,
  string,
} from "espalier";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
import {
  createHistory,
  DuplicateHistoryError,
  HistoryBusyError,
  type HistoryOptions,
  InvalidHistoryError,
  transaction,
} from "espalier/history";
import { stateOf as internalState } from "espalier/internal";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string() });
const Bag = component("Bag", { items: object((): string[] => []) });

function recorded(options: HistoryOptions = {}) {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree, history: createHistory(world, options) };
}

describe("undo", () => {
  it("restores a destroyed subtree: ids, order, names, values", () => {
    const { world, tree, history } = recorded();
    const { named } = spawnTree(tree, {
      name: "level",
      children: [
        { name: "hangar" },
        {
          name: "tank",
          with: [Position({ x: 3 }), Label({ text: "T-1" })],
          children: [
            { name: "turret", with: [Bag({ items: ["shell"] })], children: [{ name: "gun" }] },
            { name: "hatch" },
          ],
        },
        { name: "tree" },
      ],
    });
    const items = world.get(named.turret, Bag)?.items;
    history.step("Delete tank", () => world.destroy(named.tank));
    expect(tree.childrenOf(named.level)).toEqual([named.hangar, named.tree]);
    expect(history.undo()).toBe(true);
    expect(tree.childrenOf(named.level)).toEqual([named.hangar, named.tank, named.tree]);
    expect(tree.childrenOf(named.tank)).toEqual([named.turret, named.hatch]);
    expect(tree.find("/level/tank/turret/gun")).toBe(named.gun);
    expect(world.get(named.tank, Position)).toEqual({ x: 3, y: 0 });
    expect(world.get(named.tank, Label)).toEqual({ text: "T-1" });
    expect(world.get(named.turret, Bag)?.items).toBe(items);
    expect(checkWorld(world)).toEqual([]);
  });

  it("returns whether it did anything, and does nothing without a step", () => {
    const { world, history } = recorded();
    expect([history.undo(), history.redo(), history.canUndo, history.canRedo]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    history.step("nothing", () => {});
    expect(history.canUndo).toBe(false);
    history.step("a", () => world.spawn());
    history.step("b", () => world.spawn());
    expect(history.undoLabels).toEqual(["b", "a"]);
    expect(history.undo()).toBe(true);
    expect([history.undoLabels, history.redoLabels]).toEqual([["a"], ["b"]]);
    history.step("c", () => world.spawn());
    expect([history.undoLabels, history.redoLabels, history.canRedo]).toEqual([["c", "a"], [], false]);
  });

  it("collects changes outside of steps in a separate step", () => {
    const { world, history } = recorded();
    world.spawn();
    world.spawn();
    expect(history.undoLabels).toEqual([""]);
    history.step("third", () => world.spawn());
    world.spawn();
    history.commit();
    world.spawn();
    expect(history.undoLabels).toEqual(["", "", "third", ""]);
    const counts: number[] = [];
    while (history.undo()) counts.push(world.count);
    expect(counts).toEqual([4, 3, 2, 0]);
  });

  it("gives the same ids again after it", () => {
    const { world, history } = recorded();
    const a = world.spawn();
    world.destroy(a);
    history.commit();
    const [b, c] = [world.spawn(), world.spawn()];
    history.undo();
    expect([world.spawn(), world.spawn()]).toEqual([b, c]);
  });

  it("emits events and notifies change readers like any other change", () => {
    const { world, tree, history } = recorded();
    const [a, b] = [world.spawn(Position), world.spawn()];
    tree.attach(a, b);
    history.commit();
    tree.detach(a);
    world.set(a, Position, { x: 1 });
    const [events, changes] = [tree.events.reader(), changesOf(world, Position)];
    history.undo();
    expect(events.read()).toMatchObject([{ type: "added", child: a, parent: b }]);
    expect(changes.read()).toEqual({ added: [], changed: [a], removed: [] });
  });
});

describe("a history", () => {
  it("drops the oldest steps when there are too many", () => {
    const { world, history } = recorded({ maxSteps: 3 });
    for (let k = 0; k < 500; k++) history.step(`${k}`, () => world.spawn());
    expect(history.undoLabels).toEqual(["499", "498", "497"]);
    expect(history.dropped).toBe(497);
    while (history.undo());
    expect(world.count).toBe(497);
    while (history.redo());
    expect(world.count).toBe(500);
    expect(checkWorld(world)).toEqual([]);
  });

  it("drops the oldest steps when they take too much memory", () => {
    const { world, history } = recorded({ maxBytes: 4000 });
    const e = world.spawn(Position, Label);
    for (let k = 1; k <= 2000; k++) {
      history.step(`${k}`, () => {
        world.set(e, Position, { x: k, y: k });
        world.set(e, Label, { text: `text ${k}` });
      });
      expect(history.bytes).toBeLessThanOrEqual(4000);
    }
    expect(history.undoLabels.length).toBeGreaterThan(40);
    const left = 2000 - history.undoLabels.length;
    while (history.undo());
    expect(world.get(e, Position)).toEqual({ x: left, y: left });
    expect(world.get(e, Label)).toEqual({ text: `text ${left}` });
  });

  it("cannot undo a step that alone is too large, and continues with the next", () => {
    const { world, history } = recorded({ maxBytes: 8000 });
    const e = world.spawn(Position);
    history.step("small", () => world.set(e, Position, { x: 1 }));
    history.step("large", () => {
      for (let k = 0; k < 5000; k++) world.set(e, Position, { x: k + 2 });
      expect(() => history.cancel()).toThrow("it is larger than maxBytes (8000)");
    });
    expect([history.canUndo, history.bytes, history.dropped > 0]).toEqual([false, 0, true]);
    history.step("next", () => world.set(e, Position, { x: -1 }));
    expect(history.undo()).toBe(true);
    expect(world.get(e, Position)).toEqual({ x: 5001, y: 0 });
    for (let k = 0; k < 5000; k++) world.set(e, Position, { x: k });
    expect(history.canUndo).toBe(false);
    history.commit();
    world.set(e, Position, { x: 7 });
    history.undo();
    expect(world.get(e, Position)).toEqual({ x: 4999, y: 0 });
  });

  it("records only in steps on request, and then costs nothing outside", () => {
    const { world, history } = recorded({ implicit: false });
    expect(internalState(world).recorder.wanted).toBe(false);
    const e = world.spawn(Position);
    history.step("set", () => world.set(e, Position, { x: 1 }));
    expect(internalState(world).recorder.wanted).toBe(false);
    expect(history.undoLabels).toEqual(["set"]);
    history.undo();
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
    expect(internalState(world).recorder.wanted).toBe(false);
    history.redo();
    expect(world.get(e, Position)).toEqual({ x: 1, y: 0 });
  });

  it("forgets its steps, and everything when it is closed", () => {
    const { world, history } = recorded();
    world.spawn();
    const before = history.version;
    history.clear();
    expect([history.canUndo, history.version > before]).toEqual([false, true]);
    history.close();
    history.close();
    expect(internalState(world).recorder.wanted).toBe(false);
    expect(() => history.undo()).toThrow(
      "Cannot undo: this history was closed. Create another with createHistory(). [history/busy]",
    );
    const next = createHistory(world);
    world.spawn();
    expect(next.undo()).toBe(true);
  });

  it("exists once per world", () => {
    const { world } = recorded();
    expect(() => createHistory(world)).toThrow(DuplicateHistoryError);
    expect(() => createHistory(world)).toThrow(
      "Cannot create a history: this world has one already, and two would undo each other's steps. Share it, or close() it first. [history/duplicate]",
    );
    expect(() => createHistory(createWorld(), { maxSteps: 0 })).toThrow(InvalidHistoryError);
    expect(() => createHistory(createWorld(), { maxBytes: Number.NaN })).toThrow(
      "Cannot create a history with maxBytes NaN. Give a number of at least 1, or leave it out. [history/invalid-options]",
    );
  });

  it("refuses calls that would split a step or a transaction", () => {
    const { world, history } = recorded();
    history.begin("open");
    for (const call of [
      () => history.undo(),
      () => history.redo(),
      () => history.clear(),
      () => history.close(),
    ]) {
      expect(call).toThrow(HistoryBusyError);
      expect(call).toThrow('inside step "open": it has not ended. Commit or cancel it first. [history/busy]');
    }
    transaction(world, () => {
      expect(() => history.commit()).toThrow(
        'Cannot commit step "open" inside a transaction that began in it. End the transaction first. [history/busy]',
      );
    });
    history.commit();
    transaction(world, () => {
      const text =
        "inside a transaction, which may take it back. Do it before, or use history.transaction().";
      expect(() => history.undo()).toThrow(`Cannot undo ${text}`);
      expect(() => history.begin("no")).toThrow(`Cannot begin a step ${text}`);
      expect(() => history.commit()).toThrow(`Cannot commit ${text}`);
      expect(() => createHistory(createWorld())).not.toThrow();
    });
    expect(history.step("still works", () => world.spawn())).toBe(1);
    world.query().update(() => {
      expect(() => history.undo()).toThrow("Cannot undo inside query.update() or query.run()");
    });
    world.dispose();
    expect(() => history.undo()).toThrow(DisposedWorldError);
  });
});

describe("deep trees", () => {
  it("of 200,000 levels are destroyed, undone and redone", () => {
    const { world, tree, history } = recorded();
    const chain: Entity[] = [world.spawn(Position)];
    for (let k = 1; k < 200_000; k++) chain.push(tree.attachNew(chain[k - 1] as Entity, Position({ x: k })));
    history.clear();
    world.destroy(chain[0] as Entity);
    expect(world.count).toBe(0);
    history.undo();
    expect(world.count).toBe(200_000);
    const last = chain.at(-1) as Entity;
    expect([tree.depthOf(last), world.get(last, Position)?.x]).toEqual([199_999, 199_999]);
    history.redo();
    expect(world.count).toBe(0);
    history.undo();
    expect(tree.parentOf(last)).toBe(chain.at(-2));
  });
});
