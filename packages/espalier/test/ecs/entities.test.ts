import {
  checkWorld,
  component,
  createWorld,
  DeadEntityError,
  DisposedWorldError,
  type Entity,
  EntityLimitError,
  f32,
  formatEntity,
  generationOf,
  InvalidEntityError,
  indexOf,
  MAX_ENTITIES,
  object,
  tag,
} from "espalier";
import {
  breakPromise,
  claim,
  destroyAlone,
  extend,
  isHandle,
  keepPromise,
  promise,
  readPlaces,
  revive,
  setPlaces,
  stateOf,
} from "espalier/internal";
import { describe, expect, it } from "vitest";
import { modes, refusal, refused, snapshot, strictWorld } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Frozen = tag("Frozen");

describe("a handle", () => {
  it("is a small number that starts at 1 and carries its generation", () => {
    const world = strictWorld();
    const first = world.spawn();
    expect([first, indexOf(first), generationOf(first)]).toEqual([1, 1, 0]);
    world.destroy(first);
    const next = world.spawn();
    expect([indexOf(next), generationOf(next)]).toEqual([1, 1]);
    expect(next).not.toBe(first);
  });

  it("is written as a place, with its generation when the place was used before", () => {
    const world = strictWorld();
    const first = world.spawn();
    world.destroy(first);
    expect([formatEntity(first), formatEntity(world.spawn())]).toEqual(["#1", "#1v1"]);
    expect([Number.NaN, "x", undefined, -3, 1.5].map((value) => formatEntity(value))).toEqual([
      "NaN",
      '"x"',
      "undefined",
      "-3",
      "1.5",
    ]);
  });

  it("is told from anything else", () => {
    expect([1, 4_194_305, 2 ** 53 - 1].map(isHandle)).toEqual([true, true, true]);
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 22, 2 ** 53, "1", null, {}]) {
      expect(isHandle(value), String(value)).toBe(false);
    }
  });

  it("never lives when it is none", () => {
    const world = strictWorld();
    world.spawnMany(5);
    for (const value of [
      0,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      "1",
      null,
      undefined,
      {},
    ]) {
      expect(world.isAlive(value as Entity), String(value)).toBe(false);
    }
  });
});

