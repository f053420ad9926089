import { Ajv } from "ajv";
import {
  bool,
  type Component,
  checkWorld,
  component,
  type Entity,
  entityRef,
  entityRefs,
  enumOf,
  type Field,
  type FieldKind,
  f32,
  f64,
  i8,
  i16,
  i32,
  i53,
  inspect,
  object,
  type Schema,
  string,
  u8,
  u16,
  u32,
  vec2,
  vec3,
  type World,
} from "espalier";
import { attachMany, createHierarchy } from "espalier/hierarchy";
import { applyPatch, createHistory, diff, restoreSnapshot, takeSnapshot } from "espalier/history";
import { fieldTypes } from "espalier/internal";
import { createSceneFormat } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, strictWorld } from "../testing.ts";

/** Stands for one of the entities of a test until there are any. */
class Target {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

const many = Array.from({ length: 300 }, (_, k) => `name ${k}`);
const wide = Number.MAX_SAFE_INTEGER;

/** One generator of values per kind; a kind without one does not compile. */
const kinds: { readonly [Kind in FieldKind]: readonly [Field<unknown, Kind>, fc.Arbitrary<unknown>] } = {
  f32: [f32(0.1), fc.float()],
  f64: [f64(0.1), fc.double()],
  i8: [i8(-1), fc.integer({ min: -128, max: 127 })],
  u8: [u8(1), fc.integer({ min: 0, max: 255 })],
  i16: [i16(-1), fc.integer({ min: -32768, max: 32767 })],
  u16: [u16(1), fc.integer({ min: 0, max: 65535 })],
  i32: [i32(-1), fc.integer()],
  u32: [u32(1), fc.integer({ min: 0, max: 4294967295 })],
  i53: [i53(-wide), fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-wide, wide, 0))],
  bool: [bool(true), fc.boolean()],
  string: [string("a"), fc.string({ unit: "binary" })],
  entity: [entityRef(), fc.option(fc.nat(2).map((number) => new Target(number)))],
  entities: [
    entityRefs({ data: { amount: u8(1), note: string() } }) as Field<unknown, "entities">,
    fc
      .uniqueArray(fc.record({ number: fc.nat(2), amount: fc.nat(255), note: fc.string() }), {
        selector: ({ number }) => number,
      })
      .map((pairs) => pairs.map(({ number, ...data }) => ({ target: new Target(number), ...data }))),
  ],
  object: [object((): unknown => ({})), fc.jsonValue({ maxDepth: 2 }).map(plain)],
  enum8: [
    enumOf("open", "closed", "locked") as Field<string, "enum8">,
    fc.constantFrom("open", "closed", "locked"),
  ],
  enum16: [enumOf(many, "name 299") as Field<string, "enum16">, fc.constantFrom(...many)],
};

/** Scene files do not keep the sign of zero. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const fields = Object.fromEntries(Object.entries(kinds).map(([kind, [field]]) => [kind, field]));
const All: Component<Schema> = component("All", { ...fields, place: vec2(1, 2), way: vec3(0, 0, 1) });
type Values = { readonly [field: string]: unknown };
const number32 = fc.float({ noNaN: true, noDefaultInfinity: true });
const values = fc.record<Values>(
  {
    ...Object.fromEntries(Object.entries(kinds).map(([kind, [, generator]]) => [kind, generator])),
    placeX: number32,
    placeY: number32,
    wayX: number32,
    wayY: number32,
    wayZ: number32,
  },
  { requiredKeys: [] },
);
const states = fc.tuple(values, values, values);
type States = readonly [Values, Values, Values];

function resolved(given: Values, entities: readonly Entity[]): Values {
  return Object.fromEntries(
    Object.entries(given).map(([field, value]) => [
      field,
      field === "entities"
        ? withTargets(value, (target) => entities[(target as Target).number])
        : value instanceof Target
          ? entities[value.number]
          : value,
    ]),
  );
}

/** Pairs with other targets. */
function withTargets(pairs: unknown, change: (target: unknown) => unknown): unknown {
  return (pairs as readonly { readonly target: unknown }[]).map((pair) => ({
    ...pair,
    target: change(pair.target),
  }));
}

/** What three entities hold, with references as numbers of theirs. */
function held(world: World, entities: readonly Entity[]): unknown {
  return entities.map((entity) => {
    const { entity: target, entities: pairs, ...rest } = world.get(entity, All) as Values;
    return {
      ...rest,
      entity: target === null ? null : entities.indexOf(target as Entity),
      entities: withTargets(pairs, (other) => entities.indexOf(other as Entity)),
    };
  });
}

