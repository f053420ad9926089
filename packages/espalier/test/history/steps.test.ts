import {
  checkWorld,
  component,
  createWorld,
  type Entity,
  f32,
  observe,
  observeEntities,
  string,
  tag,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  AsyncTransactionError,
  createHistory,
  type HistoryOptions,
  isReplaying,
  restoreSnapshot,
  takeSnapshot,
} from "espalier/history";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string() });
const Frozen = tag("Frozen");

function recorded(options: HistoryOptions = {}) {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree, history: createHistory(world, options) };
}

describe("a step", () => {
  it("is part of the enclosing step, and returns what its function returns", () => {
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

  it("joins even where it wrote other things, strings and structure", () => {
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
      "Cannot wait for a promise inside a step: other code would change the world meanwhile. Do the waiting before it, or use history.begin() and history.commit(). [history/async]",
    );
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
    history.begin("later");
    await Promise.resolve();
    world.set(e, Position, { x: 2 });
    history.commit();
    expect(history.undoLabels).toEqual(["later", ""]);
  });
});

describe("observers", () => {
  it("run when all of a step is undone or redone, and see isReplaying", () => {
    const { world, history } = recorded();
    const seen: string[] = [];
    observe(world, Position, {
      add: (entity) => {
        seen.push(`add ${isReplaying(world)} ${world.has(entity, Label)}`);
        if (!isReplaying(world)) world.add(entity, Label({ text: "new" }));
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
    expect(seen).toEqual(["add false false", "remove true", "add true true", "remove true"]);
  });

  it("that create entities check isReplaying; otherwise they create a second entity, which the next undo takes back", () => {
    const { world, history } = recorded();
    let careful = false;
    observe(world, Frozen, {
      add: () => {
        if (!careful || !isReplaying(world)) world.spawn(Label);
      },
    });
    const e = world.spawn();
    history.commit();
    history.step("Freeze", () => world.add(e, Frozen));
    history.undo();
    expect(world.count).toBe(1);
    expect(history.redo()).toBe(true);
    expect([world.count, world.has(e, Frozen)]).toEqual([3, true]);
    expect(history.undo()).toBe(true);
    expect([world.count, world.has(e, Frozen)]).toEqual([1, false]);
    expect(history.redo()).toBe(true);
    expect(history.undo()).toBe(true);
    careful = true;
    expect(history.redo()).toBe(true);
    expect(world.has(e, Frozen)).toBe(true);
    expect(checkWorld(world)).toEqual([]);
  });

  it("cannot undo while they are called", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const history = createHistory(world);
    observeEntities(world, { destroy: () => void history.undo() });
    const e = world.spawn();
    history.commit();
    world.destroy(e);
    expect(errors[0]?.message).toContain(
      "Cannot undo inside an observer: further observers have yet to be notified of the same change. Do it after the call that made the change. [history/busy]",
    );
    expect(checkWorld(world)).toEqual([]);
    history.undo();
    expect(world.isAlive(e)).toBe(true);
  });

  it("cannot begin a step while one is undone", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const history = createHistory(world);
    observe(world, Frozen, { remove: () => void history.step("no", () => {}) });
    const e = world.spawn();
    world.add(e, Frozen);
    history.undo();
    expect(errors[0]?.message).toContain(
      "Cannot begin a step while a step is undone or redone. In observers, check isReplaying(world) and skip it. [history/busy]",
    );
    expect(world.count).toBe(0);
  });
});

describe("restoreSnapshot", () => {
  it("is a step of its own, so that undo takes back nothing before it", () => {
    const world = createWorld();
    const history = createHistory(world);
    const e = world.spawn(Position);
    history.commit();
    const snapshot = takeSnapshot(world);
    world.set(e, Position, { x: 5 });
    restoreSnapshot(world, snapshot);
    world.spawn();
    expect(history.undoLabels).toEqual(["", "Restore snapshot", "", ""]);
    history.undo();
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
    history.undo();
    expect(world.get(e, Position)).toEqual({ x: 5, y: 0 });
    history.redo();
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
  });

  it("is part of a step that is open", () => {
    const world = createWorld();
    const history = createHistory(world);
    const snapshot = takeSnapshot(world);
    history.step("Reset", () => {
      world.spawn();
      restoreSnapshot(world, snapshot);
      world.spawn();
    });
    expect(history.undoLabels).toEqual(["Reset"]);
    history.undo();
    expect(world.count).toBe(0);
  });
});
