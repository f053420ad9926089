import {
  check,
  component,
  createWorld,
  DisposedWorldError,
  type Entity,
  f32,
  object,
  string,
  tag,
} from "espalier/ecs";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
import {
  AsyncTransactionError,
  createHistory,
  DuplicateHistoryError,
  HistoryBusyError,
  type HistoryOptions,
  InvalidHistoryError,
  isReplaying,
  transaction,
} from "espalier/history";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string() });
const Bag = component("Bag", { items: object((): string[] => []) });
const Frozen = tag("Frozen");

function recorded(options: HistoryOptions = {}) {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree, history: createHistory(world, options) };
}

describe("undo", () => {
  it("brings a destroyed subtree back: ids, order, names, values", () => {
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
    expect(check(world)).toEqual([]);
  });

  it("says what it did, and does nothing where there is nothing", () => {
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

  it("gathers what happens outside of steps in a step of its own", () => {
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

  it("emits events and tells readers of changes like any other change", () => {
    const { world, tree, history } = recorded();
    const [a, b] = [world.spawn(Position), world.spawn()];
    tree.attach(a, b);
    history.commit();
    tree.detach(a);
    world.set(a, Position, { x: 1 });
    const [events, changes] = [tree.events.reader(), world.changes(Position)];
    history.undo();
    expect(events.read()).toMatchObject([{ type: "added", child: a, parent: b }]);
    expect(changes.read()).toEqual({ added: [], changed: [a], removed: [] });
  });
});

describe("a step", () => {
  it("is part of the step around it, and returns what its function returns", () => {
    const { world, history } = recorded();
    const made = history.step("outer", () => {
      history.step("inner", () => world.spawn());
      history.begin("also inner");
      world.spawn();
      history.commit();
      return world.spawn();
    });
    expect(world.isAlive(made)).toBe(true);
    expect(history.undoLabels).toEqual(["outer"]);
    history.undo();
    expect(world.count).toBe(0);
  });

  it("keeps what was done when its function throws, so that it can be undone", () => {
    const { world, history } = recorded();
    const failing = () =>
      history.step("half", () => {
        world.spawn();
        throw new Error("no");
      });
    expect(failing).toThrow("no");
    expect([world.count, history.undoLabels]).toEqual([1, ["half"]]);
    history.undo();
    expect(world.count).toBe(0);
  });

  it("can be cancelled", () => {
    const { world, history } = recorded();
    const e = world.spawn(Position);
    history.begin("drag");
    history.begin("inside");
    world.set(e, Position, { x: 5 });
    history.cancel();
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
    expect(history.undoLabels).toEqual([""]);
    expect(() => history.cancel()).toThrow("Cannot cancel: no step is open. Begin one with history.begin().");
  });

  it("joins the one before it when both have the same key", () => {
    const { world, history } = recorded();
    const e = world.spawn(Position, Label);
    const drag = (x: number, key = "drag") =>
      history.step("Drag", () => world.set(e, Position, { x, y: x * 2 }), { key });
    drag(1);
    const { bytes } = history;
    for (let x = 2; x <= 200; x++) drag(x);
    expect(history.undoLabels).toEqual(["Drag", ""]);
    expect(history.bytes).toBe(bytes);
    history.undo();
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
    history.redo();
    expect(world.get(e, Position)).toEqual({ x: 200, y: 400 });
    drag(1);
    drag(2, "another");
    history.seal();
    drag(3, "another");
    expect(history.undoLabels).toEqual(["Drag", "Drag", "Drag", "Drag", ""]);
    while (history.undoLabels.length > 2) history.undo();
    expect(world.get(e, Position)).toEqual({ x: 200, y: 400 });
  });

  it("joins also where it wrote other things, strings and structure", () => {
    const { world, tree, history } = recorded();
    const [a, b] = [world.spawn(Position, Label), world.spawn(Position, Label)];
    history.commit();
    const type = (entity: Entity, text: string) =>
      history.step("Type", () => world.set(entity, Label, { text }), { key: "type" });
    type(a, "t");
    type(a, "ta");
    type(b, "x");
    history.step("Type", () => world.set(a, Position, { x: 1 }), { key: "type" });
    type(a, "tan");
    history.step("Type", () => tree.attach(a, b), { key: "type" });
    type(a, "tank");
    type(b, "y");
    expect(history.undoLabels).toEqual(["Type", ""]);
    const end = [world.get(a, Label), world.get(b, Label), world.get(a, Position), tree.parentOf(a)];
    history.undo();
    expect([world.get(a, Label), world.get(b, Label)]).toEqual([{ text: "" }, { text: "" }]);
    expect([world.get(a, Position), tree.parentOf(a)]).toEqual([{ x: 0, y: 0 }, null]);
    history.redo();
    expect([world.get(a, Label), world.get(b, Label), world.get(a, Position), tree.parentOf(a)]).toEqual(end);
  });

  it("does not wait for promises", async () => {
    const { world, history } = recorded();
    const e = world.spawn(Position);
    const later = () =>
      history.step("later", async () => {
        world.set(e, Position, { x: 1 });
      });
    expect(later).toThrow(AsyncTransactionError);
    expect(later).toThrow(
      "Cannot wait for a promise inside a step: others would change the world meanwhile. Do the waiting before it, or use history.begin() and history.commit(). [history/async]",
    );
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
    history.begin("later");
    await Promise.resolve();
    world.set(e, Position, { x: 2 });
    history.commit();
    expect(history.undoLabels).toEqual(["later", ""]);
  });
});

describe("a history", () => {
  it("gives up the oldest steps when there are too many", () => {
    const { world, history } = recorded({ maxSteps: 3 });
    for (let k = 0; k < 500; k++) history.step(`${k}`, () => world.spawn());
    expect(history.undoLabels).toEqual(["499", "498", "497"]);
    expect(history.dropped).toBe(497);
    while (history.undo());
    expect(world.count).toBe(497);
    while (history.redo());
    expect(world.count).toBe(500);
    expect(check(world)).toEqual([]);
  });

  it("gives up the oldest steps when they take too much memory", () => {
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

  it("cannot undo a step that alone is too large, and goes on with the next", () => {
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

  it("records only in steps when asked to, and then costs nothing outside", () => {
    const { world, history } = recorded({ implicit: false });
    expect(world.recorder).toBe(undefined);
    const e = world.spawn(Position);
    history.step("set", () => world.set(e, Position, { x: 1 }));
    expect(world.recorder).toBe(undefined);
    expect(history.undoLabels).toEqual(["set"]);
    history.undo();
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
    expect(world.recorder).toBe(undefined);
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
    expect(world.recorder).toBe(undefined);
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

  it("refuses what would tear a step or a transaction apart", () => {
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

describe("observers", () => {
  it("run for what is undone; one that only adds components needs no care", () => {
    const { world, history } = recorded();
    const seen: string[] = [];
    world.observe(Position, {
      add: (entity) => {
        seen.push(`add ${isReplaying(world)}`);
        world.add(entity, Label({ text: "new" }));
      },
      remove: () => seen.push(`remove ${history.isReplaying}`),
    });
    const e = world.spawn();
    history.commit();
    world.add(e, Position);
    world.set(e, Label, { text: "edited" });
    history.undo();
    expect([world.has(e, Position), world.has(e, Label)]).toEqual([false, false]);
    history.redo();
    expect(world.get(e, Label)).toEqual({ text: "edited" });
    history.undo();
    expect([world.has(e, Position), world.has(e, Label)]).toEqual([false, false]);
    expect(seen).toEqual(["add false", "remove true", "add true", "remove true"]);
  });

  it("that create entities ask isReplaying; otherwise undo says so and changes nothing", () => {
    const { world, history } = recorded();
    let careful = false;
    world.observe(Frozen, {
      add: () => {
        if (!careful || !isReplaying(world)) world.spawn(Label);
      },
    });
    const e = world.spawn();
    history.commit();
    history.step("Freeze", () => world.add(e, Frozen));
    history.undo();
    expect(world.count).toBe(1);
    expect(() => history.redo()).toThrow('Cannot redo "Freeze": Cannot bring back #2: it is alive.');
    expect([world.count, world.has(e, Frozen)]).toEqual([1, false]);
    careful = true;
    expect(history.redo()).toBe(true);
    expect([world.count, world.has(e, Frozen)]).toEqual([2, true]);
    expect(check(world)).toEqual([]);
  });

  it("cannot undo while they are told", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const history = createHistory(world);
    world.observeEntities({ destroy: () => void history.undo() });
    const e = world.spawn();
    history.commit();
    world.destroy(e);
    expect(errors[0]?.message).toContain(
      "Cannot undo inside an observer: the change it is told of has not ended. Do it after the call that made the change. [history/busy]",
    );
    expect(check(world)).toEqual([]);
    history.undo();
    expect(world.isAlive(e)).toBe(true);
  });

  it("cannot begin a step while one is undone", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const history = createHistory(world);
    world.observe(Frozen, { remove: () => void history.step("no", () => {}) });
    const e = world.spawn();
    world.add(e, Frozen);
    history.undo();
    expect(errors[0]?.message).toContain(
      "Cannot begin a step while a step is undone or redone. Observers ask isReplaying(world) and leave it. [history/busy]",
    );
    expect(world.count).toBe(0);
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
