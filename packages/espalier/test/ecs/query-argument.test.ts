/** A value of the caller's that `update` and `each` hand to their callback, behind the views. */
import { component, f32, i32, optional, string, tag, where } from "espalier";
import { createHistory } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, property, strictWorld } from "../testing.ts";

const A = component("A", { n: f32() });
const B = component("B", { n: f32(2) });
const C = component("C", { n: f32(3) });
const Note = component("Note", { text: string("x") });
const T = tag("T");

describe.each(modes)("the argument of a query's loop ($mode)", ({ generate }) => {
  function createThings() {
    const world = strictWorld({ generate });
    world.spawnMany(3, A, B, C);
    world.spawnMany(2, A, B, C, Note, T);
    return world;
  }

  it("follows the views, however many there are", () => {
    const world = createThings();
    const seen: unknown[] = [];
    const note = (...given: unknown[]) => void seen.push([given.length, given.at(-1)]);
    // Often enough for loops of their own.
    for (let round = 0; round < 6; round++) {
      seen.length = 0;
      world.query(T).update(note, "none");
      world.query(A, T).update(note, "one");
      world.query(A, B, T).update(note, "two");
      world.query(A, B, C, T).update(note, "three");
      world.query(optional(Note), T).update(note, "optional");
      world
        .query(
          A,
          where("all", () => true),
          T,
        )
        .update(note, "filtered");
      world.query(A, T).each(note, "each");
      expect(seen.filter((_, k) => k % 2 === 0)).toEqual([
        [1, "none"],
        [2, "one"],
        [3, "two"],
        [4, "three"],
        [2, "optional"],
        [2, "filtered"],
        [3, "each"],
      ]);
    }
  });

  it("is absent when none is given", () => {
    const world = createThings();
    const counts = new Set<number>();
    for (let round = 0; round < 6; round++) {
      world.query(A, T).update((...given) => void counts.add(given.length));
      world.query(A, T).update((...given) => void counts.add(given.length), "something");
    }
    expect([...counts]).toEqual([1, 2]);
  });

  it("is the one of the pass that runs, even where passes run inside each other", () => {
    const world = createThings();
    const query = world.query(A, T);
    const seen: string[] = [];
    query.each((_, __, outer) => {
      query.update((___, inner) => void seen.push(`${outer} ${inner}`), "inner");
    }, "outer");
    expect(seen).toEqual(Array.from({ length: 4 }, () => "outer inner"));
  });

  it("does what a variable around the callback does, with and without a history", () => {
    const counts = fc.array(
      fc.record({ by: fc.integer({ min: -9, max: 9 }), each: fc.boolean(), undo: fc.boolean() }),
      {
        maxLength: 20,
      },
    );
    property(
      fc.tuple(counts, fc.boolean()),
      ([steps, isRecorded]) => {
        const results = [false, true].map((isGiven) => {
          const world = strictWorld({ generate });
          const Count = component("Count", { n: i32() });
          world.spawnMany(700, Count);
          const history = isRecorded ? createHistory(world) : undefined;
          const query = world.query(Count);
          for (const { by, each, undo } of steps) {
            if (!isGiven && each) query.each((_, count) => void (count.n += by));
            else if (!isGiven) query.update((count) => void (count.n += by));
            else if (each) query.each((_, count, n) => void (count.n += n), by);
            else query.update((count, n) => void (count.n += n), by);
            history?.commit();
            if (undo) history?.undo();
          }
          return query.ids().map((entity) => world.get(entity, Count)?.n);
        });
        expect(results[0]).toEqual(results[1]);
      },
      15,
    );
  });
});