describe("a stale handle", () => {
  it("is recognised after its place was reused, and the error says who lives there", () => {
    const world = strictWorld();
    const old = world.spawn(Position);
    world.destroy(old);
    const now = world.spawn(Position);
    expect(indexOf(now)).toBe(indexOf(old));
    expect(world.isAlive(old)).toBe(false);
    expect(refusal(world, () => world.get(old, Position))).toBe(
      "DeadEntityError: Cannot get a component: #1 was destroyed. Its place is used by #1v1 now. Ask isAlive() before using a handle you kept. [ecs/dead-entity]",
    );
  });

  it("is recognised through more than 512 generations, when handles no longer fit 32 bits", () => {
    const world = strictWorld({ capacity: 8, fixed: true });
    const seen = new Set<Entity>();
    for (let k = 0; k < 2000; k++) {
      const e = world.spawn(Position({ x: k }));
      for (const old of [...seen].slice(-3)) expect(world.isAlive(old)).toBe(false);
      expect(seen.has(e)).toBe(false);
      expect([indexOf(e), generationOf(e), isHandle(e)]).toEqual([1, k, true]);
      expect(world.get(e, Position)).toEqual({ x: k, y: 0 });
      seen.add(e);
      world.destroy(e);
    }
    for (const old of seen) expect(world.isAlive(old)).toBe(false);
    expect(seen.size).toBe(2000);
    expect(checkWorld(world)).toEqual([]);
  });

  it("keeps handles of other places as they were when one of them becomes wide", () => {
    const world = strictWorld({ capacity: 8, fixed: true });
    const kept = world.spawnMany(3, Position);
    for (let k = 0; k < 600; k++) world.destroy(world.spawn());
    const wide = world.spawn();
    expect(wide).toBeGreaterThan(2 ** 31);
    expect(world.entities()).toEqual([...kept, wide]);
    expect(world.query(Position).ids()).toEqual(kept);
    const seen: Entity[] = [];
    world.query().each((e) => seen.push(e));
    expect(seen).toEqual(expect.arrayContaining([...kept, wide]));
  });

  it("of a place that was used 512 times rests there while others are given out, so that handles stay small", () => {
    const world = strictWorld();
    const seen = new Set<Entity>();
    for (let k = 0; k < 2000; k++) {
      const e = world.spawn(Position({ x: k }));
      expect([indexOf(e), generationOf(e)]).toEqual([1 + Math.floor(k / 512), k % 512]);
      seen.add(e);
      world.destroy(e);
    }
    expect(seen.size).toBe(2000);
    for (const old of seen) expect(world.isAlive(old)).toBe(false);
    expect(refusal(world, () => world.add([...seen][511] as Entity, Position))).toContain("was destroyed.");
    expect(checkWorld(world)).toEqual([]);
  });

  it("that rests comes back when its entity is brought back", () => {
    const world = strictWorld();
    let e = world.spawn();
    for (let k = 0; k < 511; k++) {
      world.destroy(e);
      e = world.spawn();
    }
    world.destroy(e);
    const other = world.spawn();
    revive(stateOf(world), e, [Position({ x: 5 })]);
    expect([indexOf(other), world.isAlive(e), world.get(e, Position)]).toEqual([2, true, { x: 5, y: 0 }]);
    expect(checkWorld(world)).toEqual([]);
    world.destroy(e);
    expect(checkWorld(world)).toEqual([]);
    expect(indexOf(world.spawn())).toBe(3);
  });

  it("becomes wide when too many places rest, which then serve again, lowest first", () => {
    const world = strictWorld({ capacity: 1000 });
    const count = 150_000;
    const free = Int32Array.from({ length: count }, (_, k) => k + 1);
    setPlaces(stateOf(world), { used: count, generations: new Int32Array(count + 1).fill(511), free });
    let rested = 0;
    for (; !stateOf(world).table.wide && rested < count; rested++) world.destroy(world.spawn());
    expect(rested).toBeGreaterThan(130_000);
    expect(rested).toBeLessThan(count);
    expect(checkWorld(world)).toEqual([]);
    expect(readPlaces(stateOf(world).table).free.subarray(0, 3)).toEqual(
      Int32Array.of(rested, rested + 1, rested + 2),
    );
    expect(readPlaces(stateOf(world).table).free.subarray(-2)).toEqual(Int32Array.of(rested - 2, rested - 1));
  });

  it("rests in a copy of the world as well", () => {
    const world = strictWorld();
    for (let k = 0; k < 1100; k++) world.destroy(world.spawn());
    const copy = strictWorld();
    setPlaces(stateOf(copy), readPlaces(stateOf(world).table));
    expect(checkWorld(copy)).toEqual([]);
    expect(stateOf(copy).table.wide).toBe(false);
    for (let k = 0; k < 600; k++) {
      const [a, b] = [world.spawn(), copy.spawn()];
      expect(b).toBe(a);
      world.destroy(a);
      copy.destroy(b);
    }
  });

  it("is recognised when a place has no generation left: it is never given out again", () => {
    const world = strictWorld();
    const last = ((2 ** 31 - 1) * 2 ** 22 + 1) as Entity;
    revive(stateOf(world), last, [Position({ x: 1 })]);
    expect([world.isAlive(last), generationOf(last)]).toEqual([true, 2 ** 31 - 1]);
    world.destroy(last);
    const next = world.spawnMany(3);
    expect(next.map(indexOf)).toEqual([2, 3, 4]);
    expect(world.isAlive(last)).toBe(false);
    expect(refusal(world, () => world.add(last, Position))).toContain("was destroyed.");
    expect(checkWorld(world)).toEqual([]);
    revive(stateOf(world), last, []);
    expect(world.isAlive(last)).toBe(true);
  });
});

