import { checkWorld, component, type Entity, f32, i32, object, string, tag } from "espalier";
import { describe, expect, it } from "vitest";
import { modes, refusal, snapshot, strictWorld, valuesOf } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32(7) });
const Health = component("Health", { hp: i32(100) });
const Label = component("Label", { text: string("?") });
const Bag = component("Bag", { items: object(() => [] as string[]) }, { storage: "sparse" });
const Frozen = tag("Frozen");

describe.each(modes)("add ($mode)", ({ generate }) => {
  it("adds a component with its values and the defaults of the rest", () => {
    const world = strictWorld({ generate });
    const e = world.spawn();
    world.add(e, Position({ x: 1 }));
    world.add(e, Frozen);
    world.add(e, Health);
    expect(valuesOf(world, e)).toEqual({ Position: { x: 1, y: 7 }, Frozen: {}, Health: { hp: 100 } });
  });

  it("adds several at once", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Frozen);
    world.add(e, Position({ y: 2 }), Label({ text: "a" }), Bag);
    expect(valuesOf(world, e)).toEqual({
      Frozen: {},
      Position: { x: 0, y: 2 },
      Label: { text: "a" },
      Bag: { items: [] },
    });
  });

  it("overwrites existing values: given fields take their values, the others their defaults", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position({ x: 1, y: 1 }), Bag({ items: ["a"] }));
    const version = world.version;
    world.add(e, Position({ x: 5 }));
    world.add(e, Bag, Position({ x: 6 }));
    expect(valuesOf(world, e)).toEqual({ Position: { x: 6, y: 7 }, Bag: { items: [] } });
    expect(world.version).toBe(version);
  });

  it("does nothing when nothing is given", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position);
    const before = snapshot(world);
    world.add(e);
    expect(snapshot(world)).toEqual(before);
  });

  it("refuses all of several when one of them is refused", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position({ x: 1 }));
    expect(refusal(world, () => world.add(e, Frozen, Position({ x: 2 }), Health({ hp: 1.5 })))).toBe(
      "InvalidValueError: Cannot set Health.hp of #1: hp takes an integer from -2147483648 to 2147483647, got 1.5. [ecs/invalid-value]",
    );
    expect(refusal(world, () => world.add(e, Frozen, Health, Frozen))).toBe(
      "InvalidValueError: Cannot add Frozen twice in one call. Give each component once, with all its values. [ecs/invalid-value]",
    );
    expect(refusal(world, () => world.spawn(Frozen, Frozen))).toContain(
      "Cannot add Frozen twice in one call.",
    );
    expect(refusal(world, () => world.spawnMany(3, Health, Health({ hp: 1 })))).toContain("twice");
  });

  it("leaves no archetype behind when it refuses, so that queries keep their order", () => {
    const order = (refuse: boolean) => {
      const world = strictWorld({ generate });
      if (refuse) expect(() => world.spawn(Frozen, Health({ hp: "x" as never }))).toThrow();
      world.spawn(Position, Frozen);
      world.spawn(Frozen);
      return world.query(Frozen).ids();
    };
    expect(order(true)).toEqual(order(false));
  });
});

describe.each(modes)("remove ($mode)", ({ generate }) => {
  it("removes components and returns whether one existed", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position, Frozen, Bag({ items: ["a"] }), Label);
    expect(world.remove(e, Frozen)).toBe(true);
    expect(world.remove(e, Frozen)).toBe(false);
    expect(world.remove(e, Frozen, Bag, Position, Bag)).toBe(true);
    expect(world.remove(e, Frozen, Health)).toBe(false);
    expect(world.remove(e)).toBe(false);
    expect(valuesOf(world, e)).toEqual({ Label: { text: "?" } });
    world.add(e, Bag, Position);
    expect(valuesOf(world, e)).toEqual({
      Label: { text: "?" },
      Bag: { items: [] },
      Position: { x: 0, y: 7 },
    });
    expect(checkWorld(world)).toEqual([]);
  });
});

describe.each(modes)("set ($mode)", ({ generate }) => {
  it("writes the given fields and leaves the others", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position({ x: 1, y: 2 }), Health);
    world.set(e, Position, { y: 5 });
    world.set(e, Position({ x: 4 }), Health({ hp: 1 }));
    world.set(e, Position, {});
    world.set(e, Position());
    expect(valuesOf(world, e)).toEqual({ Position: { x: 4, y: 5 }, Health: { hp: 1 } });
  });

  it("refuses a component that does not exist, and then writes none of several", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position);
    const text =
      "MissingComponentError: Cannot set Health of #1: the entity has no Health. Use add() to give it one. [ecs/missing-component]";
    expect(refusal(world, () => world.set(e, Health, { hp: 1 }))).toBe(text);
    expect(refusal(world, () => world.set(e, Position({ x: 9 }), Health({ hp: 1 })))).toBe(text);
    expect(refusal(world, () => world.set(e, Position({ x: 9 }), Position({ y: "1" as never })))).toContain(
      "y takes a number",
    );
  });
});

describe.each(modes)("get and has ($mode)", ({ generate }) => {
  it("return existing values", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position, Frozen);
    expect([world.get(e, Health), world.get(e, Frozen), world.get(e, Position)]).toEqual([
      undefined,
      {},
      { x: 0, y: 7 },
    ]);
    expect([world.has(e), world.has(e, Position, Frozen), world.has(e, Position, Health)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("destroy", () => {
  it("ends entities and returns whether one was alive", () => {
    const world = strictWorld();
    const [a, b, c] = world.spawnMany(3, Position, Bag) as [Entity, Entity, Entity];
    expect([world.destroy(a), world.destroy(a), world.destroy(a, b), world.destroy(a, b)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([world.count, world.entities()]).toEqual([1, [c]]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("destroys none of several when one of them is not an entity", () => {
    const world = strictWorld();
    const [a, b] = world.spawnMany(2);
    expect(refusal(world, () => world.destroy(a!, Number.NaN as Entity, b!))).toContain("InvalidEntityError");
  });
});

describe("raw columns", () => {
  it("hold the values by entity index", () => {
    const world = strictWorld();
    const all = world.spawnMany(4, Position, Health);
    const { x } = world.columns(Position);
    const { hp } = world.columns(Health);
    for (const e of all) {
      x[e] = e * 10;
      hp[e] = -e;
    }
    expect(all.map((e) => [world.get(e, Position)!.x, world.get(e, Health)!.hp])).toEqual([
      [10, -1],
      [20, -2],
      [30, -3],
      [40, -4],
    ]);
  });

  it("stay where they are in a world of fixed capacity", () => {
    const world = strictWorld({ capacity: 500, fixed: true });
    const { x } = world.columns(Position);
    world.spawnMany(500, Position({ x: 3 }));
    expect([world.columns(Position).x === x, x[500]]).toEqual([true, 3]);
  });

  it("begin at different lines of a memory page, because neighbours there slow each other down", () => {
    const world = strictWorld({ capacity: 100_000, fixed: true });
    const Velocity = component("Velocity", { x: f32(), y: f32() });
    const columns = [world.columns(Position), world.columns(Velocity)].flatMap(({ x, y }) => [x, y]);
    const lines = columns.map(({ byteOffset }) => (byteOffset % 4096) / 64);
    expect(new Set(lines).size).toBe(4);
    expect(lines).not.toContain(0);
    expect(columns.map(({ length }) => length)).toEqual([100_001, 100_001, 100_001, 100_001]);
  });
});
