import {
  changesOf,
  checkWorld,
  component,
  createWorld,
  destroyAll,
  type Entity,
  EntityLimitError,
  f32,
  generationOf,
  indexOf,
  MAX_ENTITIES,
  object,
  tag,
} from "espalier";
import { destroyAlone, reserveHandle, revive, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { modes, refusal, snapshot, strictWorld } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Frozen = tag("Frozen");

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
      destroyAll(world.query(Position));
      log.push(world.spawnMany(20), snapshot(world));
      return log;
    };
    expect(run()).toEqual(run());
  });

  it("reuse the index that was freed last", () => {
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
      (world: ReturnType<typeof strictWorld>) => destroyAll(world.query(Position)),
      (world: ReturnType<typeof strictWorld>) => world.query(Position).each((e) => void world.destroy(e)),
      (world: ReturnType<typeof strictWorld>) => {
        changesOf(world, Position);
        destroyAll(world.query(Position));
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
  it("live at once, more than four million, and no more than an index has bits for", () => {
    const world = createWorld({ capacity: MAX_ENTITIES });
    expect(MAX_ENTITIES).toBe(4_194_303);
    const all = world.spawnMany(MAX_ENTITIES - 1);
    expect(all.at(-1)).toBe(4_194_302);
    const last = world.spawn();
    expect([last, world.count, world.isAlive(last)]).toEqual([4_194_303, 4_194_303, true]);
    expect(() => world.spawn()).toThrow(EntityLimitError);
    expect(() => world.spawn()).toThrow(
      "Cannot create another entity: 4194303 indices are in use, the most one world can hold. Destroy entities you no longer need. [ecs/entity-limit]",
    );
    expect(() => world.spawnMany(3)).toThrow(EntityLimitError);
    expect(world.count).toBe(MAX_ENTITIES);
    world.destroy(last);
    const again = world.spawn();
    expect([indexOf(again), world.isAlive(last)]).toEqual([4_194_303, false]);
    destroyAll(world.query());
    expect(world.count).toBe(0);
    expect(world.isAlive(all[0]!)).toBe(false);
  });

  it("make a world grow automatically, with all values preserved", () => {
    const world = strictWorld({ capacity: 1 });
    const all = Array.from({ length: 3000 }, (_, k) => world.spawn(Position({ x: k })));
    expect(all.map((e) => world.get(e, Position)?.x)).toEqual(all.map((_, k) => k));
    expect(checkWorld(world)).toEqual([]);
  });

  it("make a small world grow to four times its capacity, and a larger one by half", () => {
    const world = strictWorld();
    const capacities = new Set<number>();
    for (let k = 0; k < 30_000; k++) {
      world.spawn(Position);
      capacities.add(world.columns(Position).x.length);
    }
    expect([...capacities]).toEqual([1024, 4096, 16_384, 24_576, 36_864]);
  });

  it("make a world that is asked for more grow to no more than that", () => {
    const world = strictWorld();
    world.spawnMany(10_000, Position);
    expect(world.columns(Position).x.length).toBe(10_001);
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

  it("counts indices that are free already", () => {
    const world = strictWorld({ capacity: 10 });
    world.spawnMany(10, Position);
    destroyAll(world.query());
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
  it("holds exactly that many, and throws when it is full", () => {
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
    for (const prepare of [() => {}, () => void changesOf(world, Position)]) {
      prepare();
      expect(refusal(world, () => world.spawnMany(7, Position))).toContain("EntityLimitError");
      expect(world.count).toBe(4);
    }
    expect(world.spawnMany(6, Position).map(indexOf)).toEqual([4, 2, 7, 8, 9, 10]);
  });

  it("uses freed indices in bulk again and again", () => {
    const world = strictWorld({ capacity: 1000, fixed: true });
    const query = world.query(Position);
    for (let k = 0; k < 20; k++) {
      expect(world.spawnMany(1000, Position({ x: k }))).toHaveLength(1000);
      expect(world.get(query.first()!, Position)).toEqual({ x: k, y: 0 });
      destroyAll(query);
    }
    expect(checkWorld(world)).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 22, "7"])("refuses the capacity %s", (capacity) => {
    expect(() => createWorld({ capacity: capacity as number })).toThrow(
      /Cannot create a world with capacity .*\. Give an integer from 1 to 4194303\. \[ecs\/invalid-value\]/,
    );
  });
});

describe("revive", () => {
  it("restores a destroyed entity under its own handle", () => {
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

  it("keeps the handles that its index had meanwhile from being given out again", () => {
    const world = strictWorld({ capacity: 1 });
    const first = world.spawn(Position);
    const seen = [first];
    world.destroy(first);
    for (let k = 0; k < 3; k++) {
      const other = world.spawn();
      seen.push(other);
      world.destroy(other);
    }
    for (let round = 0; round < 2; round++) {
      revive(stateOf(world), first, [Position], true);
      expect(seen.map((entity) => world.isAlive(entity))).toEqual([true, false, false, false]);
      expect(refusal(world, () => world.get(seen[3]!, Position))).toContain("was destroyed");
      world.destroy(first);
      const next = world.spawn();
      expect(seen).not.toContain(next);
      world.destroy(next);
    }
    expect(checkWorld(world)).toEqual([]);
  });

  it("makes an entity where none was yet; the indices skipped are free", () => {
    const world = strictWorld({ capacity: 2 });
    revive(stateOf(world), 9 as Entity, [Frozen]);
    expect(world.entities()).toEqual([9]);
    expect(world.spawnMany(9).map(indexOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
  });

  it("refuses what lives, and an index that is taken, and changes nothing", () => {
    const world = strictWorld();
    const a = world.spawn(Position);
    expect(refusal(world, () => revive(stateOf(world), a, []))).toBe(
      "DeadEntityError: Cannot bring back #1: it is alive. [ecs/dead-entity]",
    );
    world.destroy(a);
    world.spawn();
    expect(refusal(world, () => revive(stateOf(world), a, []))).toBe(
      "DeadEntityError: Cannot bring back #1: its index is taken by #1v1. [ecs/dead-entity]",
    );
    const reserved = reserveHandle(stateOf(world));
    expect(refusal(world, () => revive(stateOf(world), reserved, []))).toContain(
      "its index is taken by #2, which a command buffer reserved",
    );
    expect(() => revive(stateOf(strictWorld({ capacity: 3, fixed: true })), 9 as Entity, [])).toThrow(
      EntityLimitError,
    );
  });

  it("leaves the index as it was when a default throws", () => {
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
