import {
  any,
  checkWorld,
  component,
  type Entity,
  f32,
  i32,
  indexOf,
  not,
  object,
  optional,
  QueryError,
  string,
  tag,
  where,
} from "espalier";
import { destroyAlone, revive, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { modes, refusal, refused, strictWorld } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Velocity = component("Velocity", { x: f32(1), y: f32(1) });
const Health = component("Health", { hp: i32(100) });
const Label = component("Label", { text: string() });
const Frozen = tag("Frozen");
const Hidden = tag("Hidden");

describe.each(modes)("a query ($mode)", ({ generate }) => {
  const populate = () => {
    const world = strictWorld({ generate });
    return {
      world,
      bare: world.spawn(),
      p: world.spawn(Position),
      pv: world.spawn(Position, Velocity),
      pf: world.spawn(Position, Frozen),
      pvh: world.spawn(Position, Velocity, Health),
      f: world.spawn(Frozen),
      h: world.spawn(Health, Hidden),
    };
  };

  it("matches those that have all, none, any of the components", () => {
    const { world, bare, p, pv, pf, pvh, f, h } = populate();
    expect(world.query().ids()).toEqual([bare, p, pv, pf, pvh, f, h]);
    expect(world.query(Position).ids()).toEqual([p, pv, pf, pvh]);
    expect(world.query(Position, Velocity).ids()).toEqual([pv, pvh]);
    expect(world.query(Position, not(Velocity)).ids()).toEqual([p, pf]);
    expect(world.query(not(Position, Frozen)).ids()).toEqual([bare, h]);
    expect(world.query(any(Frozen, Health)).ids()).toEqual([pf, pvh, f, h]);
    expect(world.query(any(Frozen, Health), any(Velocity, Hidden)).ids()).toEqual([pvh, h]);
    expect(world.query(Position, any(Frozen, Velocity), not(Health)).ids()).toEqual([pv, pf]);
    expect(world.query(Position, optional(Velocity)).ids()).toEqual([p, pv, pf, pvh]);
    expect(
      world
        .query(
          Position,
          where("even", (index) => index % 2 === 0),
        )
        .ids(),
    ).toEqual([p, pf]);
    expect(world.query(Position, not(Position)).ids()).toEqual([]);
    expect(world.query(any()).ids()).toEqual([]);
    expect(world.query(not()).ids()).toHaveLength(7);
  });

  it("follows every change", () => {
    const { world, p, pv, pf, pvh } = populate();
    const query = world.query(Position, not(Frozen));
    expect(query.ids()).toEqual([p, pv, pvh]);
    world.add(pv, Frozen);
    world.remove(pf, Frozen);
    world.destroy(p);
    const late = world.spawn(Position, Label);
    expect(query.ids().sort((a, b) => a - b)).toEqual([pf, pvh, late].sort((a, b) => a - b));
    expect(checkWorld(world)).toEqual([]);
  });

  it("answers count, first, single, includes and whether it is empty", () => {
    const { world, p, pv, pf, h } = populate();
    const query = world.query(Position);
    expect([query.count(), query.first(), query.isEmpty()]).toEqual([4, p, false]);
    expect([query.includes(p), query.includes(h), query.includes(Number.NaN as Entity)]).toEqual([
      true,
      false,
      false,
    ]);
    world.destroy(p);
    expect(query.includes(p)).toBe(false);
    const filtered = world.query(
      Position,
      where("frozen", (index) => index === indexOf(pf)),
    );
    expect([filtered.count(), filtered.first(), filtered.single(), filtered.includes(pv)]).toEqual([
      1,
      pf,
      pf,
      false,
    ]);
    const none = world.query(Label);
    expect([none.count(), none.first(), none.isEmpty(), none.ids(), [...none]]).toEqual([
      0,
      null,
      true,
      [],
      [],
    ]);
  });

  it("gives its only match, or says how many there are", () => {
    const { world, p, h } = populate();
    expect(world.query(Hidden).single()).toBe(h);
    const error = refused(world, () => world.query(Position, not(Health)).single()) as QueryError;
    expect(error).toBeInstanceOf(QueryError);
    expect([error.code, error.entities.length, error.entities[0]]).toEqual(["ecs/query", 3, p]);
    expect(error.message).toBe(
      "Cannot take the single match of query(Position, not(Health)): 3 entities match. Use first(), or narrow the query. [ecs/query]",
    );
    expect(
      refusal(world, () => world.query(Label, any(Frozen, Hidden), optional(Velocity)).single()),
    ).toContain("query(Label, any(Frozen, Hidden), optional(Velocity)): 0 entities match.");
  });

  it("gives views of the components with fields, in the order of its terms", () => {
    const { world, pv, pvh } = populate();
    world.set(pvh, Velocity, { x: 5 });
    for (let k = 0; k < 8; k++) {
      const seen: unknown[] = [];
      world.query(Velocity, not(Frozen), Position, optional(Health), any(Position)).each((e, v, p, h) => {
        seen.push([e, v.x, p.x, h?.hp]);
        p.x += v.x;
      });
      expect(seen).toEqual([
        [pv, 1, k, undefined],
        [pvh, 5, k * 5, 100],
      ]);
    }
    const values: unknown[] = [];
    world.query(Position, Frozen, optional(Velocity)).update((...args) => values.push(args.length));
    expect(values).toEqual([2]);
  });

  it("writes through views, and through nothing but views", () => {
    const world = strictWorld({ generate });
    const All = component("All", { n: i32(), on: f32(), text: string(), list: object(() => [1]) });
    const [a, b] = world.spawnMany(2, All) as [Entity, Entity];
    const query = world.query(All);
    for (let k = 1; k <= 8; k++) {
      query.each((e, it) => {
        it.n = e * k;
        it.on += 0.5;
        it.text += "x";
        it.list = [e];
      });
      query.update((it) => {
        it.n += 1;
        it.list.push(k);
      });
      expect(world.get(a, All)).toEqual({ n: k + 1, on: k / 2, text: "x".repeat(k), list: [a, k] });
      expect(world.get(b, All)?.n).toBe(2 * k + 1);
    }
  });

  it("keeps a stable order that is the same for the same operations", () => {
    const run = () => {
      const { world, pv, p } = populate();
      world.add(p, Frozen);
      world.remove(pv, Velocity);
      world.destroy(world.spawn(Position));
      world.spawnMany(3, Position, Label);
      const query = world.query(Position);
      const orders = [query.ids(), [...query]] as Entity[][];
      const each: Entity[] = [];
      query.each((e) => each.push(e));
      query.sync();
      const ran: number[] = [];
      query.run((ids, count) => ran.push(...ids.subarray(0, count)));
      expect(orders[1]).toEqual(orders[0]);
      expect(each).toEqual(orders[0]);
      expect([...query.indices.subarray(0, query.sync())]).toEqual(each.map(indexOf));
      expect(ran).toEqual(each.map(indexOf));
      return orders[0];
    };
    expect(run()).toEqual(run());
  });

  it("is shared: equal queries have the same matches, whatever the order of their terms", () => {
    const { world } = populate();
    expect(world.query(Position, Velocity).match).toBe(world.query(Velocity, Position).match);
    expect(world.query(not(Frozen), Position).match).toBe(world.query(Position, not(Frozen)).match);
    expect(world.query(Position).match).not.toBe(world.query(Velocity).match);
  });

  it("gives the raw lists and columns to run()", () => {
    const { world, pv, pvh, p, pf } = populate();
    const query = world.query(Position, optional(Velocity), Frozen);
    const calls: unknown[] = [];
    query.run((ids, count, position) => {
      calls.push([[...ids.subarray(0, count)], position === world.columns(Position)]);
    });
    expect(calls).toEqual([[[pf], true]]);
    world.query(Position, Velocity).run((ids, count, position, velocity) => {
      for (let k = 0; k < count; k++) position.x[ids[k]!] += velocity.x[ids[k]!]! * 3;
    });
    expect([p, pv, pvh].map((e) => world.get(e, Position)?.x)).toEqual([0, 3, 3]);
    const filtered: number[] = [];
    world
      .query(
        Position,
        where("odd", (index) => index % 2 === 1),
      )
      .run((ids, count) => filtered.push(...ids.slice(0, count)));
    expect(filtered).toEqual([pv, pvh]);
  });
});

describe.each(modes)("sync and indices ($mode)", ({ generate }) => {
  it("list all matches in one array", () => {
    const world = strictWorld({ generate });
    const query = world.query(Position);
    expect(query.sync()).toBe(0);
    const a = world.spawnMany(3, Position);
    const b = world.spawnMany(2, Position, Frozen);
    expect(query.sync()).toBe(5);
    expect([...query.indices.subarray(0, 5)]).toEqual([...a, ...b]);
    world.destroy(a[1]!);
    world.remove(b[0]!, Frozen);
    expect([...query.indices.subarray(0, query.sync())].sort()).toEqual([a[0], a[2], b[0], b[1]]);
  });

  it("use one array for good in a world of fixed capacity", () => {
    const world = strictWorld({ capacity: 50, fixed: true, generate });
    const query = world.query(Position);
    const other = world.query(Position);
    const { indices } = query;
    for (let k = 0; k < 5; k++) {
      world.spawnMany(10, Position);
      expect([query.sync(), other.sync(), query.indices === indices]).toEqual([
        (k + 1) * 10,
        (k + 1) * 10,
        true,
      ]);
      query.update(() => {});
      expect(query.indices).toBe(indices);
    }
    expect(other.indices).toBe(other.indices);
    expect(indices.length).toBeGreaterThanOrEqual(50);
  });

  it("do nothing when no match changed, and evaluate filter terms every time", () => {
    const world = strictWorld({ generate });
    world.spawnMany(4, Position);
    let limit = 2;
    const query = world.query(
      Position,
      where("below", (index) => index <= limit),
    );
    expect(query.sync()).toBe(2);
    limit = 3;
    expect(query.sync()).toBe(3);
    const plain = world.query(Position);
    plain.sync();
    plain.indices[0] = 77;
    plain.sync();
    expect(plain.indices[0]).toBe(77);
    world.spawn(Position);
    plain.sync();
    expect(plain.indices[0]).toBe(1);
  });
});

describe.each(modes)("update ($mode)", ({ generate }) => {
  it("visits what each() visits, after any change between passes", () => {
    const world = strictWorld({ generate, capacity: 4 });
    const query = world.query(Position, not(Frozen));
    for (let round = 0; round < 12; round++) {
      world.spawnMany(round * 3, Position({ x: round }));
      world.spawn(Position, Velocity);
      if (round % 3 === 0) world.add(query.first()!, Frozen);
      if (round % 4 === 3) world.destroy(query.ids().at(-1)!);
      let sum = 0;
      let count = 0;
      query.update((position) => {
        sum += position.x;
        count++;
        position.y = count;
      });
      expect(count).toBe(query.count());
      expect(sum).toBe(query.ids().reduce((total, e) => total + world.get(e, Position)!.x, 0));
      expect(query.ids().map((e) => world.get(e, Position)!.y)).toEqual(query.ids().map((_, k) => k + 1));
    }
  });

  it("has views of its own on every level when passes of one query nest", () => {
    const world = strictWorld({ generate });
    const all = world.spawnMany(3, Position) as Entity[];
    for (const [k, e] of all.entries()) world.set(e, Position, { x: k });
    const query = world.query(Position);
    for (let k = 0; k < 8; k++) {
      const pairs: string[] = [];
      query.update((a) => {
        query.update((b) => {
          expect(a === b).toBe(false);
          pairs.push(`${a.x}${b.x}`);
        });
      });
      query.each((_, a) => query.each((_, b) => pairs.push(`${a.x}${b.x}`)));
      query.each((_, a) => query.update((b) => pairs.push(`${a.x}${b.x}`)));
      const once = ["00", "01", "02", "10", "11", "12", "20", "21", "22"];
      expect(pairs).toEqual([...once, ...once, ...once]);
    }
  });

  it("lets values change, and refuses changes of structure", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Position, Health);
    const query = world.query(Position);
    const changes: [string, () => unknown][] = [
      ["create an entity", () => world.spawn()],
      ["create an entity", () => world.spawn(Position)],
      ["create an entity", () => world.spawn(Position, Health)],
      ["create entities", () => world.spawnMany(1)],
      ["destroy an entity", () => world.destroy(e)],
      ["add a component", () => world.add(e, Frozen)],
      ["add a component", () => world.add(e, Position({ x: 9 }), Frozen)],
      ["remove a component", () => world.remove(e, Health)],
      ["remove a component", () => world.remove(e, Frozen, Health)],
      ["reserve room", () => world.reserve(5)],
      ["bring back an entity", () => revive(stateOf(world), 7 as Entity, [])],
      ["undo a spawn", () => destroyAlone(stateOf(world), e, true)],
    ];
    for (const [doing, change] of changes) {
      for (const pass of [() => query.update(change), () => query.run(change)]) {
        expect(refusal(world, pass)).toBe(
          `StructureLockedError: Cannot ${doing} inside query.update() or query.run(): they walk the columns directly. Use query.each(), or record the change on a command buffer and flush it after the loop. [ecs/structure-locked]`,
        );
      }
    }
    query.update(() => {
      world.set(e, Health, { hp: 1 });
      world.add(e, Position({ x: 3 }));
      expect(world.remove(e, Frozen)).toBe(false);
      query.each(() => {
        expect(() => world.spawn()).toThrow("Cannot create an entity inside query.update()");
      });
    });
    expect([world.get(e, Health), world.get(e, Position)]).toEqual([{ hp: 1 }, { x: 3, y: 0 }]);
  });

  it("leaves the world usable when a callback throws", () => {
    const world = strictWorld({ generate });
    world.spawnMany(3, Position);
    const query = world.query(Position);
    for (let k = 0; k < 8; k++) {
      for (const pass of [
        (fn: () => void) => query.update(fn),
        (fn: () => void) => query.each(fn),
        (fn: () => void) => query.run(fn),
        (fn: () => void) => query.each(() => query.update(fn)),
        (fn: () => void) => {
          for (const _ of query) fn();
        },
      ]) {
        expect(() =>
          pass(() => {
            throw new Error("stop");
          }),
        ).toThrow("stop");
        expect(checkWorld(world)).toEqual([]);
        world.destroy(world.spawn(Position));
        let visits = 0;
        query.each(() => visits++);
        query.update(() => visits++);
        expect(visits).toBe(6);
      }
    }
  });
});