function worldWith(generate: boolean, [a, b, c]: States) {
  const world = strictWorld({ generate });
  const tree = createHierarchy(world);
  const entities = [a, b, c].map(() => world.spawn(All));
  attachMany(tree, [...entities], null);
  fill(world, entities, [a, b, c]);
  return { world, tree, entities };
}

/** Writes through every door: `set`, a view, removing and adding. */
function fill(world: World, entities: readonly Entity[], [a, b, c]: States): void {
  const [first, second, third] = entities as [Entity, Entity, Entity];
  world.set(first, All, resolved(a, entities));
  world.query(All).each((entity, view) => {
    if (entity === second) Object.assign(view, resolved(b, entities));
  });
  world.remove(third, All);
  world.add(third, All(resolved(c, entities)));
}

/** What must be there: the defaults, and what was written over them. */
function expected(before: readonly Values[], written: States): unknown {
  const standard: Values = {
    ...Object.fromEntries(
      Object.entries(All.schema).map(([name, { initial }]) => [
        name,
        typeof initial === "function" ? initial() : initial,
      ]),
    ),
  };
  return written.map((values, k) =>
    Object.fromEntries(
      Object.entries({ ...standard, ...(k === 2 ? {} : before[k]), ...values }).map(([name, value]) => [
        name,
        name === "entities"
          ? withTargets(value, (target) => (target as Target).number)
          : value instanceof Target
            ? value.number
            : All.schema[name]?.kind === "f32"
              ? Math.fround(value as number)
              : value,
      ]),
    ),
  );
}

describe("every kind of field", () => {
  it("has a generator of values in this test", () => {
    expect(Object.keys(kinds).sort()).toEqual(Object.keys(fieldTypes).sort());
  });

  it.each(modes)("holds what is written to it ($mode)", ({ generate }) => {
    fc.assert(
      fc.property(states, states, (before, after) => {
        const { world, entities } = worldWith(generate, before);
        expect(held(world, entities)).toEqual(expected([], before));
        fill(world, entities, after);
        expect(held(world, entities)).toEqual(expected(before, after));
        expect(checkWorld(world)).toEqual([]);
        const [shown] = inspect(world, entities[0] as Entity).components;
        expect(shown?.values).toEqual(world.get(entities[0] as Entity, All));
      }),
      { numRuns: 40 },
    );
  });

  it.each(modes)("is restored by undo and redo ($mode)", ({ generate }) => {
    fc.assert(
      fc.property(states, states, (before, after) => {
        const { world, entities } = worldWith(generate, before);
        const history = createHistory(world);
        const old = held(world, entities);
        history.step("fill", () => fill(world, entities, after));
        const now = held(world, entities);
        history.undo();
        expect(held(world, entities)).toEqual(old);
        history.redo();
        expect(held(world, entities)).toEqual(now);
      }),
      { numRuns: 40 },
    );
  });

  it("is restored from a snapshot and from a patch that went through JSON", () => {
    fc.assert(
      fc.property(states, states, (before, after) => {
        const { world, tree, entities } = worldWith(true, before);
        const old = held(world, entities);
        const snapshot = takeSnapshot(world, { trees: [tree] });
        fill(world, entities, after);
        const now = held(world, entities);
        const patch = diff(snapshot, { world, trees: [tree] });
        restoreSnapshot(world, snapshot, { trees: [tree] });
        expect(held(world, entities)).toEqual(old);
        expect(new Uint8Array(takeSnapshot(world, { trees: [tree] }))).toEqual(new Uint8Array(snapshot));
        applyPatch(world, JSON.parse(JSON.stringify(patch)), { trees: [tree] });
        expect(held(world, entities)).toEqual(now);
      }),
      { numRuns: 40 },
    );
  });

  it("is restored from a scene file that its JSON Schema describes", () => {
    const format = createSceneFormat({ components: [All] });
    const isScene = new Ajv({ strict: false }).compile(format.jsonSchema());
    fc.assert(
      fc.property(states, (given) => {
        const { tree, world, entities } = worldWith(true, given);
        const text = format.save(tree, entities);
        expect(isScene(JSON.parse(text)), JSON.stringify(isScene.errors)).toBe(true);
        const other = createHierarchy(strictWorld());
        const scene = format.load(other, text);
        expect(unsigned(held(other.world, other.childrenOf(null)))).toEqual(unsigned(held(world, entities)));
        expect(scene.save()).toBe(text);
      }),
      { numRuns: 40 },
    );
  });
});

/** Without the sign of zero. */
function unsigned(value: unknown): unknown {
  if (typeof value === "number") return value + 0;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unsigned);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unsigned(item)]));
}
