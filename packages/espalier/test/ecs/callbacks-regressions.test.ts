/**
 * What edits inside callbacks once broke: no callback runs in the middle of an edit, and nothing is kept across one or across growth.
 */
import {
  changesOf,
  checkWorld,
  component,
  createCommands,
  createWorld,
  destroyAll,
  type Entity,
  f32,
  f64,
  guard,
  guardWrites,
  NestedEditError,
  observe,
  observeEntities,
  optional,
  tag,
} from "espalier";
import { checkTree, constrain, createHierarchy, sortChildren, spawnTree } from "espalier/hierarchy";
import { stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { modes, strictWorld } from "../testing.ts";

const A = tag("A");
const B = tag("B");
const T = tag("T");
const C = tag("C");
const Spot = component("Spot", { x: f32() });

describe("a world that grows inside a callback", () => {
  it("keeps what a remove observer adds and removes", () => {
    const world = strictWorld({ capacity: 8 });
    observe(world, T, {
      remove: (e) => {
        world.spawnMany(5000);
        world.add(e, B);
        world.remove(e, C);
      },
    });
    const e = world.spawn(T, C);
    world.remove(e, T);
    expect([world.has(e, B), world.has(e, C), world.has(e, T)]).toEqual([true, false, false]);
    expect(world.query(T, C).ids()).toEqual([]);
    expect(checkWorld(world)).toEqual([]);
  });

  it.each(["removing", "destroying"] as const)("stays whole when it grows in %s", (phase) => {
    const world = strictWorld({ capacity: 8 });
    const grow = (e: Entity) => {
      world.spawnMany(5000, T);
      world.add(e, B);
    };
    if (phase === "removing") observe(world, C, { removing: grow });
    else observeEntities(world, { destroying: grow });
    const e = world.spawn(T, C);
    if (phase === "removing") world.remove(e, C);
    else world.destroy(e);
    expect(world.query(T).count()).toBe(phase === "removing" ? 5001 : 5000);
    expect(checkWorld(world)).toEqual([]);
  });
});

describe.each(modes)("a loop that grows its own world ($mode)", ({ generate }) => {
  it.each(["reserve", "spawn", "commands"] as const)("continues in the new columns: %s", (by) => {
    const world = createWorld({ generate, capacity: 8 });
    world.spawnMany(4, Spot({ x: 1 }));
    const query = world.query(Spot);
    const commands = createCommands(world);
    const add = () => query.update((spot) => void (spot.x += 1));
    let round = 0;
    query.each(() => {
      add();
      if (by === "reserve") world.reserve(100_000 * ++round);
      else if (by === "spawn") world.spawnMany(500 * ++round, Spot);
      else for (let k = 0; k < 500; k++) commands.spawn(Spot);
      if (by === "commands") commands.flush();
      add();
    });
    const values = query.ids().map((e) => world.get(e, Spot)!.x);
    expect(values.slice(0, 4)).toEqual([9, 9, 9, 9]);
    expect(values.every((x) => Number.isInteger(x) && x <= 9)).toBe(true);
    expect(checkWorld(world)).toEqual([]);
  });
});

describe("a guard that edits", () => {
  it("is refused with a typed error, and nothing has changed", () => {
    const world = createWorld({ checks: false });
    const e = world.spawn(A);
    const edits: (() => unknown)[] = [
      () => world.destroy(e),
      () => world.spawn(),
      () => world.spawnMany(2),
      () => world.add(e, B),
      () => world.add(e, A),
      () => world.remove(e, A),
      () => world.set(e, Spot, { x: 1 }),
      () => world.touch(e, A),
      () => world.reserve(10),
      () => destroyAll(world.query(A)),
    ];
    for (const edit of edits) {
      const end = guard(world, T, () => void edit());
      const before = [world.count, world.version, world.has(e, A)];
      if (String(edit).includes("Spot")) world.add(e, Spot);
      expect(() => world.add(e, T)).toThrow(NestedEditError);
      expect(() => world.spawn(T)).toThrow("inside a guard, a constraint or a keeper");
      if (String(edit).includes("Spot")) world.remove(e, Spot);
      else expect([world.count, world.version, world.has(e, A)]).toEqual(before);
      end();
    }
    expect(checkWorld(world)).toEqual([]);
  });

  it("of writes is refused too", () => {
    const world = createWorld();
    const e = world.spawn(Spot);
    guardWrites(world, Spot, () => void world.destroy(e));
    expect(() => world.set(e, Spot, { x: 1 })).toThrow(NestedEditError);
    expect(() => world.query(Spot).each((_, spot) => void (spot.x = 2))).toThrow(NestedEditError);
    expect(world.get(e, Spot)).toEqual({ x: 0 });
  });
});

describe("a constraint that edits", () => {
  it("is refused, and makes neither a dead child nor a cycle", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const [p, q, child] = world.spawnMany(3) as [Entity, Entity, Entity];
    const edits: (() => unknown)[] = [
      () => world.destroy(child),
      () => tree.attach(p, child),
      () => tree.attachNew(p),
      () => tree.detach(q),
      () => tree.setName(q, "q"),
      () => sortChildren(tree, null, (a, b) => b - a),
    ];
    tree.attach(q, p);
    for (const edit of edits) {
      const end = constrain(tree, {
        name: "editing",
        attach: () => {
          edit();
          return undefined;
        },
      });
      expect(() => tree.attach(child, p)).toThrow(NestedEditError);
      end();
      expect([world.isAlive(child), tree.parentOf(child), tree.parentOf(q), tree.nameOf(q)]).toEqual([
        true,
        null,
        p,
        undefined,
      ]);
      expect([...checkTree(tree), ...checkWorld(world)]).toEqual([]);
    }
  });
});

