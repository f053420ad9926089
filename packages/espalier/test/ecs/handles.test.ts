import {
  checkWorld,
  component,
  DeadEntityError,
  type Entity,
  f32,
  formatEntity,
  generationOf,
  InvalidEntityError,
  indexOf,
  tag,
} from "espalier";
import { destroyAlone, isHandle, readIndexState, revive, setIndexState, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { refusal, refused, strictWorld } from "../testing.ts";

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

  it("is written as an index, with its generation when the index was used before", () => {
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

  it("is distinguished from everything else", () => {
    expect([1, 4_194_305, 2 ** 53 - 1].map(isHandle)).toEqual([true, true, true]);
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 22, 2 ** 53, "1", null, {}]) {
      expect(isHandle(value), String(value)).toBe(false);
    }
  });

  it("of no entity is never alive", () => {
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
  it("is recognised after its index was reused, and the error names the new entity", () => {
    const world = strictWorld();
    const old = world.spawn(Position);
    world.destroy(old);
    const now = world.spawn(Position);
    expect(indexOf(now)).toBe(indexOf(old));
    expect(world.isAlive(old)).toBe(false);
    expect(refusal(world, () => world.get(old, Position))).toBe(
      "DeadEntityError: Cannot get a component: #1 was destroyed. Its index is used by #1v1 now. Ask isAlive() before using a handle you kept. [ecs/dead-entity]",
    );
  });

  it("is recognised after a spawn that reused its index was taken back", () => {
    const world = strictWorld();
    const stale = world.spawn();
    world.destroy(stale);
    const taken = world.spawn();
    destroyAlone(stateOf(world), taken, true);
    expect(refusal(world, () => world.add(stale, Position))).toContain("#1 was destroyed.");
    const { used, generations } = readIndexState(stateOf(world).table);
    expect([used, generationOf(taken), generations[indexOf(taken)]]).toEqual([1, 1, 1]);
    expect(world.spawn()).toBe(taken);
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

  it("keeps handles of other indices as they were when one of them becomes wide", () => {
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

  it("of an index that was used 512 times rests there while others are given out, so that handles stay small", () => {
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

  it("that was retired is used again when its entity is restored", () => {
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

  it("becomes wide when too many indices rest, which then serve again, lowest first", () => {
    const world = strictWorld({ capacity: 1000 });
    const count = 150_000;
    const free = Int32Array.from({ length: count }, (_, k) => k + 1);
    setIndexState(stateOf(world), { used: count, generations: new Int32Array(count + 1).fill(511), free });
    let rested = 0;
    for (; !stateOf(world).table.wide && rested < count; rested++) world.destroy(world.spawn());
    expect(rested).toBeGreaterThan(130_000);
    expect(rested).toBeLessThan(count);
    expect(checkWorld(world)).toEqual([]);
    expect(readIndexState(stateOf(world).table).free.subarray(0, 3)).toEqual(
      Int32Array.of(rested, rested + 1, rested + 2),
    );
    expect(readIndexState(stateOf(world).table).free.subarray(-2)).toEqual(
      Int32Array.of(rested - 2, rested - 1),
    );
  });

  it("rests in a copy of the world as well", () => {
    const world = strictWorld();
    for (let k = 0; k < 1100; k++) world.destroy(world.spawn());
    const copy = strictWorld();
    setIndexState(stateOf(copy), readIndexState(stateOf(world).table));
    expect(checkWorld(copy)).toEqual([]);
    expect(stateOf(copy).table.wide).toBe(false);
    for (let k = 0; k < 600; k++) {
      const [a, b] = [world.spawn(), copy.spawn()];
      expect(b).toBe(a);
      world.destroy(a);
      copy.destroy(b);
    }
  });

  it("is recognised when an index has no generation left: it is never given out again", () => {
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
  it("is recognised where its index was never given out here", () => {
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
  it("share nothing: entities, values, queries and components are separate", () => {
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
      ["get a component", () => world.get(e, undefined as never)],
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
      ["get a component", () => world.get(e, undefined as never)],
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