describe("a handle of another world", () => {
  it("is recognised where its place was never given out here", () => {
    const [own, other] = [strictWorld(), strictWorld()];
    own.spawn();
    const foreign = other.spawnMany(5).at(-1)!;
    expect(own.isAlive(foreign)).toBe(false);
    expect(refusal(own, () => own.add(foreign, Position))).toBe(
      "DeadEntityError: Cannot add a component: #5 was never created in this world. It may belong to another world; handles cannot be exchanged. [ecs/dead-entity]",
    );
  });

  it("is recognised where its generation is ahead of this world's", () => {
    const [own, other] = [strictWorld(), strictWorld()];
    own.spawn();
    other.destroy(other.spawn());
    const foreign = other.spawn();
    expect(refusal(own, () => own.set(foreign, Position, {}))).toContain(
      "#1v1 was never created in this world",
    );
  });
});

describe("two worlds", () => {
  it("never meet: entities, values, queries and components are their own", () => {
    const [a, b] = [strictWorld(), strictWorld()];
    const e = a.spawn(Position({ x: 1 }));
    expect(b.spawn(Position({ x: 2 }))).toBe(e);
    a.set(e, Position, { y: 9 });
    a.add(e, Frozen);
    expect([a.get(e, Position), b.get(e, Position)]).toEqual([
      { x: 1, y: 9 },
      { x: 2, y: 0 },
    ]);
    expect([a.query(Frozen).count(), b.query(Frozen).count()]).toEqual([1, 0]);
    a.dispose();
    expect(b.isAlive(e)).toBe(true);
    expect(checkWorld(b)).toEqual([]);
  });
});

describe("what is not an entity", () => {
  it.each([
    [Number.NaN, "NaN"],
    ["1", '"1"'],
    [-1, "-1"],
    [1.5, "1.5"],
    [0, "0"],
    [null, "null"],
    [undefined, "undefined"],
    [{}, "an object"],
  ])("is refused by every call: %s", (value, text) => {
    const world = strictWorld();
    world.spawnMany(3, Position);
    const e = value as Entity;
    const calls: [string, () => unknown][] = [
      ["add a component", () => world.add(e, Position)],
      ["add a component", () => world.add(e, Position, Frozen)],
      ["remove a component", () => world.remove(e, Position)],
      ["set a component", () => world.set(e, Position, {})],
      ["get a component", () => world.get(e, Position)],
      ["ask for a component", () => world.has(e, Position)],
      ["touch a component", () => world.touch(e, Position)],
      ["destroy", () => world.destroy(e)],
      ["destroy", () => world.destroy(world.entities()[0]!, e)],
      ["undo a spawn", () => destroyAlone(stateOf(world), e, true)],
      ["bring back an entity", () => revive(stateOf(world), e, [])],
    ];
    for (const [doing, call] of calls) {
      const error = refused(world, call);
      expect(error).toBeInstanceOf(InvalidEntityError);
      expect(error.message).toBe(
        `Cannot ${doing}: ${text} is not an entity. Pass a handle that spawn() returned. [ecs/invalid-entity]`,
      );
    }
    expect(world.query(Position).includes(e)).toBe(false);
  });
});

describe("a dead entity", () => {
  it("is refused by every call but destroy, which has nothing to do", () => {
    const world = strictWorld();
    const e = world.spawn(Position);
    world.destroy(e);
    expect(world.destroy(e)).toBe(false);
    expect(world.destroy(e, e)).toBe(false);
    const calls: [string, () => unknown][] = [
      ["add a component", () => world.add(e, Position)],
      ["remove a component", () => world.remove(e, Position, Frozen)],
      ["set a component", () => world.set(e, Position({ x: 1 }))],
      ["get a component", () => world.get(e, Position)],
      ["ask for a component", () => world.has(e)],
      ["touch a component", () => world.touch(e)],
      ["undo a spawn", () => destroyAlone(stateOf(world), e, true)],
    ];
    for (const [doing, call] of calls) {
      const error = refused(world, call) as DeadEntityError;
      expect(error).toBeInstanceOf(DeadEntityError);
      expect([error.code, error.entities]).toEqual(["ecs/dead-entity", [e]]);
      expect(error.message).toBe(
        `Cannot ${doing}: #1 was destroyed. Ask isAlive() before using a handle you kept. [ecs/dead-entity]`,
      );
    }
  });
});

