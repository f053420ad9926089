import {
  component,
  createWorld,
  DEVELOPMENT,
  type Entity,
  i32,
  not,
  QueryError,
  sortedQuery,
  tag,
  where,
} from "espalier";
import { byDepth, byTreeOrder, createHierarchy, groupByParent } from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const Rank = component("Rank", { value: i32() });
const Hidden = tag("Hidden");

const step = fc.record({
  kind: fc.constantFrom("spawn", "destroy", "set", "add", "remove", "hide", "show", "read"),
  who: fc.nat(40),
  value: fc.integer({ min: -3, max: 3 }),
});

describe("sortedQuery", () => {
  it("gives what sorting all matches again gives, by key and by comparison, whatever happens in between", () => {
    property(fc.array(step, { maxLength: 120 }), (steps) => {
      const world = createWorld();
      const query = world.query(Rank, not(Hidden));
      const rank = (entity: Entity) => world.get(entity, Rank)!.value;
      const byKey = sortedQuery(query, { key: rank, on: [Rank] });
      const byText = sortedQuery(query, { key: (entity) => `k${rank(entity) + 10}`, on: [Rank] });
      const compared = sortedQuery(query, { compare: (a, b) => rank(b) - rank(a), on: [Rank] });
      const all: Entity[] = [];
      const compareAll = () => {
        const naive = query.ids().sort((a, b) => rank(a) - rank(b) || a - b);
        expect(byKey.ids()).toEqual(naive);
        expect(compared.ids()).toEqual(query.ids().sort((a, b) => rank(b) - rank(a) || a - b));
        expect(byText.count()).toBe(naive.length);
        const list = byKey.ids();
        expect(byKey.ids()).toBe(list);
        expect(byKey.first()).toBe(naive[0] ?? null);
        expect(byKey.limit(3)).toEqual(naive.slice(0, 3));
        expect([...byKey]).toEqual(naive);
      };
      for (const { kind, who, value } of steps) {
        const entity = all[who % Math.max(1, all.length)];
        if (kind === "spawn") all.push(world.spawn(Rank({ value })));
        else if (kind === "read") compareAll();
        else if (entity === undefined || !world.isAlive(entity)) continue;
        else if (kind === "destroy") world.destroy(entity);
        else if (kind === "add") world.add(entity, Rank({ value }));
        else if (kind === "remove") world.remove(entity, Rank);
        else if (kind === "hide") world.add(entity, Hidden);
        else if (kind === "show") world.remove(entity, Hidden);
        else if (world.has(entity, Rank)) world.set(entity, Rank, { value });
      }
      compareAll();
    });
  });

  it("follows a tree by depth and in tree order", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const query = world.query(Rank);
    const deep = sortedQuery(query, byDepth(tree));
    const walked = sortedQuery(query, byTreeOrder(tree));
    const [a, b, c] = world.spawnMany(3, Rank) as [Entity, Entity, Entity];
    const d = tree.attachNew(a, Rank);
    expect(deep.ids()).toEqual([a, b, c, d]);
    expect(walked.ids()).toEqual([a, d, b, c]);
    tree.attach(a, c);
    expect(deep.ids()).toEqual([b, c, a, d]);
    expect(walked.ids()).toEqual([b, c, a, d]);
    tree.moveChild(c, "first");
    expect(walked.ids()).toEqual([c, a, d, b]);
    world.destroy(a);
    expect(walked.ids()).toEqual([c, b]);
    expect([...groupByParent(tree, query)]).toEqual([[null, query.ids()]]);
  });

  it("follows a tree through any changes, as walks and depths say", () => {
    const change = fc.record({
      kind: fc.constantFrom("spawn", "attach", "move", "destroy", "add", "remove", "read"),
      who: fc.nat(30),
      other: fc.nat(30),
    });
    property(fc.array(change, { maxLength: 60 }), (changes) => {
      const world = createWorld();
      const tree = createHierarchy(world, { onDestroy: "adopt" });
      const query = world.query(Rank);
      const deep = sortedQuery(query, byDepth(tree));
      const walked = sortedQuery(query, byTreeOrder(tree));
      const compare = () => {
        const order = [...tree.roots()].flatMap((root) => [...tree.descendants(root, { includeSelf: true })]);
        expect(walked.ids()).toEqual(order.filter((entity) => query.includes(entity)));
        const levels = query.ids().sort((a, b) => tree.depthOf(a) - tree.depthOf(b) || a - b);
        expect(deep.ids()).toEqual(levels);
      };
      for (const { kind, who, other } of changes) {
        const all = world.entities();
        const entity = all[who % Math.max(1, all.length)];
        const second = all[other % Math.max(1, all.length)];
        if (kind === "read") compare();
        else if (kind === "spawn" || entity === undefined) tree.attachNew(second ?? null, Rank);
        else if (kind === "destroy") world.destroy(entity);
        else if (kind === "move") tree.moveChild(entity, other % 3);
        else if (kind === "add") world.add(entity, Rank);
        else if (kind === "remove") world.remove(entity, Rank);
        else if (tree.canAttach(entity, second ?? null)) tree.attach(entity, second ?? null);
      }
      compare();
    });
  });

  it("refuses numbers beside strings in the first read, and loses nothing when a filter throws", () => {
    const world = createWorld();
    const [a, b] = world.spawnMany(2, Rank) as [Entity, Entity];
    const mixed = sortedQuery(world.query(Rank), { key: (entity) => (entity === a ? 1 : "one"), on: [Rank] });
    expect(() => mixed.ids()).toThrow(QueryError);
    let isBad = false;
    const filter = where("may throw", () => {
      if (isBad) throw new Error("no");
      return true;
    });
    const rank = (entity: Entity) => world.get(entity, Rank)!.value;
    const list = sortedQuery(world.query(Rank, filter), { key: rank, on: [Rank] });
    expect(list.ids()).toEqual([a, b]);
    world.set(a, Rank, { value: 5 });
    isBad = true;
    expect(() => list.ids()).toThrow("no");
    isBad = false;
    expect(list.ids()).toEqual([b, a]);
  });

  it("refuses keys without an order and recovers when they have one", () => {
    const world = createWorld();
    let isBad = false;
    const [a, b] = world.spawnMany(2, Rank) as [Entity, Entity];
    const list = sortedQuery(world.query(Rank), {
      key: (entity) => (isBad && entity === b ? Number.NaN : -entity),
      on: [Rank],
    });
    expect(list.ids()).toEqual([b, a]);
    isBad = true;
    world.set(b, Rank, { value: 1 });
    expect(() => list.ids()).toThrow(QueryError);
    isBad = false;
    expect(list.ids()).toEqual([b, a]);
    list.close();
    expect(() => list.ids()).toThrow("closed");
    expect(() => sortedQuery(world.query(Rank), {})).toThrow("either key or compare");
    expect(() => sortedQuery([] as never, { key: () => 1 })).toThrow("world.query()");
    expect(() => sortedQuery(world.query(Rank), { key: () => 1, on: [1 as never] })).toThrow("component");
  });

  it.runIf(DEVELOPMENT)("refuses options that it does not know, which would leave the order as it is", () => {
    const query = createWorld().query(Rank);
    const options = { key: () => 0, watch: [Rank] };
    expect(() => sortedQuery(query, options)).toThrow(
      "Cannot sort a query with watch: there is no such option. There is key, compare, on, version. [ecs/invalid-option]",
    );
  });
});
