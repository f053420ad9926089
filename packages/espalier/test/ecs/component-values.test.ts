import {
  addAll,
  component,
  createWorld,
  DEVELOPMENT,
  DeadEntityError,
  EntityLimitError,
  f32,
  finite,
  i8,
  i32,
  named,
  not,
  object,
  u8,
} from "espalier";
import { describe, expect, it } from "vitest";
import { refusal, strictWorld } from "../testing.ts";
import { Everything } from "./everything.ts";

const sparse = { storage: "sparse" } as const;

describe("values", () => {
  const world = strictWorld();
  const Strict = component("Strict", {
    ...Everything.schema,
    sure: finite(f32()),
    door: named(u8(), ["open", "closed"]),
    even: object(
      () => 0,
      (value) => (typeof value === "number" && value % 2 === 0 ? undefined : "takes an even number"),
    ),
  });
  const e = world.spawn(Strict);

  it.each([
    ["f32", "1", 'takes a number, got "1"'],
    ["f64", null, "takes a number, got null"],
    ["i8", 128, "takes an integer from -128 to 127, got 128"],
    ["u8", -1, "takes an integer from 0 to 255, got -1"],
    ["i16", 1.5, "takes an integer from -32768 to 32767, got 1.5"],
    ["u16", 70000, "takes an integer from 0 to 65535, got 70000"],
    ["i32", Number.NaN, "takes an integer from -2147483648 to 2147483647, got NaN"],
    ["u32", 2 ** 32, "takes an integer from 0 to 4294967295, got 4294967296"],
    ["bool", 1, "takes true or false, got 1"],
    ["string", ["a"], "takes a string, got an array of 1"],
    ["entity", 0, "takes an entity or null, got 0"],
    ["entity", "x", 'takes an entity or null, got "x"'],
    ["sure", Number.POSITIVE_INFINITY, "takes a finite number, got Infinity"],
    ["door", 2, "takes an integer from 0 to 1 (open, closed), got 2"],
    ["door", "open", 'takes an integer from 0 to 1 (open, closed), got "open"'],
    ["even", 3, "takes an even number"],
  ] as const)("that do not fit are refused by all ways to write: %s = %s", (field, value, why) => {
    const values = { [field]: value } as never;
    const text = `InvalidValueError: Cannot set Strict.${field} of #1: ${field} ${why}. [ecs/invalid-value]`;
    expect(refusal(world, () => world.set(e, Strict, values))).toBe(text);
    expect(refusal(world, () => world.set(e, Strict(values)))).toBe(text);
    expect(refusal(world, () => world.add(e, Strict(values)))).toBe(text);
    expect(refusal(world, () => world.spawn(Strict(values)))).toBe(text.replace(" of #1", ""));
    for (const generate of [true, false]) {
      const other = strictWorld({ generate });
      const entity = other.spawn(Strict);
      const write = (strict: Record<string, unknown>) => {
        strict[field] = value;
      };
      for (let k = 0; k < 6; k++) {
        expect(refusal(other, () => other.query(Strict).each((_, strict) => write(strict)))).toBe(text);
        expect(refusal(other, () => other.query(Strict).update((strict) => write(strict)))).toBe(text);
      }
      expect(other.isAlive(entity)).toBe(true);
    }
  });

  it("must be an object", () => {
    expect(refusal(world, () => world.spawn(Strict(7 as never)))).toBe(
      "InvalidValueError: Cannot set Strict: expected an object with its fields, got 7. [ecs/invalid-value]",
    );
    expect(refusal(world, () => world.set(e, Strict, null as never))).toContain("got null");
  });

  it.runIf(DEVELOPMENT)("must be of known fields", () => {
    const P = component("P", { x: f32(), y: f32() });
    expect(refusal(world, () => world.spawn(P({ z: 1 } as never)))).toBe(
      "InvalidValueError: Cannot set P.z: P has no such field; it has x, y. [ecs/invalid-value]",
    );
  });

  it("are not compared with their fields when checks are off", () => {
    for (const generate of [true, false]) {
      const P = component("P", { n: i8(), x: f32(), list: object(() => 1) });
      const loose = strictWorld({ checks: false, generate });
      const entity = loose.spawn(P({ n: 300, z: 1 } as never));
      expect(loose.get(entity, P)?.n).toBe(44);
      loose.set(entity, P, { n: 129 });
      expect(loose.get(entity, P)?.n).toBe(-127);
      for (let k = 0; k < 6; k++) loose.query(P).update((p) => void (p.n = 200));
      expect(loose.get(entity, P)?.n).toBe(-56);
      // Without an object there is nothing to take values from, whatever the checks.
      expect(refusal(loose, () => loose.spawn(P(null as never)))).toContain("got null");
    }
  });

  it("are checked by default, in every build", () => {
    expect(createWorld().checks).toBe(true);
  });

  it("are made for each entity, before anything changes", () => {
    for (const generate of [true, false]) {
      const world = strictWorld({ generate, capacity: 4 });
      let left = 100;
      const Bag = component("Bag", {
        things: object((): number[] => {
          if (left-- === 0) throw new Error("no more bags");
          return [];
        }),
        nothing: object((): unknown => undefined),
      });
      const P = component("P", { x: f32() });
      const bags = () => [...world.query(Bag)].map((entity) => world.get(entity, Bag)!.things);
      world.spawnMany(3, Bag, P);
      world.add(world.spawn(P), Bag({ nothing: 1 }));
      world.spawnMany(2, P);
      addAll(world.query(P, not(Bag)), Bag);
      expect(new Set(bags()).size).toBe(6);
      expect([...world.query(Bag)].map((entity) => world.get(entity, Bag)!.nothing)).toEqual([
        undefined,
        undefined,
        undefined,
        1,
        undefined,
        undefined,
      ]);
      // Those of entities that have one are made again.
      const before = bags();
      addAll(world.query(P), Bag);
      expect(bags().some((bag) => before.includes(bag))).toBe(false);
      for (const call of [() => addAll(world.query(P), P({ x: 7 }), Bag), () => world.spawnMany(4, P, Bag)]) {
        left = 2;
        expect(refusal(world, call)).toBe("Error: no more bags");
      }
    }
  });

  it("may change the world while they are made", () => {
    const world = strictWorld({ capacity: 4 });
    const Nest = component("Nest", {
      first: object(() => world.spawn()),
      n: i32(3),
    });
    const nest = world.spawn(Nest);
    expect(world.count).toBe(2);
    expect(world.isAlive(world.get(nest, Nest)!.first)).toBe(true);
    expect(world.spawnMany(20, Nest)).toHaveLength(20);
    expect(world.count).toBe(42);
    const small = strictWorld({ capacity: 6, fixed: true });
    const Greedy = component("Greedy", { first: object(() => small.spawn()) });
    expect(() => small.spawnMany(4, Greedy)).toThrow(EntityLimitError);
    expect([small.count, small.query(Greedy).count()]).toEqual([4, 0]);
    const Curse = component("Curse", { it: object(() => world.destroy(nest)) });
    expect(() => world.add(nest, Curse)).toThrow(DeadEntityError);
  });

  it("may be refused by defaults that throw, and nothing has changed", () => {
    const Broken = component("Broken", {
      it: object((): number => {
        throw new Error("no default");
      }),
      n: i32(),
    });
    const BrokenSparse = component("BrokenSparse", Broken.schema, sparse);
    const P = component("P", { x: f32() });
    const Q = component("Q", { y: f32() });
    for (const generate of [true, false]) {
      const other = strictWorld({ generate, capacity: 4 });
      const [a] = other.spawnMany(3, P);
      for (const Bad of [Broken, BrokenSparse]) {
        const calls = [
          () => other.spawn(Bad),
          () => other.spawn(P, Bad),
          () => other.spawnMany(5, P, Bad),
          () => other.spawnMany(5, Bad({ n: 2 })),
          () => other.add(a!, Bad),
          () => addAll(other.query(P), Bad),
          () => addAll(other.query(P), Bad({ n: 1 })),
          // What comes before it in the call is not done either.
          () => other.add(a!, P({ x: 5 }), Q({ y: 1 }), Bad),
          () => addAll(other.query(P), P({ x: 5 }), Q, Bad),
        ];
        for (const call of calls) {
          const error = refusal(other, call);
          expect(error).toBe("Error: no default");
        }
      }
    }
  });
});
