import {
  addAll,
  any,
  type Component,
  type ComponentInit,
  changesOf,
  checkWorld,
  component,
  destroyAll,
  i32,
  not,
  object,
  type Query,
  removeAll,
  type Schema,
  string,
  type Term,
  tag,
  type World,
  where,
} from "espalier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, property, refusal, snapshot, strictWorld } from "../testing.ts";

const A = component("A", { n: i32(1) });
const B = component("B", { n: i32(2), text: string("b") });
const C = component("C", { list: object(() => [0]) }, { storage: "sparse" });
const D = tag("D");
const all = [A, B, C, D] as Component<Schema>[];

/** What the bulk calls stand for, one entity after the other. */
const slow = {
  addAll(world: World, query: Query, inits: ComponentInit[]) {
    for (const e of query.ids()) world.add(e, ...inits);
  },
  removeAll(world: World, query: Query, components: Component<Schema>[]) {
    for (const e of query.ids()) world.remove(e, ...components);
  },
  destroyAll(world: World, query: Query) {
    for (const e of query.ids()) world.destroy(e);
  },
  spawnMany(world: World, count: number, inits: ComponentInit[]) {
    return Array.from({ length: count }, () => world.spawn(...inits));
  },
};

const components = fc.subarray(all, { minLength: 0 });
const inits = components.chain((chosen) =>
  fc
    .tuple(...chosen.map((c) => fc.constantFrom<ComponentInit>(c, c())))
    .map((list) => [...(list as ComponentInit[])]),
);
const withValues = fc.constantFrom<ComponentInit[]>(
  [A({ n: 5 })],
  [B({ text: "x" }), D],
  [C({ list: [7] }), A],
  [D],
);
const terms = fc.constantFrom<Term[]>(
  [],
  [A],
  [B, not(A)],
  [any(A, C)],
  [D],
  [A, where("odd indices", (index) => index % 2 === 1)],
);
const operation = fc.oneof(
  fc.record({ it: fc.constant("spawnMany" as const), count: fc.nat(6), inits: fc.oneof(inits, withValues) }),
  fc.record({ it: fc.constant("addAll" as const), terms, inits: fc.oneof(inits, withValues) }),
  fc.record({ it: fc.constant("removeAll" as const), terms, components }),
  fc.record({ it: fc.constant("destroyAll" as const), terms }),
);