describe.each(modes)("ids ($mode)", ({ generate }) => {
  it("are the same for the same operations", () => {
    const run = () => {
      const world = strictWorld({ generate });
      const log: unknown[] = [world.spawnMany(5, Position), world.spawn(), world.spawn(Frozen, Position)];
      world.destroy(3 as Entity, 1 as Entity);
      log.push(world.spawnMany(4, Frozen), world.spawn());
      world.query(Frozen).each((e) => {
        world.destroy(e);
        log.push(world.spawn(Position));
      });
      world.destroyAll(world.query(Position));
      log.push(world.spawnMany(20), snapshot(world));
      return log;
    };
    expect(run()).toEqual(run());
  });

  it("reuse the place that was freed last", () => {
    const world = strictWorld({ generate });
    const [a, b, c] = world.spawnMany(3) as [Entity, Entity, Entity];
    world.destroy(a);
    world.destroy(c);
    world.destroy(b);
    expect(world.spawnMany(4).map(indexOf)).toEqual([2, 3, 1, 4]);
  });

  it("reuse in the same order whether freed by destroy, destroyAll, inside each, or with listeners", () => {
    const ways = [
      (world: ReturnType<typeof strictWorld>) => {
        for (const e of world.query(Position).ids()) world.destroy(e);
      },
      (world: ReturnType<typeof strictWorld>) => world.destroyAll(world.query(Position)),
      (world: ReturnType<typeof strictWorld>) => world.query(Position).each((e) => void world.destroy(e)),
      (world: ReturnType<typeof strictWorld>) => {
        world.changes(Position);
        world.destroyAll(world.query(Position));
      },
    ];
    const orders = ways.map((destroyAll) => {
      const world = strictWorld({ generate });
      world.spawnMany(6, Position);
      world.spawn(Position, Frozen);
      destroyAll(world);
      return world.spawnMany(7).map(indexOf);
    });
    for (const order of orders) expect(order).toEqual(orders[0]);
  });
});

describe("many entities", () => {
  it("live at once, more than four million, and no more than a place has bits for", () => {
    const world = createWorld({ capacity: MAX_ENTITIES });
    expect(MAX_ENTITIES).toBe(4_194_303);
    const all = world.spawnMany(MAX_ENTITIES - 1);
    expect(all.at(-1)).toBe(4_194_302);
    const last = world.spawn();
    expect([last, world.count, world.isAlive(last)]).toEqual([4_194_303, 4_194_303, true]);
    expect(() => world.spawn()).toThrow(EntityLimitError);
    expect(() => world.spawn()).toThrow(
      "Cannot create another entity: 4194303 places are in use, the most one world can hold. Destroy entities you no longer need. [ecs/entity-limit]",
    );
    expect(() => world.spawnMany(3)).toThrow(EntityLimitError);
    expect(world.count).toBe(MAX_ENTITIES);
    world.destroy(last);
    const again = world.spawn();
    expect([indexOf(again), world.isAlive(last)]).toEqual([4_194_303, false]);
    world.destroyAll(world.query());
    expect(world.count).toBe(0);
    expect(world.isAlive(all[0]!)).toBe(false);
  });

  it("make a world grow by itself, with every value in its place", () => {
    const world = strictWorld({ capacity: 1 });
    const all = Array.from({ length: 3000 }, (_, k) => world.spawn(Position({ x: k })));
    expect(all.map((e) => world.get(e, Position)?.x)).toEqual(all.map((_, k) => k));
    expect(checkWorld(world)).toEqual([]);
  });
});

