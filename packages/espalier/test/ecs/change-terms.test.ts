import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  added,
  any,
  changed,
  changesOf,
  component,
  createWorld,
  type Entity,
  i32,
  not,
  QueryError,
  removed,
  sortedQuery,
  tag,
} from "espalier";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { property } from "../testing.ts";

const Rank = component("Rank", { value: i32() });
const Other = tag("Other");

const step = fc.record({
  kind: fc.constantFrom("spawn", "destroy", "set", "add", "remove", "read", "update"),
  who: fc.nat(20),
  value: fc.nat(3),
});

describe("terms of change", () => {
  it("let each query see each change in one pass, as a naive list of changes does", () => {
    property(fc.array(step, { maxLength: 80 }), (steps) => {
      const world = createWorld();
      const queries = {
        changed: world.query(changed(Rank)),
        added: world.query(added(Rank)),
        removed: world.query(removed(Rank)),
      };
      const expected = { changed: new Set<Entity>(), added: new Set<Entity>(), removed: new Set<Entity>() };
      const all: Entity[] = [];
      const came = (entity: Entity) => {
        expected.changed.add(entity);
        expected.added.add(entity);
        expected.removed.delete(entity);
      };
      const went = (entity: Entity, isAlive: boolean) => {
        expected.changed.delete(entity);
        expected.added.delete(entity);
        if (isAlive) expected.removed.add(entity);
        else expected.removed.delete(entity);
      };
      for (const { kind, who, value } of steps) {
        const entity = all[who % Math.max(1, all.length)];
        if (kind === "read" || kind === "update") {
          for (const name of ["changed", "added", "removed"] as const) {
            const want = [...expected[name]].sort((a, b) => a - b);
            expect(queries[name].count()).toBe(want.length);
            const got: Entity[] = [];
            if (kind === "read") got.push(...queries[name].ids());
            else queries[name].each((entity) => got.push(entity));
            expect(got.sort((a, b) => a - b)).toEqual(want);
            expect(queries[name].isEmpty()).toBe(true);
            expected[name].clear();
          }
        } else if (kind === "spawn") {
          const made = world.spawn(Rank({ value }));
          all.push(made);
          came(made);
        } else if (entity === undefined || !world.isAlive(entity)) continue;
        else if (kind === "destroy") {
          world.destroy(entity);
          went(entity, false);
        } else if (kind === "add" && !world.has(entity, Rank)) {
          world.add(entity, Rank({ value }));
          came(entity);
        } else if (kind === "remove" && world.has(entity, Rank)) {
          world.remove(entity, Rank);
          went(entity, true);
        } else if (kind === "set" && world.has(entity, Rank)) {
          if (world.get(entity, Rank)!.value !== value) expected.changed.add(entity);
          world.set(entity, Rank, { value });
        }
      }
    });
  });

  it("can be negated and be alternatives, and give views beside", () => {
    const world = createWorld();
    const [a, b] = world.spawnMany(2, Rank) as [Entity, Entity];
    const still = world.query(Rank, not(changed(Rank)));
    const either = world.query(any(changed(Rank), added(Other)));
    world.set(a, Rank, { value: 1 });
    world.add(b, Other);
    expect(still.ids()).toEqual([b]);
    expect(still.ids()).toEqual([a, b]);
    expect(either.ids()).toEqual([a, b]);
    expect([...either]).toEqual([]);
    const seen: number[] = [];
    const values = world.query(Rank, changed(Rank));
    world.set(b, Rank, { value: 7 });
    values.update((rank) => seen.push(rank.value));
    values.update((rank) => seen.push(rank.value));
    expect(seen).toEqual([7]);
  });

  it("see in the next pass what a pass itself changes, and nothing when closed", () => {
    const world = createWorld();
    const a = world.spawn(Rank);
    const term = changed(Rank);
    const query = world.query(Rank, term);
    world.set(a, Rank, { value: 1 });
    let passes = 0;
    query.each((entity) => {
      passes++;
      world.set(entity, Rank, { value: 2 });
    });
    expect([passes, query.ids(), query.ids()]).toEqual([1, [a], []]);
    for (const entity of query) throw new Error(String(entity));
    world.set(a, Rank, { value: 3 });
    term.close();
    expect(query.ids()).toEqual([]);
    expect(() => changed("Rank" as never)).toThrow(QueryError);
  });
});

describe("queries that are made again and again", () => {
  it("leave no reader behind when they are dropped, and are warned of in development", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const world = createWorld();
    const { log } = (() => {
      const kept = changesOf(world, Rank);
      return kept as unknown as { readonly log: { readonly readers: Set<unknown> } };
    })();
    const once = () => {
      world.query(Rank, changed(Rank)).ids();
      world.query(any(added(Rank), removed(Rank))).ids();
      sortedQuery(world.query(Rank), { key: (entity) => entity, on: [Rank] }).ids();
    };
    for (let k = 0; k < 200; k++) once();
    expect(log.readers.size).toBeGreaterThan(500);
    expect(warn.mock.calls.length).toBe(1);
    expect(warn.mock.calls[0]![0]).toContain("make the query once and keep it");
    warn.mockRestore();
    const query = world.query(Rank, changed(Rank));
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    await expect
      .poll(
        () => {
          collect();
          return log.readers.size;
        },
        { timeout: 10_000 },
      )
      .toBeLessThanOrEqual(2);
    // One that is kept goes on.
    const entity = world.spawn(Rank);
    expect(query.ids()).toEqual([entity]);
  });
});