describe.each(modes)("bulk calls ($mode)", ({ generate }) => {
  it.each([false, true])("have the same effect as single calls (with a listener: %s)", (listened) => {
    property(fc.array(operation, { maxLength: 25 }), (operations) => {
      const fast = strictWorld({ generate, capacity: 8 });
      const twin = strictWorld({ generate, capacity: 8 });
      // In the same order, whichever is used first.
      for (const world of [fast, twin]) for (const c of all) world.query(c);
      const reader = listened ? changesOf(fast, B) : undefined;
      for (const step of operations) {
        if (step.it === "spawnMany") {
          const created = fast.spawnMany(step.count, ...step.inits);
          expect(created).toEqual(slow.spawnMany(twin, step.count, step.inits));
        }
        if (step.it === "addAll") {
          addAll(fast.query(...step.terms), ...step.inits);
          slow.addAll(twin, twin.query(...step.terms), step.inits);
        }
        if (step.it === "removeAll") {
          removeAll(fast.query(...step.terms), ...step.components);
          slow.removeAll(twin, twin.query(...step.terms), step.components);
        }
        if (step.it === "destroyAll") {
          destroyAll(fast.query(...step.terms));
          slow.destroyAll(twin, twin.query(...step.terms));
        }
        expect(withoutVersion(fast)).toEqual(withoutVersion(twin));
      }
      expect(checkWorld(fast)).toEqual([]);
      reader?.close();
    });
  });

  it("have the same effect as single calls once their loops are generated", () => {
    const fast = strictWorld({ generate, capacity: 100 });
    const twin = strictWorld({ generate, capacity: 100 });
    for (let round = 0; round < 40; round++) {
      const count = 20 + ((round * 37) % 200);
      expect(fast.spawnMany(count, A, C)).toEqual(slow.spawnMany(twin, count, [A, C]));
      if (round % 3 === 1) {
        destroyAll(fast.query(A));
        slow.destroyAll(twin, twin.query(A));
      }
      if (round % 7 === 1) {
        addAll(fast.query(A, not(D)), D);
        slow.addAll(twin, twin.query(A, not(D)), [D]);
      }
    }
    expect(withoutVersion(fast)).toEqual(withoutVersion(twin));
    expect(checkWorld(fast)).toEqual([]);
  });

  it("reach handles that no longer fit 32 bits", () => {
    const world = strictWorld({ generate, capacity: 200 });
    const query = world.query(A);
    const seen = new Set<number>();
    for (let round = 0; round < 600; round++) {
      for (const e of world.spawnMany(100, A)) seen.add(e);
      destroyAll(query);
    }
    expect(seen.size).toBe(60_000);
    const now = world.spawnMany(100, A);
    expect(now.every((e) => world.isAlive(e) && !seen.has(e))).toBe(true);
    expect(checkWorld(world)).toEqual([]);
  });

  it("give each entity its own default value once, even where it matches the query again", () => {
    let made = 0;
    const Counted = component("Counted", { it: object(() => ++made) });
    const world = strictWorld({ generate });
    world.spawnMany(3, A);
    world.spawn(A, Counted);
    addAll(world.query(A), Counted);
    expect(made).toBe(5);
    expect(
      world
        .query(Counted)
        .ids()
        .map((e) => world.get(e, Counted)?.it)
        .sort(),
    ).toEqual([2, 3, 4, 5]);
  });

  it.each(["dense", "sparse"] as const)("let a %s default create entities of the same kind", (storage) => {
    const world = strictWorld({ generate, capacity: 4 });
    let made = 0;
    const Nest = component(
      "Nest",
      {
        it: object((): number => {
          const number = ++made;
          // More than fit, so that the world grows in the middle.
          if (number === 2) world.spawnMany(20, Nest);
          return number;
        }),
      },
      { storage },
    );
    world.spawnMany(3, Nest);
    const seen = world.query(Nest).ids();
    expect(seen.map((e) => world.get(e, Nest)?.it).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 23 }, (_, k) => k + 1),
    );
    expect(checkWorld(world)).toEqual([]);
  });

  it("work inside each(), on what the pass still has to visit", () => {
    const world = strictWorld({ generate });
    world.spawnMany(5, A);
    let visits = 0;
    world.query(A).each(() => {
      visits++;
      if (visits === 2) destroyAll(world.query(A));
      world.spawnMany(3, A);
    });
    expect([visits, world.count]).toEqual([2, 3]);
    world.query(A).each(() => {
      addAll(world.query(A), D);
      removeAll(world.query(A), A);
    });
    expect([world.query(A).count(), world.query(D).count()]).toEqual([0, 3]);
    expect(checkWorld(world)).toEqual([]);
  });
});

describe("bulk calls", () => {
  it("refuse what is not a query", () => {
    const world = strictWorld();
    world.spawn(A);
    for (const [doing, change] of [
      ["add a component", (query: Query) => addAll(query, D)],
      ["remove a component", (query: Query) => removeAll(query, A)],
      ["destroy an entity", (query: Query) => destroyAll(query)],
    ] as const) {
      expect(refusal(world, () => change(undefined as never))).toBe(
        `QueryError: Cannot ${doing}: undefined is not a query. Make one with query() of a world. [ecs/query]`,
      );
    }
  });

  it("are refused where structure is locked", () => {
    const world = strictWorld();
    world.spawn(A);
    const query = world.query(A);
    for (const change of [
      () => addAll(query, D),
      () => removeAll(query, A),
      () => destroyAll(query),
      () => world.spawnMany(2),
    ]) {
      expect(refusal(world, () => query.update(change))).toContain("StructureLockedError: Cannot ");
      expect(refusal(world, () => query.run(change))).toContain("StructureLockedError: Cannot ");
    }
  });
});

function withoutVersion(world: World): unknown {
  return { ...(snapshot(world) as object), version: 0 };
}