describe("reserve", () => {
  it("keeps columns where they are until that many came", () => {
    const world = strictWorld({ capacity: 4 });
    world.spawn(Position);
    world.reserve(100);
    const { x } = world.columns(Position);
    world.spawnMany(100, Position);
    expect(world.columns(Position).x).toBe(x);
    world.spawnMany(1000, Position);
    expect(world.columns(Position).x).not.toBe(x);
  });

  it("counts places that are free already", () => {
    const world = strictWorld({ capacity: 10 });
    world.spawnMany(10, Position);
    world.destroyAll(world.query());
    const { x } = world.columns(Position);
    world.reserve(10);
    expect(world.columns(Position).x).toBe(x);
  });

  it.each([-1, 1.5, Number.NaN, "3"])("refuses %s", (count) => {
    const world = strictWorld();
    expect(refusal(world, () => world.reserve(count as number))).toBe(
      `InvalidValueError: Cannot reserve room for ${JSON.stringify(count) === "null" ? "NaN" : JSON.stringify(count)} entities. Give an integer of at least 0. [ecs/invalid-value]`,
    );
    expect(refusal(world, () => world.spawnMany(count as number, Position))).toContain("Cannot spawn ");
  });
});

describe("a world of fixed capacity", () => {
  it("holds exactly that many, and says so when it is full", () => {
    const world = strictWorld({ capacity: 3, fixed: true });
    const [a] = world.spawnMany(3, Position);
    const text =
      "EntityLimitError: Cannot create another entity: this world was made with a fixed capacity of 3. Give createWorld() a larger capacity, or leave out fixed. [ecs/entity-limit]";
    expect(refusal(world, () => world.spawn())).toBe(text);
    expect(refusal(world, () => world.spawn(Position, Frozen))).toBe(text);
    expect(refusal(world, () => world.spawnMany(1))).toBe(text);
    expect(refusal(world, () => world.reserve(1))).toBe(text);
    world.destroy(a!);
    expect(world.isAlive(world.spawn(Frozen))).toBe(true);
  });

  it("creates all of many or none", () => {
    const world = strictWorld({ capacity: 10, fixed: true });
    world.spawnMany(6, Position);
    world.destroy(2 as Entity, 4 as Entity);
    for (const prepare of [() => {}, () => void world.changes(Position)]) {
      prepare();
      expect(refusal(world, () => world.spawnMany(7, Position))).toContain("EntityLimitError");
      expect(world.count).toBe(4);
    }
    expect(world.spawnMany(6, Position).map(indexOf)).toEqual([4, 2, 7, 8, 9, 10]);
  });

  it("uses freed places in bulk again and again", () => {
    const world = strictWorld({ capacity: 1000, fixed: true });
    const query = world.query(Position);
    for (let k = 0; k < 20; k++) {
      expect(world.spawnMany(1000, Position({ x: k }))).toHaveLength(1000);
      expect(world.get(query.first()!, Position)).toEqual({ x: k, y: 0 });
      world.destroyAll(query);
    }
    expect(checkWorld(world)).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 22, "7"])("cannot have capacity %s", (capacity) => {
    expect(() => createWorld({ capacity: capacity as number })).toThrow(
      /Cannot create a world with capacity .*\. Give an integer from 1 to 4194303\. \[ecs\/invalid-value\]/,
    );
  });
});

