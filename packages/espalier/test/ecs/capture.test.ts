import { changesOf, component, f32, indexOf, observeCapture } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory, diff, restoreSnapshot, takeSnapshot, transaction } from "espalier/history";
import { clone, createSceneFormat, shallowClone } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";

const Clock = component("Clock", { time: f32() });
const format = createSceneFormat({ components: [Clock] });

/** A clock whose time is kept elsewhere, and written into its component just before a read. */
function stage() {
  const world = strictWorld();
  const tree = createHierarchy(world);
  const e = world.spawn(Clock);
  const kept = { time: 0 };
  const calls: string[] = [];
  const end = observeCapture(world, {
    name: "clock",
    before: () => {
      calls.push("before");
      if (world.isAlive(e)) world.columns(Clock).time[indexOf(e)] = kept.time;
    },
    restored: () => calls.push("restored"),
  });
  return { world, tree, e, kept, calls, end };
}

describe("an observer of captures", () => {
  it("can bring values up to date before they are saved, cloned, compared or taken as a snapshot", () => {
    const { world, tree, e, kept } = stage();
    kept.time = 1;
    expect(format.save(tree)).toContain('"time": 1');
    kept.time = 2;
    expect(world.get(clone(tree, e), Clock)).toEqual({ time: 2 });
    kept.time = 3;
    expect(world.get(shallowClone(tree, e), Clock)).toEqual({ time: 3 });
    const before = takeSnapshot(world, { trees: [tree] });
    kept.time = 4;
    expect(diff(before, { world, trees: [tree] })).toEqual([
      { op: "set", id: e, component: "Clock", values: { time: 4 } },
    ]);
  });

  it("runs before values are replaced, so that a snapshot of the old ones restores them", () => {
    const { world, e, kept, calls } = stage();
    kept.time = 5;
    const taken = takeSnapshot(world);
    kept.time = 6;
    calls.length = 0;
    const changes = changesOf(world, Clock);
    restoreSnapshot(world, taken);
    expect(calls).toEqual(["before", "restored"]);
    expect(world.get(e, Clock)).toEqual({ time: 5 });
    expect(changes.read().changed).toEqual([e]);
  });

  it("runs before an undo, a redo and a rollback, and creates no step", () => {
    const { world, e, kept, calls } = stage();
    const history = createHistory(world, { implicit: false });
    history.step("set", () => world.set(e, Clock, { time: 9 }));
    kept.time = 10;
    history.undo();
    expect(world.get(e, Clock)).toEqual({ time: 0 });
    history.redo();
    expect(world.get(e, Clock)).toEqual({ time: 10 });
    expect(history.canUndo).toBe(true);
    calls.length = 0;
    expect(() =>
      transaction(world, () => {
        world.destroy(e);
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(calls).toEqual(["before"]);
  });

  it("that throws is reported, and the operation continues", () => {
    const errors: Error[] = [];
    const world = strictWorld({ onError: (error) => void errors.push(error) });
    observeCapture(world, {
      name: "broken",
      before: () => {
        throw new Error("no");
      },
    });
    expect(takeSnapshot(world).byteLength).toBeGreaterThan(0);
    expect(errors.map(({ message }) => message)).toEqual([
      "Observer broken threw before a capture: no [ecs/observer]",
    ]);
  });

  it("does not run after it was ended", () => {
    const { world, calls, end } = stage();
    end();
    end();
    takeSnapshot(world);
    expect(calls).toEqual([]);
  });
});