describe("a loop inside other loops", () => {
  it.each(modes)("writes to the columns as they are after growth ($mode)", ({ generate }) => {
    const Other = tag("Other");
    const world = createWorld({ generate, capacity: 8 });
    world.spawnMany(8, Spot, Other);
    const spots = world.query(Spot);
    const others = world.query(Other);
    for (let k = 0; k < 10; k++) spots.update((spot) => void (spot.x += 0));
    let isFirst = true;
    spots.each(() => {
      if (!isFirst) return;
      isFirst = false;
      spots.update((spot) => void (spot.x += 1));
      world.reserve(100_000);
      let isOnce = true;
      others.update(() => {
        if (isOnce) spots.update((spot) => void (spot.x += 1));
        isOnce = false;
      });
    });
    expect(spots.ids().map((e) => world.get(e, Spot)?.x)).toEqual(new Array(8).fill(2));
  });

  it("is over when observers of what it wrote run, even when onError throws", () => {
    const world = strictWorld();
    const e = world.spawn(Spot);
    observe(world, Spot, {
      set: () => {
        throw new Error("from an observer");
      },
    });
    const loop = world.query(Spot, optional(T));
    expect(() => loop.update((spot) => void (spot.x += 1))).toThrow("from an observer");
    expect(() => loop.run(() => world.touch(e, Spot))).toThrow("from an observer");
    expect(stateOf(world).table.iterating).toBe(0);
    expect(checkWorld(world)).toEqual([]);
  });
});

describe("observers before an edit", () => {
  it("run only for what is still there, and once for what is named twice", () => {
    const world = strictWorld();
    const log: string[] = [];
    observe(world, A, { removing: (e) => void world.destroy(e) });
    for (const name of ["first", "second"]) {
      observe(world, T, {
        removing: (e) => {
          log.push(`${name} ${world.has(e, T)}`);
          if (name === "first") world.remove(e, C);
        },
      });
    }
    world.remove(world.spawn(A, T), A, T);
    expect(log.splice(0)).toEqual(["first true", "second true"]);
    world.remove(world.spawn(T, C), T, T);
    expect(log.splice(0)).toEqual(["first true", "second true"]);
  });

  it("skip an entity that an earlier one destroyed", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const seen: boolean[] = [];
    const parent = world.spawn();
    const child = tree.attachNew(parent);
    observeEntities(world, { destroying: (e) => void (e === child && world.destroy(parent)) });
    observeEntities(world, { destroying: (e) => void seen.push(world.isAlive(e)) });
    world.destroy(child);
    expect([seen, world.count]).toEqual([[true], 0]);
  });
});

describe("touch of several components", () => {
  it("is one call, in which no observer runs", () => {
    const world = strictWorld();
    const log: string[] = [];
    const e = world.spawn(Spot, A);
    observe(world, Spot, {
      set: () => {
        log.push("set Spot");
        world.destroy(e);
      },
    });
    observe(world, A, { set: () => log.push("set A"), remove: () => log.push("remove A") });
    world.touch(e, Spot, A);
    expect(log).toEqual(["set Spot", "set A", "remove A"]);
  });
});