describe("revive", () => {
  it("brings back a destroyed entity under its own handle", () => {
    const world = strictWorld();
    const [a, b] = world.spawnMany(2, Position);
    world.destroy(a!, b!);
    revive(stateOf(world), a!, [Position({ x: 3 })]);
    expect([world.isAlive(a!), world.isAlive(b!), world.get(a!, Position)]).toEqual([
      true,
      false,
      { x: 3, y: 0 },
    ]);
    expect(world.spawn()).not.toBe(a);
    expect(checkWorld(world)).toEqual([]);
  });

  it("makes an entity where none was yet; the places skipped are free", () => {
    const world = strictWorld({ capacity: 2 });
    revive(stateOf(world), 9 as Entity, [Frozen]);
    expect(world.entities()).toEqual([9]);
    expect(world.spawnMany(9).map(indexOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
  });

  it("refuses what lives, and a place that is taken, and changes nothing", () => {
    const world = strictWorld();
    const a = world.spawn(Position);
    expect(refusal(world, () => revive(stateOf(world), a, []))).toBe(
      "DeadEntityError: Cannot bring back #1: it is alive. [ecs/dead-entity]",
    );
    world.destroy(a);
    world.spawn();
    expect(refusal(world, () => revive(stateOf(world), a, []))).toBe(
      "DeadEntityError: Cannot bring back #1: its place is taken by #1v1. [ecs/dead-entity]",
    );
    const promised = promise(stateOf(world));
    expect(refusal(world, () => revive(stateOf(world), promised, []))).toContain(
      "its place is taken by #2, which a command buffer promised",
    );
    expect(() => revive(stateOf(strictWorld({ capacity: 3, fixed: true })), 9 as Entity, [])).toThrow(
      EntityLimitError,
    );
  });

  it("leaves the place as it was when a default throws", () => {
    const world = strictWorld();
    const Broken = component("Broken", {
      it: object(() => {
        throw new Error("no default");
      }),
    });
    const e = world.spawn();
    world.destroy(e);
    expect(refusal(world, () => revive(stateOf(world), e, [Position, Broken]))).toBe("Error: no default");
    expect(generationOf(world.spawn())).toBe(1);
  });
});

describe("unspawn", () => {
  it("undoes a spawn: the same handle is given out next", () => {
    const world = strictWorld();
    const before = snapshot(world);
    const e = world.spawn(Position);
    destroyAlone(stateOf(world), e, true);
    expect(world.isAlive(e)).toBe(false);
    expect({ ...(snapshot(world) as object), version: 0 }).toEqual(before);
    expect(world.spawn()).toBe(e);
  });
});

describe("a promise", () => {
  it("holds a handle that lives once it is kept", () => {
    const world = strictWorld();
    const e = promise(stateOf(world));
    expect([world.isAlive(e), world.count, world.entities()]).toEqual([false, 0, []]);
    expect(refusal(world, () => world.add(e, Position))).toBe(
      "DeadEntityError: Cannot add a component: #1 is promised by a command buffer and does not exist before flush(). Record the change on the buffer instead. [ecs/dead-entity]",
    );
    expect(world.spawn()).not.toBe(e);
    keepPromise(stateOf(world), e, [Position({ x: 1 }), Frozen]);
    expect([world.isAlive(e), world.get(e, Position), world.has(e, Frozen)]).toEqual([
      true,
      { x: 1, y: 0 },
      true,
    ]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("can be broken; the handle is stale then", () => {
    const world = strictWorld();
    const e = promise(stateOf(world));
    breakPromise(stateOf(world), e);
    breakPromise(stateOf(world), e);
    const next = world.spawn();
    expect([indexOf(next), next === e, world.isAlive(e)]).toEqual([indexOf(e), false, false]);
  });

  it("can be kept once, and only where it was given", () => {
    const world = strictWorld();
    const e = promise(stateOf(world));
    keepPromise(stateOf(world), e, []);
    const text = "InvalidEntityError: Cannot create #1: no promise() gave this handle. [ecs/invalid-entity]";
    expect(refusal(world, () => keepPromise(stateOf(world), e, []))).toBe(text);
    world.destroy(e);
    expect(refusal(world, () => keepPromise(stateOf(world), e, []))).toBe(text);
    expect(refusal(world, () => keepPromise(stateOf(world), Number.NaN as Entity, []))).toContain(
      "Cannot create NaN",
    );
  });

  it("stays a promise when its components are refused", () => {
    const world = strictWorld();
    const Broken = component("Broken", {
      it: object(() => {
        throw new Error("no default");
      }),
    });
    const e = promise(stateOf(world));
    expect(refusal(world, () => keepPromise(stateOf(world), e, [Position({ x: "1" as never })]))).toContain(
      "takes a number",
    );
    expect(refusal(world, () => keepPromise(stateOf(world), e, [Frozen, Broken]))).toBe("Error: no default");
    keepPromise(stateOf(world), e, [Frozen]);
    expect(world.has(e, Frozen)).toBe(true);
  });

  it("may be made where structure is locked, also when the world must grow", () => {
    const world = strictWorld({ capacity: 2 });
    world.spawnMany(2, Position({ x: 1 }));
    const promised: Entity[] = [];
    world.query(Position).update((position) => {
      promised.push(promise(stateOf(world)));
      position.x++;
    });
    for (const e of promised) keepPromise(stateOf(world), e, [Position({ x: 5 })]);
    expect(
      world
        .query(Position)
        .ids()
        .map((e) => world.get(e, Position)?.x),
    ).toEqual([2, 2, 5, 5]);
    expect(checkWorld(world)).toEqual([]);
  });
});

describe("a disposed world", () => {
  it("refuses every call, or answers that nothing is there", () => {
    const world = strictWorld();
    const e = world.spawn(Position);
    const query = world.query(Position);
    const reader = world.changes(Position);
    const end = world.observe(Position, { add: () => {} });
    const owner = claim(stateOf(world), component("Owned", {}, { reserved: "nobody()" }));
    const promised = promise(stateOf(world));
    world.dispose();
    world.dispose();
    const calls = [
      () => world.spawn(),
      () => world.spawn(Position),
      () => world.spawn(Position, Frozen),
      () => world.spawnMany(0),
      () => world.spawnMany(3, Position),
      () => world.reserve(1),
      () => world.destroy(e),
      () => world.destroy(e, e),
      () => world.add(e, Position),
      () => world.remove(e, Position),
      () => world.set(e, Position, { x: 1 }),
      () => world.get(e, Position),
      () => world.has(e, Position),
      () => world.touch(e, Position),
      () => world.columns(Position),
      () => world.query(Position),
      () => world.addAll(query, Frozen),
      () => world.removeAll(query, Position),
      () => world.destroyAll(query),
      () => world.changes(Position),
      () => world.observe(Position, {}),
      () => world.observeEntities({}),
      () => world.guard(Position, () => {}),
      () => claim(stateOf(world), Position),
      () => extend(stateOf(world), { name: "late" }),
      () => promise(stateOf(world)),
      () => revive(stateOf(world), e, []),
      () => destroyAlone(stateOf(world), e, true),
      () => owner.add(e),
      () => query.count(),
      () => query.first(),
      () => query.single(),
      () => query.ids(),
      () => [...query],
      () => query.each(() => {}),
      () => query.update(() => {}),
      () => query.run(() => {}),
      () => query.sync(),
      () => query.changes(Position),
    ];
    for (const call of calls) {
      expect(call, String(call)).toThrow(DisposedWorldError);
      expect(call).toThrow(
        /^Cannot .*: this world was disposed\. Create a new one with createWorld\(\)\. \[ecs\/disposed-world\]$/,
      );
    }
    expect(() => keepPromise(stateOf(world), promised, [])).toThrow(InvalidEntityError);
    breakPromise(stateOf(world), promised);
    end();
    reader.close();
    expect([world.isDisposed, world.isAlive(e), world.count, world.entities(), query.includes(e)]).toEqual([
      true,
      false,
      0,
      [],
      false,
    ]);
  });

  it("can be disposed by an observer in the middle of a change", () => {
    for (const change of ["spawn", "destroy", "add", "remove", "set"]) {
      const errors: Error[] = [];
      const world = createWorld({ onError: (error) => errors.push(error) });
      const e = world.spawn(Position);
      const dispose = () => world.dispose();
      world.observeEntities({ spawn: dispose, destroy: dispose });
      world.observe(Position, { add: dispose, remove: dispose, set: dispose });
      if (change === "spawn") world.spawn(Position, Frozen);
      if (change === "destroy") world.destroy(e);
      if (change === "add") world.add(e, Frozen, Position);
      if (change === "remove") world.remove(e, Position);
      if (change === "set") world.set(e, Position, { x: 1 });
      expect([change, world.isDisposed || change === "add", errors]).toEqual([change, true, []]);
    }
  });

  it("cannot be disposed while its columns are walked", () => {
    const world = strictWorld();
    world.spawn(Position);
    expect(refusal(world, () => world.query(Position).update(() => world.dispose()))).toContain(
      "StructureLockedError: Cannot dispose the world inside query.update() or query.run()",
    );
  });
});
