/**
 * The small world does what the full one does: random calls on both, each of which must answer alike.
 */
import {
  any,
  bool,
  type CoreWorld,
  component,
  createCoreWorld,
  createWorld,
  type Entity,
  entityRef,
  f32,
  i16,
  not,
  object,
  optional,
  string,
  tag,
  toTable,
} from "espalier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32(-1) });
const Health = component("Health", { hp: i16(100), dead: bool() });
const Aim = component("Aim", { at: entityRef(), note: string("none") });
const Bag = component("Bag", { items: object((): number[] => []) }, { storage: "sparse" });
const Frozen = tag("Frozen");
const components = [Position, Health, Aim, Bag, Frozen];

const which = fc.nat(components.length - 1);
const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(Number.NaN, 1e9, 0.5));
const step = fc.record({
  it: fc.constantFrom("spawn", "destroy", "add", "remove", "set", "get", "each", "update", "run", "grow"),
  who: fc.nat(40),
  which,
  other: which,
  number,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plays one step and tells everything that can be seen of it. */
function play(world: CoreWorld, known: Entity[], { it: kind, who, which, other, number }: Step): unknown {
  const entity = known[who % Math.max(1, known.length)] ?? (1 as Entity);
  const values = (k: number) =>
    [{ x: number }, { hp: number }, { at: entity, note: String(number) }, { items: [number] }, {}][k];
  const init = (k: number) => (components[k] as typeof Position)(values(k) as never);
  switch (kind) {
    case "spawn": {
      const spawned = which === other ? world.spawn(init(which)) : world.spawn(init(which), init(other));
      known.push(spawned);
      return spawned;
    }
    case "destroy":
      return world.destroy(entity);
    case "add":
      return which === other ? world.add(entity, init(which)) : world.add(entity, init(which), init(other));
    case "remove":
      return world.remove(entity, components[which]!, components[other]!);
    case "set":
      return world.set(entity, components[which] as typeof Position, values(which) as never);
    case "get":
      return [world.get(entity, components[which]!), world.has(entity, components[other]!)];
    case "each": {
      const seen: unknown[] = [];
      world.query(Health, not(Frozen), optional(Position)).each((e, health, position) => {
        seen.push(e, health.hp, position?.x);
        if (which === 0) world.destroy(e);
        if (which === 1) world.add(e, Frozen);
        if (which === 2) known.push(world.spawn(Health({ hp: 1 })));
      });
      return seen;
    }
    case "update":
      return world.query(Position).update((position) => {
        position.x += number;
        if (which === 0) world.spawn();
      });
    case "run": {
      const seen: unknown[] = [];
      world.query(Position).run((ids, count, { x }) => {
        for (let k = 0; k < count; k++) seen.push(ids[k], x[ids[k]!]);
      });
      return seen;
    }
    default:
      return world.reserve(which * 4);
  }
}

function answer(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}

function look(world: CoreWorld): unknown {
  const queries = [
    world.query(),
    world.query(Position),
    world.query(any(Bag, Frozen)),
    world.query(Aim, not(Bag)),
    world.query(Aim, optional(Health)),
  ];
  return {
    count: world.count,
    version: world.version,
    entities: world.entities().map((e) => [e, components.map((c) => world.get(e, c))]),
    queries: queries.map((query) => [String(query), query.count(), query.first(), query.ids()]),
    table: toTable(world, queries[4]!),
  };
}

describe.each(modes)("a small world ($mode)", ({ generate }) => {
  it("answers like a full one to everything it can do", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const small = createCoreWorld({ generate, capacity: 4 });
        const full = createWorld({ generate, capacity: 4 });
        const known: Entity[] = [];
        const alsoKnown: Entity[] = [];
        for (const one of steps) {
          expect(answer(() => play(small, known, one))).toEqual(answer(() => play(full, alsoKnown, one)));
          expect(look(small)).toEqual(look(full));
        }
        small.dispose();
        expect(answer(() => small.spawn())).toMatch("[ecs/disposed-world]");
      }),
      { numRuns: 150 },
    );
  });

  it("keeps its many entities apart from another world's", () => {
    const world = createCoreWorld({ generate });
    const other = createCoreWorld({ generate });
    const last = Array.from({ length: 100_000 }, () => world.spawn(Position)).at(-1)!;
    expect(world.query(Position).count()).toBe(100_000);
    expect(() => other.add(last, Frozen)).toThrow(/was never created in this world.* \[ecs\/dead-entity\]/);
  });
});