describe("what is delivered", () => {
  it("does not stop the notices of later calls when the delivery itself fails", () => {
    const world = strictWorld();
    const seen: Entity[] = [];
    const end = observe(world, Spot, { remove: (e) => void seen.push(e) });
    const e = world.spawn(Spot);
    const { gone } = stateOf(world);
    Object.defineProperty(gone, "valuesAt", {
      configurable: true,
      value: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    });
    expect(() => world.remove(e, Spot)).toThrow("Maximum call stack");
    Reflect.deleteProperty(gone, "valuesAt");
    world.add(e, Spot);
    world.remove(e, Spot);
    expect(seen).toEqual([e]);
    end();
  });
});

describe("notices", () => {
  it("of a destroyed entity come once, whatever remove observers do", () => {
    const world = createWorld({ onError: () => {} });
    const log: string[] = [];
    observe(world, T, { remove: (e) => void world.remove(e, A) });
    observe(world, A, { remove: () => log.push("remove A") });
    world.destroy(world.spawn(T, A));
    expect(log).toEqual(["remove A"]);
  });

  it("of an added component are sent even when an earlier observer removes it", () => {
    const world = strictWorld();
    const log: string[] = [];
    observeEntities(world, { spawn: (e) => void world.remove(e, A) });
    observe(world, A, { add: () => log.push("add A"), remove: () => log.push("remove A") });
    world.spawn(A);
    expect(log).toEqual(["add A", "remove A"]);
  });

  it("of several that were spawned together each have their spawn", () => {
    const world = strictWorld();
    const log: string[] = [];
    let first = true;
    observeEntities(world, {
      spawn: (e) => {
        log.push(`spawn ${e}`);
        if (first) world.destroy((e + 1) as Entity);
        first = false;
      },
      destroy: (e) => log.push(`destroy ${e}`),
    });
    world.spawnMany(2);
    expect(log).toEqual(["spawn 1", "spawn 2", "destroy 2"]);
  });

  it("of a refused spawnTree are not delivered, and swallow nothing else", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const parent = world.spawn();
    const reader = tree.events.reader();
    const log: string[] = [];
    constrain(tree, { name: "no C", attach: (child) => (world.has(child, C) ? "no C here" : undefined) });
    observe(world, A, {
      add: () => log.push("add A"),
      remove: () => {
        log.push("remove A");
        tree.attachNew(parent);
      },
    });
    expect(() => spawnTree(tree, { with: [A], children: [{ with: [C] }] }, parent)).toThrow("no C here");
    expect([log, reader.read(), world.count]).toEqual([[], [], 1]);
    const one = tree.attachNew(parent, A);
    world.remove(one, A);
    expect(reader.read().map(({ type }) => type)).toEqual(["added", "added"]);
    expect([...checkTree(tree), ...checkWorld(world)]).toEqual([]);
  });
});

describe("a view that has listeners", () => {
  it("distinguishes -0 from 0 and takes NaN as equal to itself", () => {
    const Exact = component("Exact", { x: f64(), y: f32() });
    const world = strictWorld();
    const e = world.spawn(Exact);
    const seen: unknown[] = [];
    observe(world, Exact, { set: () => seen.push({ ...world.get(e, Exact)! }) });
    const write = (x: number) => world.query(Exact).each((_, exact) => void (exact.x = x));
    write(-0);
    expect(seen.splice(0)).toEqual([{ x: -0, y: 0 }]);
    write(-0);
    expect(seen.splice(0)).toEqual([]);
    write(0);
    expect(seen.splice(0)).toEqual([{ x: 0, y: 0 }]);
    const loose = createWorld({ checks: false });
    const Loose = component("Loose", { x: f64() });
    const f = loose.spawn(Loose);
    const reader = changesOf(loose, Loose);
    reader.read();
    loose.set(f, Loose, { x: Number.NaN });
    expect(reader.read().changed).toEqual([f]);
    loose.set(f, Loose, { x: Number.NaN });
    expect(reader.read().changed).toEqual([]);
    loose.set(f, Loose, { x: -0 });
    expect(reader.read().changed).toEqual([f]);
    loose.set(f, Loose, { x: 0 });
    expect(reader.read().changed).toEqual([f]);
  });
});
