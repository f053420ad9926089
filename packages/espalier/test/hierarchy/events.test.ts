import { createWorld, holdEvents, MissedEventsError } from "espalier";
import {
  attachAll,
  attachMany,
  attachNewAt,
  createHierarchy,
  detachMany,
  dissolve,
  type HierarchyEvent,
  isolate,
  replaceChildren,
  setParent,
  sortChildren,
  swap,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, plant, plantQuietly } from "./planting.ts";
import { Replay, shape } from "./replay.ts";

describe("events", () => {
  it("carry what happened, with both parents and both positions", () => {
    const { tree, e } = plant("p(a b) q(c) x");
    const reader = tree.events.reader();
    tree.attach(e.x!, e.p!, { at: 1 });
    tree.attach(e.x!, e.q!, { at: 0 });
    tree.attach(e.c!, e.q!, { at: 0 });
    tree.detach(e.b!);
    tree.attach(e.x!, null, { at: 1 });
    tree.moveChild(e.b!, "first");
    tree.world.destroy(e.a!);
    expect(reader.read()).toEqual<HierarchyEvent[]>([
      { type: "added", child: e.x!, parent: e.p!, index: 1 },
      { type: "moved", child: e.x!, previousParent: e.p!, newParent: e.q!, previousIndex: 1, index: 0 },
      { type: "reordered", parent: e.q!, child: e.c!, previousIndex: 1, index: 0, order: null },
      { type: "removed", child: e.b!, parent: e.p!, index: 1, rootIndex: 2, cause: "detach" },
      { type: "removed", child: e.x!, parent: e.q!, index: 1, rootIndex: 1, cause: "detach" },
      { type: "reordered", parent: null, child: e.b!, previousIndex: 3, index: 0, order: null },
      { type: "removed", child: e.a!, parent: e.p!, index: 0, rootIndex: -1, cause: "destroy" },
    ]);
  });

  it("are not emitted for what changes nothing, nor for what is refused", () => {
    const { world, tree, e } = plant("p(a b) q x");
    const reader = tree.events.reader();
    tree.attach(e.b!, e.p!);
    tree.attach(e.a!, e.p!, { at: 0 });
    tree.attach(e.q!, null, { at: 1 });
    tree.detach(e.q!);
    setParent(tree, e.x!, null);
    swap(tree, e.a!, e.a!);
    sortChildren(tree, e.p!, () => 0);
    detachMany(tree, [e.p!, e.q!]);
    attachAll(tree, [[e.b!, e.p!]]);
    replaceChildren(tree, e.p!, [e.a!, e.b!]);
    isolate(tree, e.q!);
    dissolve(tree, e.q!);
    tree.setName(e.a!, "another");
    world.spawn();
    world.destroy(e.x!);
    expect(() => tree.attach(e.p!, e.a!)).toThrow();
    expect(() => attachMany(tree, [e.q!, e.p!], e.a!)).toThrow();
    expect(reader.read()).toEqual([]);
  });

  it("of a destroyed subtree come children first, each once", () => {
    const { world, tree, e } = plant("p(a(b c))");
    const reader = tree.events.reader();
    world.destroy(e.a!);
    expect(
      reader
        .read()
        .map((event) => (event.type === "removed" ? [event.child, event.parent, event.cause] : event)),
    ).toEqual([
      [e.b, e.a, "destroy"],
      [e.c, e.a, "destroy"],
      [e.a, e.p, "destroy"],
    ]);
  });

  it("call a child that outlives its parent detached, or moved", () => {
    const orphaned = plant("p(a(b))", { onDestroy: "orphan" });
    const first = orphaned.tree.events.reader();
    orphaned.world.destroy(orphaned.e.a!);
    expect(first.read().map((event) => [event.type, "cause" in event && event.cause])).toEqual([
      ["removed", "detach"],
      ["removed", "destroy"],
    ]);
    const adopted = plant("p(a(b))", { onDestroy: "adopt" });
    const second = adopted.tree.events.reader();
    adopted.world.destroy(adopted.e.a!);
    expect(second.read().map((event) => event.type)).toEqual(["moved", "removed"]);
  });

  it("cost nothing without readers, and a new reader sees only later events", () => {
    const { tree, e } = plant("p(a)");
    expect(tree.events.hasReaders).toBe(false);
    tree.detach(e.a!);
    const reader = tree.events.reader();
    expect(reader.read()).toEqual([]);
    tree.attach(e.a!, e.p!);
    expect(reader.read().length).toBe(1);
    reader.close();
    expect(tree.events.hasReaders).toBe(false);
  });

  it("are reported when a reader lags behind, never lost silently", () => {
    const { tree, e, errors } = plantQuietly("p(a b)", { eventCapacity: 4, name: "scene" });
    const reader = tree.events.reader({ name: "slow" });
    for (let k = 0; k < 10; k++) tree.moveChild(e.a!, k % 2 === 0 ? "last" : "first");
    expect(reader.read().length).toBe(4);
    expect(reader.missed).toBe(6);
    expect(errors.length).toBe(1);
    expect(errors[0]).toBeInstanceOf(MissedEventsError);
    expect(errors[0]!.message).toContain("Reader slow of channel scene events missed 6 events");
    expect(errors[0]!.message).toContain("or give createHierarchy() a larger eventCapacity.");
  });

  it("name the option of the tree that bounds them when a reader lags behind", () => {
    const { tree, e, errors } = plantQuietly("p(a b)", { eventBytes: 400 });
    const reader = tree.events.reader();
    for (let k = 0; k < 5000; k++) tree.moveChild(e.a!, k % 2 === 0 ? "last" : "first");
    reader.read();
    expect(errors[0]!.message).toContain("or give createHierarchy() a larger eventBytes.");
  });

  it("that are held back and dropped are those of the dropped entities, not of others with the same indices", () => {
    const { world, tree, e } = plant("p(a b c d) x");
    const reader = tree.events.reader();
    const hold = holdEvents(world);
    tree.attach(e.x!, e.p!);
    tree.detach(e.d!);
    // The handle of c and the index of x are the same number.
    expect(e.c).toBe(4);
    hold.discard(new Set([e.c!, e.d!]));
    expect(reader.read()).toEqual<HierarchyEvent[]>([{ type: "added", child: e.x!, parent: e.p!, index: 4 }]);
  });

  it("of several hierarchies are in separate streams", () => {
    const world = createWorld();
    const one = createHierarchy(world, { name: "one" });
    const two = createHierarchy(world, { name: "two" });
    const readers = [one.events.reader(), two.events.reader()];
    const [a, b] = [world.spawn(), world.spawn()];
    two.attach(a, b);
    expect(readers.map((reader) => reader.read().length)).toEqual([0, 1]);
  });

  it("lead from the start to the present when they are replayed", () => {
    const { tree, e } = plant("p(a b(x y)) q r");
    const replay = new Replay(tree);
    attachMany(tree, [e.a!, e.q!], e.b!, { at: 1 });
    swap(tree, e.a!, e.r!);
    sortChildren(tree, e.b!, (x, y) => y - x);
    tree.attach(e.x!, null, { at: 0 });
    attachNewAt(tree, null, { at: 1 });
    tree.destroy(e.b!, { children: "adopt" });
    tree.world.destroy(e.r!);
    expect(drawn(tree)).toBe("x #8 p(q y) a");
    expect(replay.state()).toEqual(shape(tree));
    expect(replay.complaints).toEqual([]);
  });
});
