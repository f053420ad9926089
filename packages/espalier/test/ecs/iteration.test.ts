/**
 * The rule for changes while a query is walked: a pass visits the entities that matched when it began, each once; those
 * that died or no longer match when their turn comes are left out; new matches wait for the next pass. Filter terms are
 * asked when the entity's turn comes.
 */

import {
  addAll,
  checkWorld,
  component,
  destroyAll,
  type Entity,
  entityRef,
  i32,
  indexOf,
  not,
  optional,
  removeAll,
  string,
  tag,
  type World,
  where,
} from "espalier";
import { revive, stateOf } from "espalier/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, property, strictWorld } from "../testing.ts";

const A = component("A", { n: i32() });
const B = component("B", { text: string() });
const C = tag("C");

type Step =
  | { it: "spawn"; kind: number }
  | { it: "spawnMany"; kind: number }
  | { it: "destroy" | "addC" | "removeC" | "addA" | "removeA" | "revive"; who: number }
  | { it: "addAll" | "removeAll" | "destroyAll" | "nested" | "update" | "filter"; who: number };

const kinds = [[A], [A, B], [A, C], [B], [A, B, C]] as const;

const who = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ it: fc.constant("spawn" as const), kind: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ it: fc.constant("spawnMany" as const), kind: fc.nat(4) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      it: fc.constantFrom("destroy" as const, "addC", "removeC", "addA", "removeA", "revive"),
      who,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      it: fc.constantFrom("addAll" as const, "removeAll", "destroyAll", "nested", "update", "filter"),
      who,
    }),
  },
);

/** What happens before the pass, and at each of its visits. */
const plan = fc.record({
  start: fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }),
  freed: fc.array(fc.nat(11), { maxLength: 4 }),
  visits: fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 12 }),
  query: fc.nat(3),
});

const passes = {
  each: (query: Walked, visit: (e: Entity) => void) => query.each((e: Entity) => visit(e)),
  iterator: (query: Walked, visit: (e: Entity) => void) => {
    for (const e of query) visit(e);
  },
};

type Walked = Iterable<Entity> & { each(fn: (e: Entity) => void): void; ids(): Entity[] };