describe("a query that cannot be built", () => {
  const world = strictWorld();
  it.each([
    [[undefined], "undefined is not a term"],
    [["Position"], '"Position" is not a term'],
    [[Position({ x: 1 })], "an object is not a term"],
    [[{ term: "maybe" }], "an object is not a term"],
  ])("is refused: %s", (terms, text) => {
    expect(refusal(world, () => world.query(...(terms as never[])))).toBe(
      `QueryError: Cannot build a query: ${text}. Use components, not(), any(), optional() or where(). [ecs/query]`,
    );
  });

  it("is refused for what is not a component, inside terms too", () => {
    for (const term of [not(undefined as never), any("x" as never), optional(5 as never)]) {
      expect(refusal(world, () => world.query(Position, term))).toContain(
        "UnknownComponentError: Expected a component",
      );
    }
  });

  it("is refused for a filter without a name, with how to test values", () => {
    const wounded = where(Position as never, () => true);
    const text =
      'QueryError: Cannot build a query: where(Position, …) does not test values. List Position as a term of its own, and test by index: where("…", (index) => …), with the columns of world.columns(Position). [ecs/query]';
    for (const term of [wounded, not(wounded), any(Frozen, wounded)])
      expect(refusal(world, () => world.query(Position, term))).toBe(text);
    expect(refusal(world, () => world.query(where(undefined as never, () => true)))).toBe(
      'QueryError: Cannot build a query: where(undefined, …) needs a name: where("near", (index) => …). [ecs/query]',
    );
    expect(refusal(world, () => world.query(where("near", 3 as never)))).toBe(
      'QueryError: Cannot build a query: where("near", …) needs a function, got 3. [ecs/query]',
    );
  });
});
