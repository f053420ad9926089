import {
  changesOf,
  checkWorld,
  component,
  type Entity,
  entityRef,
  entityRefs,
  f32,
  InvalidSchemaError,
  inspect,
  listComponents,
  object,
  QueryError,
  shared,
  string,
  tag,
} from "espalier";
import { createHistory } from "espalier/history";
import { stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { modes, strictWorld } from "../testing.ts";

interface Data {
  parts: number[];
  at?: { x: number };
}
const Look = component(
  "Look",
  { tint: f32(1), sprite: string("none"), data: object((): Data => ({ parts: [1] })) },
  { storage: shared },
);

describe.each(modes)("shared storage, $mode", ({ generate }) => {
  const create = () => strictWorld({ generate });
  const distinct = (world: ReturnType<typeof create>) =>
    listComponents(world).find(({ name }) => name === "Look")?.distinct;

  it("keeps equal values once, however they came to be equal", () => {
    const world = create();
    const all = world.spawnMany(1000, Look({ sprite: "a", data: { parts: [1, 2] } }));
    expect(distinct(world)).toBe(1);
    const [first, second] = all as [Entity, Entity];
    world.set(first, Look, { sprite: "b" });
    expect(distinct(world)).toBe(2);
    expect([world.get(first, Look)?.sprite, world.get(second, Look)?.sprite]).toEqual(["b", "a"]);
    world.set(first, Look, { sprite: "a" });
    expect([distinct(world), inspect(world, first).components[0]?.sharedBy]).toEqual([1, 1000]);
    const late = world.spawn(Look({ tint: 1, data: { parts: [1, 2] } }));
    world.query(Look).update((look) => {
      look.sprite = "c";
    });
    expect([distinct(world), inspect(world, late).components[0]?.sharedBy]).toEqual([1, 1001]);
    for (const entity of all) world.destroy(entity);
    world.remove(late, Look);
    expect([distinct(world), checkWorld(world)]).toEqual([0, []]);
  });

  it("holds read-only copies of objects", () => {
    const world = create();
    const mine: Data = { parts: [1, 2], at: { x: 5 } };
    const [a, b] = [
      world.spawn(Look({ data: mine })),
      world.spawn(Look({ data: { parts: [1, 2], at: { x: 5 } } })),
    ];
    mine.parts.push(3);
    expect([world.get(a, Look)?.data.parts, distinct(world)]).toEqual([[1, 2], 1]);
    expect(world.get(a, Look)?.data).toBe(world.get(b, Look)?.data);
    expect(() => world.get(a, Look)?.data.parts.push(9)).toThrow(TypeError);
    expect(() => {
      (world.get(a, Look) as { data: Data }).data.at = { x: 1 };
    }).toThrow(TypeError);
    world.set(a, Look, { data: { ...(world.get(a, Look) as { data: Data }).data, parts: [7] } });
    expect([world.get(a, Look)?.data.parts, world.get(b, Look)?.data.parts]).toEqual([[7], [1, 2]]);
  });

  it("shares what is not plain data only where it is the same object, and does not mix up texts and objects", () => {
    const world = create();
    const Any = component("Any", { value: object((): unknown => null) }, { storage: shared });
    const map = new Map([[1, 2]]);
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const values = [
      map,
      new Map([[1, 2]]),
      map,
      "{}",
      {},
      [],
      "[]",
      0,
      -0,
      Number.NaN,
      undefined,
      null,
      cycle,
    ];
    const odd = [
      new Array(3),
      Object.defineProperty({}, "x", { get: () => 1, enumerable: true }),
      new Date(0),
      Object.create({ inherited: 1 }) as object,
      { a: Number.NaN },
      ["x", "y"],
      ["x,y"],
    ];
    const entities = [...values, ...odd].map((value) => world.spawn(Any({ value })));
    [...values, ...odd].forEach((value, k) => {
      const held = world.get(entities[k] as Entity, Any)?.value;
      if (value !== undefined)
        expect(Object.is(held, value) || JSON.stringify(held) === JSON.stringify(value)).toBe(true);
    });
    expect(world.get(entities[0] as Entity, Any)?.value).toBe(map);
    expect(world.get(entities[1] as Entity, Any)?.value).not.toBe(map);
    expect(listComponents(world)[0]?.distinct).toBe(values.length + odd.length - 2);
    expect(Object.isFrozen(map)).toBe(false);
    expect(checkWorld(world)).toEqual([]);
  });

  it("holds data with a function, a symbol or a big integer in it as it is", () => {
    const world = create();
    const Any = component("Any", { value: object((): unknown => null) }, { storage: shared });
    for (const make of [() => () => 1, () => Symbol("a"), () => 5n]) {
      const [a, b] = [{ inside: make() }, { inside: make() }];
      const entities = [a, b, a].map((value) => world.spawn(Any({ value })));
      expect(entities.map((e) => world.get(e, Any)?.value)).toEqual([a, b, a]);
      expect(world.get(entities[0]!, Any)?.value).toBe(a);
      expect(entities.map((e) => inspect(world, e).components[0]?.sharedBy)).toEqual([2, 1, 2]);
    }
    expect(checkWorld(world)).toEqual([]);
  });

  it("holds copies of data with undefined, -0 and NaN in it, and of data however deep", () => {
    const world = create();
    const Any = component("Any", { value: object((): unknown => null) }, { storage: shared });
    const nested = () => {
      let data: unknown = [];
      for (let level = 0; level < 100_000; level++) data = { data };
      return data;
    };
    const makes = [
      () => ({ at: undefined, x: 1 }),
      () => ({ x: 1 }),
      () => ({ x: -0 }),
      () => ({ x: 0 }),
      () => ({ x: Number.NaN }),
      () => ({ x: "NaN" }),
      () => ({ x: "undefined" }),
      () => ["val"],
      nested,
    ];
    for (const make of makes) {
      const [a, b] = [world.spawn(Any({ value: make() })), world.spawn(Any({ value: make() }))];
      const held = world.get(a, Any)?.value;
      expect(held === world.get(b, Any)?.value && Object.isFrozen(held)).toBe(true);
    }
    // As many values as an array of one has, but no value at 0.
    const odd = Object.assign(new Array(1), { x: "val" });
    expect(world.get(world.spawn(Any({ value: odd })), Any)?.value).toBe(odd);
    expect(listComponents(world)[0]?.distinct).toBe(makes.length + 1);
    expect(checkWorld(world)).toEqual([]);
  });

  it.each([true, false])(
    "stays correct when reading given values throws or writes (recorded: %s)",
    (recorded) => {
      const world = create();
      const history = recorded ? createHistory(world) : undefined;
      const [a, b] = world.spawnMany(3, Look) as [Entity, Entity];
      const only = world.spawn(Look({ tint: 50 }));
      const given = (read: () => number) => {
        let count = 0;
        // Checks read it before it is written.
        return Object.defineProperty({}, "tint", { enumerable: true, get: () => (++count < 2 ? 1 : read()) });
      };
      const writing = given(() => {
        world.set(only, Look, { tint: 60, sprite: "inner" });
        world.set(a, Look, { tint: 60, sprite: "inner" });
        return 70;
      });
      const throwing = given(() => {
        throw new Error("no more");
      });
      for (const target of [a, only]) {
        expect(() => world.set(target, Look, throwing)).toThrow("no more");
        expect(checkWorld(world)).toEqual([]);
        world.set(target, Look, writing);
        expect(checkWorld(world)).toEqual([]);
      }
      const { proxy, revoke } = Proxy.revocable({ parts: [1] }, {});
      revoke();
      world.set(b, Look, { data: proxy });
      const late = world.spawn(Look({ tint: 60, sprite: "inner" }));
      expect([world.get(late, Look)?.tint, world.get(a, Look)?.tint, world.get(only, Look)?.tint]).toEqual([
        60, 60, 70,
      ]);
      history?.undo();
      expect(checkWorld(world)).toEqual([]);
    },
  );

  it("is undone to the former values, which are shared again", () => {
    const world = create();
    const [a] = world.spawnMany(10, Look) as [Entity];
    const history = createHistory(world);
    world.set(a, Look, { tint: 5, data: { parts: [] } });
    world.destroy(a);
    history.undo();
    expect(world.get(a, Look)).toMatchObject({ tint: 1, data: { parts: [1] } });
    expect([distinct(world), inspect(world, a).components[0]?.sharedBy]).toEqual([1, 10]);
    history.redo();
    expect([world.isAlive(a), distinct(world), checkWorld(world)]).toEqual([false, 1, []]);
  });

  it("grows with the world inside a loop that holds its columns", () => {
    const world = strictWorld({ generate, capacity: 4 });
    world.spawnMany(300, Look);
    for (let pass = 0; pass < 3; pass++) {
      let k = 0;
      world.query(Look).update((look) => {
        look.tint = pass * 1000 + k++;
        if (look.tint !== pass * 1000 + k - 1) throw new Error("stale");
      });
    }
    expect([distinct(world), checkWorld(world)]).toEqual([300, []]);
    expect(
      world
        .query(Look)
        .ids()
        .map((entity) => world.get(entity, Look)?.tint),
    ).toEqual(Array.from({ length: 300 }, (_, k) => 2000 + k));
  });

  it("does not change when an equal object is set", () => {
    const world = create();
    const a = world.spawn(Look);
    const reader = changesOf(world, Look);
    reader.read();
    world.set(a, Look, { data: { parts: [1] } });
    expect(reader.read().changed).toEqual([]);
    world.set(a, Look, { data: { parts: [2] } });
    expect(reader.read().changed).toEqual([a]);
  });

  it("refuses raw columns", () => {
    const world = create();
    world.spawn(Look);
    expect(() => world.columns(Look)).toThrow(QueryError);
    expect(() => world.query(Look).run(() => {})).toThrow("not kept by entity index");
  });
});

describe("the definition of a shared component", () => {
  it("is refused for references, tags and an unknown storage", () => {
    const refuse = (make: () => unknown, why: string) => {
      expect(make).toThrow(InvalidSchemaError);
      expect(make).toThrow(why);
    };
    refuse(() => component("A", { at: entityRef() }, { storage: shared }), 'field "at" refers to entities');
    refuse(() => component("A", { at: entityRefs() }, { storage: shared }), 'field "at" refers to entities');
    refuse(() => tag("A", { storage: shared }), "it has no values that entities could share");
    refuse(
      () => component("A", { x: f32() }, { storage: "shared" as never }),
      "shared, which espalier exports",
    );
    refuse(() => component("A", { x: f32() }, { storage: 5 as never }), "storage is 5");
    expect(Look.storage).toBe("shared");
  });
});

describe("checkWorld", () => {
  it("finds rows that are counted wrong or not found by their values", () => {
    const world = strictWorld();
    const [a] = world.spawnMany(3, Look) as [Entity];
    const store = stateOf(world).store(Look);
    (store.columns.tint as Float32Array)[store.rowOf(a)] = 7;
    expect(JSON.stringify(checkWorld(world))).toContain("is not found by its values");
    (store.columns.tint as Float32Array)[store.rowOf(a)] = 1;
    expect(checkWorld(world)).toEqual([]);
    (store.shared as NonNullable<typeof store.shared>).rows[a as number] = 5;
    expect(JSON.stringify(checkWorld(world))).toContain("counts 3 entities, but 2 have it");
  });
});
