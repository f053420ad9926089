import {
  changesOf,
  checkWorld,
  component,
  createWorld,
  destroyAll,
  type Entity,
  f32,
  ObserverError,
  object,
  observe,
  observeEntities,
  removeAll,
  string,
  tag,
  type World,
} from "espalier";
import { createHierarchy, onDestroying } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { modes, strictWorld, valuesOf } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Health = component("Health", { hp: f32(100) });
const Frozen = tag("Frozen");

/** Lists every call. */
function listen(world: World, log: unknown[]): () => void {
  const ends = [Position, Health, Frozen].map((c) =>
    observe(world, c, {
      add: (e) => log.push(`add ${c.name} ${e}`),
      set: (e) => log.push(`set ${c.name} ${e}`),
      remove: (e) => log.push(`remove ${c.name} ${e}`),
    }),
  );
  ends.push(
    observeEntities(world, {
      spawn: (e) => log.push(`spawn ${e}`),
      destroy: (e) => log.push(`destroy ${e}`),
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}

describe.each(modes)("observers ($mode)", ({ generate }) => {
  it("are notified of every change when the call has finished", () => {
    const world = strictWorld({ generate });
    const log: unknown[] = [];
    const end = listen(world, log);
    const heard = (change: () => unknown) => {
      log.length = 0;
      change();
      return [...log];
    };
    expect(heard(() => world.spawn(Position, Health))).toEqual(["spawn 1", "add Position 1", "add Health 1"]);
    const e = 1 as Entity;
    expect(heard(() => world.set(e, Position, { x: 1, y: 1 }))).toEqual(["set Position 1"]);
    expect(heard(() => world.set(e, Position, { x: 1 }))).toEqual([]);
    expect(heard(() => world.set(e, Position({ x: 2 }), Health({ hp: 1 })))).toEqual([
      "set Position 1",
      "set Health 1",
    ]);
    expect(heard(() => world.add(e, Position({ x: 3 }), Frozen))).toEqual(["set Position 1", "add Frozen 1"]);
    expect(heard(() => world.remove(e, Frozen, Frozen))).toEqual(["remove Frozen 1"]);
    expect(heard(() => world.touch(e, Health))).toEqual(["set Health 1"]);
    expect(heard(() => world.query(Position).each((_, p) => void p.x++))).toEqual(["set Position 1"]);
    expect(heard(() => world.query(Position).update((p) => void p.y++))).toEqual(["set Position 1"]);
    expect(heard(() => world.spawnMany(2, Frozen))).toEqual([
      "spawn 2",
      "add Frozen 2",
      "spawn 3",
      "add Frozen 3",
    ]);
    expect(heard(() => removeAll(world.query(Frozen), Frozen))).toEqual([
      "remove Frozen 2",
      "remove Frozen 3",
    ]);
    expect(heard(() => world.destroy(e))).toEqual(["destroy 1", "remove Position 1", "remove Health 1"]);
    expect(heard(() => destroyAll(world.query()))).toEqual(["destroy 2", "destroy 3"]);
    end();
    expect(heard(() => world.destroy(world.spawn(Position)))).toEqual([]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("that begin in the middle of a call are notified as others are, also when they are the first of the world", () => {
    const [first, later] = [false, true].map((hasOthers) => {
      const world = strictWorld({ generate });
      const tree = createHierarchy(world);
      if (hasOthers) observe(world, Frozen, { add: () => {} });
      const log: unknown[] = [];
      const tank = tree.attachNew(null, Position, Health({ hp: 7 }));
      const wreck = world.spawn(Position);
      let isObserved = false;
      world.query(Position).update((position) => {
        position.x = 1;
        if (!isObserved) observe(world, Position, { set: (e) => log.push(`set ${e}`) });
        isObserved = true;
        position.y = 1;
      });
      const begin = onDestroying(tree, () => {
        begin();
        observeEntities(world, { destroy: (e) => log.push(`destroy ${e} ${world.get(e, Health)?.hp}`) });
        observe(world, Health, {
          removing: (e) => log.push(`removing ${e} ${world.isAlive(e)}`),
          remove: (e, { hp }) => log.push(`remove ${e} ${hp}`),
        });
      });
      tree.destroy(tank);
      world.destroy(wreck);
      return log;
    });
    expect(first).toEqual(later);
    expect(first).toEqual(
      expect.arrayContaining(["set 1", "set 2", "destroy 1 7", "remove 1 7", "destroy 2 undefined"]),
    );
  });

  it("see values: new ones when they are added or set, old ones when they go", () => {
    const world = strictWorld({ generate });
    const seen: unknown[] = [];
    const look = (what: string) => (e: Entity) =>
      seen.push([what, world.get(e, Position)?.x, world.has(e, Health)]);
    observe(world, Position, {
      add: look("add"),
      set: look("set"),
      remove: (e, { x }) => seen.push(["remove", x, world.has(e, Health)]),
    });
    observeEntities(world, { spawn: look("spawn"), destroy: look("destroy") });
    const e = world.spawn(Position({ x: 1 }), Health);
    world.set(e, Position, { x: 2 });
    world.remove(e, Position);
    world.add(e, Position({ x: 3 }));
    world.destroy(e);
    expect(seen).toEqual([
      ["spawn", 1, true],
      ["add", 1, true],
      ["set", 2, true],
      ["remove", 2, true],
      ["add", 3, true],
      ["destroy", 3, true],
      ["remove", 3, true],
    ]);
  });

  it("run by their order, then as they were registered", () => {
    const world = strictWorld({ generate });
    const log: string[] = [];
    const register = (name: string, order?: number) =>
      observe(world, Frozen, { add: () => log.push(name), name, ...(order === undefined ? {} : { order }) });
    register("c");
    register("late", 10);
    register("d");
    register("early", -1);
    register("a", -5);
    world.spawn(Frozen);
    expect(log).toEqual(["a", "early", "c", "d", "late"]);
  });

  it("can be ended, even while they are being called", () => {
    const world = strictWorld({ generate });
    const log: string[] = [];
    const ends: (() => void)[] = [];
    for (const name of ["a", "b", "c"]) {
      ends.push(
        observe(world, Frozen, {
          add: () => {
            log.push(name);
            ends[1]!();
            observe(world, Frozen, { add: () => log.push(`${name}'s late one`) });
          },
        }),
      );
    }
    world.spawn(Frozen);
    expect(log).toEqual(["a", "c"]);
    log.length = 0;
    world.spawn(Frozen);
    expect(log).toEqual(["a", "c", "a's late one", "c's late one"]);
  });
});

describe("an observer that throws", () => {
  it("is reported by its name, the others still run, and the world is whole", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const log: string[] = [];
    const cause = new Error("boom");
    const fail = () => {
      throw cause;
    };
    observe(world, Position, { name: "physics", add: fail, set: fail, remove: fail });
    observeEntities(world, { spawn: fail, destroy: fail });
    observe(world, Position, {
      add: () => log.push("add"),
      set: () => log.push("set"),
      remove: () => log.push("remove"),
    });
    const e = world.spawn(Position({ x: 1 }), Health);
    world.set(e, Position, { x: 2 });
    world.remove(e, Position);
    world.add(e, Position);
    expect(checkWorld(world)).toEqual([]);
    expect(valuesOf(world, e)).toEqual({ Health: { hp: 100 }, Position: { x: 0, y: 0 } });
    world.destroy(e);
    expect(log).toEqual(["add", "set", "remove", "add", "remove"]);
    expect(errors.map((error) => error.message)).toEqual([
      "Observer fail threw on spawn of #1: boom [ecs/observer]",
      "Observer physics threw on add of #1: boom [ecs/observer]",
      "Observer physics threw on set of #1: boom [ecs/observer]",
      "Observer physics threw on remove of #1: boom [ecs/observer]",
      "Observer physics threw on add of #1: boom [ecs/observer]",
      "Observer fail threw on destroy of #1: boom [ecs/observer]",
      "Observer physics threw on remove of #1: boom [ecs/observer]",
    ]);
    const error = errors[1] as ObserverError;
    expect(error).toBeInstanceOf(ObserverError);
    expect([error.observer, error.cause, error.entities, error.code]).toEqual([
      "physics",
      cause,
      [e],
      "ecs/observer",
    ]);
    expect([world.count, checkWorld(world)]).toEqual([0, []]);
  });

  it("runs after update() has ended, and may change structure then", () => {
    const world = strictWorld();
    const e = world.spawn(Position);
    observe(world, Position, { name: "spawner", set: () => void world.spawn() });
    world.query(Position).update((position) => void position.x++);
    expect([world.count, world.get(e, Position)]).toEqual([2, { x: 1, y: 0 }]);
  });
});

describe("observers that change the world", () => {
  it("are observed in turn, after the present round", () => {
    const world = strictWorld();
    const log: string[] = [];
    observe(world, Position, { add: (e) => world.add(e, Health) });
    observe(world, Position, { add: () => log.push("position") });
    observe(world, Health, { add: () => log.push("health") });
    world.spawn(Position);
    expect(log).toEqual(["position", "health"]);
  });

  it("may destroy the entity they are called for; spawn() still returns its handle", () => {
    const world = strictWorld();
    const log: unknown[] = [];
    observe(world, Position, { add: (e) => void world.destroy(e) });
    observe(world, Position, { add: (e) => log.push(["added", world.isAlive(e)]) });
    observe(world, Health, { add: () => log.push("health") });
    const e = world.spawn(Position, Health);
    const [f] = world.spawnMany(1, Position) as [Entity];
    expect([world.isAlive(e), world.isAlive(f), e === f, world.count]).toEqual([false, false, false, 0]);
    // Each notice is delivered once, also those of an entity that is gone by then.
    expect(log).toEqual([["added", false], "health", ["added", false]]);
    const next = world.spawn();
    expect([next === e, next === f]).toEqual([false, false]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("may destroy the entity in the middle of add() and remove() of several", () => {
    const world = strictWorld();
    observe(world, Position, { add: (e) => void world.destroy(e) });
    const e = world.spawn();
    world.add(e, Health, Position, Frozen);
    expect(world.isAlive(e)).toBe(false);
    const other = strictWorld();
    observe(other, Position, { remove: (e) => void other.destroy(e) });
    const f = other.spawn(Position, Health);
    expect(other.remove(f, Position, Health)).toBe(true);
    expect([other.isAlive(f), other.count, checkWorld(other)]).toEqual([false, 0, []]);
  });

  it("are notified that a component was added, even if it has been removed by then", () => {
    const world = strictWorld();
    const log: string[] = [];
    observeEntities(world, { spawn: (e) => void world.remove(e, Health) });
    observe(world, Position, { add: (e) => void world.remove(e, Frozen) });
    for (const c of [Health, Frozen]) {
      observe(world, c, { add: () => log.push(`add ${c.name}`), remove: () => log.push(`remove ${c.name}`) });
    }
    world.spawn(Position, Health, Frozen);
    expect(log).toEqual(["add Health", "add Frozen", "remove Health", "remove Frozen"]);
  });

  it("are notified of each loss once, whatever happens inside a remove observer", () => {
    const world = strictWorld();
    const log: string[] = [];
    observe(world, Position, {
      remove: (e) => {
        log.push(`remove Position, has it: ${world.has(e, Position)}`);
        if (world.isAlive(e)) expect(world.remove(e, Position)).toBe(false);
        world.destroy(e);
      },
    });
    observe(world, Health, { remove: () => log.push("remove Health") });
    const reader = changesOf(world, Position);
    const e = world.spawn(Position, Health);
    expect(world.remove(e, Position)).toBe(true);
    expect(log).toEqual(["remove Position, has it: false", "remove Health"]);
    expect(reader.read().removed).toEqual([e]);
    log.length = 0;
    const f = world.spawn(Health, Position);
    expect(world.destroy(f)).toBe(true);
    expect(log.sort()).toEqual(["remove Health", "remove Position, has it: true"]);
    expect([world.count, checkWorld(world)]).toEqual([0, []]);
  });

  it("are notified of what destroying observers give to a dying entity, and of what they take from it once", () => {
    const world = strictWorld();
    const log: string[] = [];
    const reader = changesOf(world, Frozen);
    observeEntities(world, {
      destroying: (e) => {
        world.add(e, Frozen);
        world.remove(e, Health);
        expect(world.destroy(e)).toBe(false);
      },
    });
    for (const c of [Position, Health, Frozen]) {
      observe(world, c, { add: () => log.push(`add ${c.name}`), remove: () => log.push(`remove ${c.name}`) });
    }
    const e = world.spawn(Position, Health);
    world.destroy(e);
    expect(log.slice(2)).toEqual(["add Frozen", "remove Health", "remove Frozen", "remove Position"]);
    expect(reader.read()).toEqual({ added: [], changed: [], removed: [e] });
    expect([world.isAlive(e), checkWorld(world)]).toEqual([false, []]);
  });

  it("get the values of a component that went, and may read a destroyed entity until all are notified", () => {
    const Bag = component("Bag", { name: string("b"), items: object(() => [1]) }, { storage: "sparse" });
    const world = strictWorld();
    const seen: unknown[] = [];
    observe(world, Bag, { remove: (e, bag) => seen.push(bag, world.get(e, Position)) });
    observeEntities(world, { destroy: (e) => seen.push(world.has(e, Bag, Position), world.isAlive(e)) });
    const e = world.spawn(Bag({ name: "first" }), Position({ x: 1 }));
    world.remove(e, Bag);
    expect(seen.splice(0)).toEqual([
      { name: "first", items: [1] },
      { x: 1, y: 0 },
    ]);
    expect(world.get(e, Bag)).toBeUndefined();
    world.add(e, Bag({ name: "second" }));
    world.destroy(e);
    expect(seen).toEqual([true, false, { name: "second", items: [1] }, { x: 1, y: 0 }]);
    expect(() => world.get(e, Bag)).toThrow("was destroyed");
  });

  it("may destroy other entities of the same call", () => {
    const world = strictWorld();
    const all = world.spawnMany(4, Position);
    observe(world, Position, {
      remove: (e) => {
        const next = all[all.indexOf(e) + 1];
        if (next !== undefined) world.destroy(next);
      },
    });
    expect(world.destroy(...all)).toBe(true);
    expect([world.count, checkWorld(world)]).toEqual([0, []]);
  });

  it("that trigger each other endlessly are stopped and reported, and the change stays", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const e = world.spawn(Health);
    observe(world, Health, {
      name: "healer",
      set: () => world.set(e, Health, { hp: world.get(e, Health)!.hp + 1 }),
    });
    world.set(e, Health, { hp: 0 });
    expect(errors.map((error) => error.message)).toEqual([
      "Stopped observer healer: its set caused itself 100 times over. No further observer is notified of this change. [ecs/observer]",
    ]);
    expect(world.get(e, Health)?.hp).toBe(100);
    errors.length = 0;
    world.set(e, Health, { hp: 0 });
    expect(errors).toHaveLength(1);
    expect(checkWorld(world)).toEqual([]);
  });

  it("that trigger each other endlessly in two ways are stopped as early", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const e = world.spawn(Health);
    const again = () => world.set(e, Health, { hp: world.get(e, Health)!.hp + 1 });
    observe(world, Health, { name: "first", set: again });
    observe(world, Health, {
      name: "second",
      set: () => {
        again();
        again();
      },
    });
    world.set(e, Health, { hp: 0 });
    expect(errors.map((error) => (error as ObserverError).observer)).toEqual(["first"]);
    const heard: Entity[] = [];
    observe(world, Frozen, { add: (entity) => heard.push(entity) });
    const next = world.spawn(Frozen);
    expect([heard, checkWorld(world)]).toEqual([[next], []]);
  });

  it("may walk queries and change structure inside them", () => {
    const world = strictWorld();
    world.spawnMany(3, Position);
    observe(world, Frozen, {
      add: () => world.query(Position).each((e) => void world.destroy(e)),
    });
    let visits = 0;
    world.query(Position).each((e) => {
      visits++;
      world.add(e, Frozen);
    });
    expect([visits, world.count, checkWorld(world)]).toEqual([1, 0, []]);
  });
});

describe("unhandled errors", () => {
  it("go to the console", () => {
    const world = createWorld();
    observe(world, Frozen, {
      add: () => {
        throw new Error("boom");
      },
    });
    const lines: unknown[] = [];
    const { error } = console;
    console.error = (line: unknown) => lines.push(line);
    try {
      world.spawn(Frozen);
    } finally {
      console.error = error;
    }
    expect(lines).toEqual([expect.any(ObserverError)]);
  });
});