describe.each(modes)("walking while the world changes ($mode)", ({ generate }) => {
  describe.each(["each", "iterator"] as const)("%s", (way) => {
    it("visits what matched at the start and still does, each once, in order", () => {
      property(
        plan,
        ({ start, freed, visits, query: which }) => {
          const world = strictWorld({ generate, capacity: 3 });
          const made = start.map((kind) => world.spawn(...kinds[kind]!));
          for (const k of freed) if (made[k] !== undefined) world.destroy(made[k]!);
          const hidden = new Set<number>();
          const shown = where("shown", (index) => !hidden.has(index));
          const queries = [
            { query: world.query(A), has: (e: Entity) => world.has(e, A) },
            { query: world.query(A, not(C)), has: (e: Entity) => world.has(e, A) && !world.has(e, C) },
            { query: world.query(A, optional(B)), has: (e: Entity) => world.has(e, A) },
            {
              query: world.query(A, shown),
              has: (e: Entity) => world.has(e, A) && !hidden.has(indexOf(e)),
            },
          ];
          const { query, has } = queries[which]!;
          const unfiltered = which === 3 ? queries[0]!.query : query;
          const holds = (e: Entity) => world.isAlive(e) && has(e);
          // Twice, and then often enough for a generated loop.
          for (let round = 0; round < (way === "each" ? 6 : 1); round++) {
            const waiting = unfiltered.ids();
            const visited = new Set<Entity>();
            let turn = 0;
            passes[way](query as unknown as Walked, (e) => {
              while (waiting.length > 0 && !holds(waiting[0]!)) waiting.shift();
              expect(e).toBe(waiting.shift());
              expect(visited.has(e)).toBe(false);
              visited.add(e);
              for (const change of visits[turn++] ?? []) apply(world, change, hidden);
            });
            expect(waiting.filter(holds)).toEqual([]);
            expect(checkWorld(world)).toEqual([]);
          }
        },
        150,
      );
    });
  });

  it("never gives the index of a dead entity to a new one before the pass has ended", () => {
    const world = strictWorld({ generate });
    const all = world.spawnMany(4, A);
    const visited: Entity[] = [];
    world.query(A).each((e) => {
      visited.push(e);
      if (e === all[0]) {
        world.destroy(all[1]!);
        world.destroy(all[2]!);
        expect(world.spawnMany(2, A).map(indexOf)).toEqual([5, 6]);
      }
    });
    expect(visited).toEqual([all[0], all[3]]);
    expect(world.spawnMany(2).map(indexOf)).toEqual([3, 2]);
  });

  it("sees the values of its own entity while the world grows", () => {
    const world = strictWorld({ generate, capacity: 2 });
    for (let k = 0; k < 5; k++) world.spawn(A({ n: k }), B({ text: `${k}` }));
    for (let round = 0; round < 6; round++) {
      const before = world.count;
      const seen: unknown[] = [];
      world.query(A, B).each((e, a, b) => {
        world.spawnMany(before, C);
        a.n += 100;
        b.text += "!";
        seen.push(e);
        expect(world.get(e, A)).toEqual({ n: a.n });
        expect(world.get(e, B)).toEqual({ text: b.text });
      });
      expect(seen).toHaveLength(5);
    }
    expect(
      world
        .query(A)
        .ids()
        .map((e) => world.get(e, A)!.n),
    ).toEqual([600, 601, 602, 603, 604]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("visits an entity once that moved to a list which comes later", () => {
    const world = strictWorld({ generate });
    const [a] = world.spawnMany(3, A);
    world.spawn(A, C);
    let visits = 0;
    world.query(A).each((e) => {
      visits++;
      world.add(e, C);
      world.add(e, B);
    });
    expect([visits, world.has(a!, B, C)]).toEqual([4, true]);
  });

  it.each(["dense", "sparse"] as const)(
    "writes nothing once its entity or the component is removed (%s)",
    (storage) => {
      const Note = component("Note", { n: i32(), text: string(), other: entityRef() }, { storage });
      const world = strictWorld({ generate });
      const columnsOf = () =>
        JSON.stringify(
          Object.values(stateOf(world).store(Note).columns).map((column) => Object.keys(column)),
        );
      for (let round = 0; round < 4; round++) {
        const entities = world.spawnMany(6, Note({ text: "kept" }), A);
        const before = columnsOf();
        let k = 0;
        world.query(Note).each((e, note) => {
          if (k % 3 === 1) world.destroy(e);
          if (k % 3 === 2) world.remove(e, Note);
          if (k++ % 3 === 0) return;
          note.n = 7;
          note.text = "lost";
          note.other = e;
        });
        expect(checkWorld(world)).toEqual([]);
        expect(columnsOf()).toBe(before);
        expect(world.get(entities[0]!, Note)).toEqual({ n: 0, text: "kept", other: null });
        destroyAll(world.query(A));
      }
    },
  );

  it("ends although every visit makes a new match", () => {
    const world = strictWorld({ generate });
    world.spawn(A);
    const query = world.query(A);
    for (let round = 0; round < 8; round++) query.each(() => void world.spawn(A));
    for (const _ of query) world.spawn(A);
    expect(world.count).toBe(512);
  });

  it("checks a filter again for each entity just before its turn", () => {
    const world = strictWorld({ generate });
    world.spawnMany(4, A);
    for (const way of ["each", "iterator"] as const) {
      const hidden = new Set([2, 3]);
      const visited: Entity[] = [];
      const query = world.query(
        A,
        where("shown", (index) => !hidden.has(index)),
      );
      passes[way](query as unknown as Walked, (e) => {
        visited.push(e);
        hidden.delete(3);
        hidden.add(4);
      });
      expect(visited).toEqual([1, 3]);
    }
  });
});

function apply(world: World, change: Step, hidden: Set<number>): void {
  if (change.it === "spawn") {
    world.spawn(...kinds[change.kind]!);
    return;
  }
  if (change.it === "spawnMany") {
    world.spawnMany(3, ...kinds[change.kind]!);
    return;
  }
  const alive = world.entities();
  const e = alive[change.who % Math.max(1, alive.length)];
  switch (change.it) {
    case "destroy":
      if (e !== undefined) world.destroy(e);
      break;
    case "addC":
      if (e !== undefined) world.add(e, C);
      break;
    case "removeC":
      if (e !== undefined) world.remove(e, C);
      break;
    case "addA":
      if (e !== undefined) world.add(e, A, B);
      break;
    case "removeA":
      if (e !== undefined) world.remove(e, A);
      break;
    case "revive":
      if (e === undefined) break;
      world.destroy(e);
      revive(stateOf(world), e, [A]);
      break;
    case "addAll":
      addAll(world.query(B), A);
      break;
    case "removeAll":
      removeAll(world.query(A, C), C);
      break;
    case "destroyAll":
      if (change.who % 5 === 0) destroyAll(world.query(A, B, C));
      break;
    case "nested":
      world.query(A).each((inner) => {
        if (indexOf(inner) % 3 === change.who % 3) world.destroy(inner);
      });
      break;
    case "update":
      world.query(A).update((a) => void a.n++);
      break;
    case "filter":
      if (hidden.has(change.who)) hidden.delete(change.who);
      else hidden.add(change.who);
      break;
  }
}
