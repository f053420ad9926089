/**
 * Random sequences of everything a world can do beside a model that could not be simpler: a map from entity to its
 * components as plain objects.
 */
import {
  addAll,
  any,
  bool,
  type Component,
  changesOf,
  checkWorld,
  component,
  destroyAll,
  type Entity,
  entityRef,
  f32,
  i16,
  indexOf,
  not,
  object,
  observe,
  optional,
  removeAll,
  type Schema,
  string,
  type Term,
  tag,
  type World,
} from "espalier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, strictWorld } from "../testing.ts";

type Values = { [field: string]: unknown };
type Model = Map<Entity, Map<string, Values>>;

const Position = component("Position", { x: f32(), y: f32(-1) });
const Health = component("Health", { hp: i16(100), dead: bool() });
const Label = component("Label", { text: string("none") });
const Aim = component("Aim", { at: entityRef() });
const Bag = component("Bag", { items: object((): number[] => []) }, { storage: "sparse" });
const Rare = component("Rare", { n: i16(3) }, { storage: "sparse" });
const Frozen = tag("Frozen");
const Hidden = tag("Hidden");
const all = [Position, Health, Label, Aim, Bag, Rare, Frozen, Hidden] as unknown as Component<Schema>[];

const defaults: { [name: string]: () => Values } = {
  Position: () => ({ x: 0, y: -1 }),
  Health: () => ({ hp: 100, dead: false }),
  Label: () => ({ text: "none" }),
  Aim: () => ({ at: null }),
  Bag: () => ({ items: [] }),
  Rare: () => ({ n: 3 }),
  Frozen: () => ({}),
  Hidden: () => ({}),
};

/** Values for a component; entities are numbers here and become entities when they are used. */
const someValues: { [name: string]: fc.Arbitrary<Values> } = {
  Position: fc.record({ x: fc.float({ noNaN: true }), y: fc.float({ noNaN: true }) }, { requiredKeys: [] }),
  Health: fc.record(
    { hp: fc.integer({ min: -32768, max: 32767 }), dead: fc.boolean() },
    { requiredKeys: [] },
  ),
  Label: fc.record({ text: fc.string() }, { requiredKeys: [] }),
  Aim: fc.record({ at: fc.option(fc.nat(40)) }, { requiredKeys: [] }),
  Bag: fc.record({ items: fc.array(fc.nat(9), { maxLength: 3 }) }, { requiredKeys: [] }),
  Rare: fc.record({ n: fc.integer({ min: -5, max: 5 }) }, { requiredKeys: [] }),
  Frozen: fc.constant({}),
  Hidden: fc.constant({}),
};

const one = fc.constantFrom(...all);
const init = one.chain((c) =>
  fc.record({ c: fc.constant(c), values: fc.option(someValues[c.name]!, { nil: undefined }) }),
);
const inits = fc.uniqueArray(init, { selector: ({ c }) => c.name, maxLength: 4 });
const components = fc.array(one, { maxLength: 3 });
const who = fc.nat(60);

const queries: { terms: Term[]; matches: (has: (c: { name: string }) => boolean) => boolean }[] = [
  { terms: [], matches: () => true },
  { terms: [Position], matches: (has) => has(Position) },
  { terms: [Position, not(Frozen)], matches: (has) => has(Position) && !has(Frozen) },
  { terms: [any(Health, Label)], matches: (has) => has(Health) || has(Label) },
  { terms: [Bag, optional(Rare)], matches: (has) => has(Bag) },
  {
    terms: [any(Frozen, Hidden), any(Aim, Rare), not(Label, Bag)],
    matches: (has) => (has(Frozen) || has(Hidden)) && (has(Aim) || has(Rare)) && !has(Label) && !has(Bag),
  },
];
const query = fc.nat(queries.length - 1);

const step = fc.oneof(
  fc.record({ it: fc.constant("spawn" as const), inits }),
  fc.record({ it: fc.constant("spawnMany" as const), count: fc.nat(5), inits }),
  fc.record({ it: fc.constant("destroy" as const), who, also: fc.option(who) }),
  fc.record({ it: fc.constant("add" as const), who, inits }),
  fc.record({ it: fc.constant("add" as const), who, inits: init.map((only) => [only]) }),
  fc.record({ it: fc.constant("remove" as const), who, components }),
  fc.record({ it: fc.constant("set" as const), who, inits: init.map((only) => [only]) }),
  fc.record({ it: fc.constant("addAll" as const), query, inits }),
  fc.record({ it: fc.constant("removeAll" as const), query, components }),
  fc.record({
    it: fc.constant("destroyAll" as const),
    query: fc.integer({ min: 2, max: queries.length - 1 }),
  }),
  fc.record({ it: fc.constant("views" as const), by: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ it: fc.constant("each" as const), way: fc.constantFrom("destroy", "freeze", "spawn") }),
);

type StepOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer T> ? T : never;
type Step = StepOf<typeof step>;
type Given = StepOf<typeof inits>;

describe.each(modes)("a world ($mode)", ({ generate }) => {
  it.each([
    ["without listeners", 100],
    ["with listeners", 60],
  ])("agrees with plain objects after random operations (%s)", (listening, runs) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = strictWorld({ generate, capacity: 4 });
        const model: Model = new Map();
        // Kept, so that their loops are generated and their lists reused.
        const kept = queries.map(({ terms }) => world.query(...terms));
        if (listening === "with listeners") {
          for (const c of all) observe(world, c, { add: () => {}, set: () => {}, remove: () => {} });
          changesOf(world, Position);
        }
        const known: Entity[] = [];
        for (const [k, change] of steps.entries()) {
          apply(world, model, known, change);
          compare(world, model, known);
          queries.forEach(({ matches }, q) => {
            const expected = [...model].filter(([, own]) => matches((c) => own.has(c.name))).map(([e]) => e);
            const found = kept[q]!.ids();
            expect(new Set(found)).toEqual(new Set(expected));
            expect([found.length, kept[q]!.count(), kept[q]!.sync()]).toEqual(Array(3).fill(expected.length));
            expect([...kept[q]!.indices.subarray(0, found.length)]).toEqual(found.map(indexOf));
            expect(kept[q]!.first()).toBe(found[0] ?? null);
          });
          if (k % 10 === 9) expect(checkWorld(world)).toEqual([]);
        }
        expect(checkWorld(world)).toEqual([]);
      }),
      { numRuns: runs, interruptAfterTimeLimit: 50_000 },
    );
  });
});

function apply(world: World, model: Model, known: Entity[], change: Step): void {
  const choose = (n: number) => known[n % Math.max(1, known.length)];
  // Before anything is known that this step creates.
  const givens: Given = ("inits" in change ? change.inits : []).map(({ c, values }) => ({
    c,
    values: values && resolved(values, choose),
  }));
  const real = ({ c, values }: Given[number]) => (values === undefined ? c : c(values as never));
  const give = (own: Map<string, Values>, { c, values }: Given[number]) => {
    own.set(c.name, { ...defaults[c.name]!(), ...structuredClone(values ?? {}) });
  };
  const matching = (q: number) =>
    [...model].filter(([, own]) => queries[q]!.matches((c) => own.has(c.name))).map(([e]) => e);
  switch (change.it) {
    case "spawn": {
      const e = world.spawn(...givens.map(real));
      expect(model.has(e)).toBe(false);
      model.set(e, new Map());
      for (const given of givens) give(model.get(e)!, given);
      known.push(e);
      break;
    }
    case "spawnMany":
      for (const e of world.spawnMany(change.count, ...givens.map(real))) {
        expect(model.has(e)).toBe(false);
        model.set(e, new Map());
        for (const given of givens) give(model.get(e)!, given);
        known.push(e);
      }
      break;
    case "destroy": {
      const chosen = [choose(change.who), change.also === null ? undefined : choose(change.also)];
      const entities = chosen.filter((e) => e !== undefined);
      if (entities.length === 0) break;
      expect(world.destroy(...entities)).toBe(entities.some((e) => model.has(e)));
      for (const e of entities) model.delete(e);
      break;
    }
    case "add":
    case "set":
    case "remove": {
      const e = choose(change.who);
      if (e === undefined) break;
      const own = model.get(e);
      if (change.it === "remove") {
        const remove = () => world.remove(e, ...change.components);
        if (own === undefined) expect(remove).toThrow("[ecs/dead-entity]");
        else expect(remove()).toBe(change.components.filter((c) => own.delete(c.name)).length > 0);
        break;
      }
      if (change.it === "add") {
        const add = () => world.add(e, ...givens.map(real));
        if (own === undefined) expect(add).toThrow("[ecs/dead-entity]");
        else {
          add();
          for (const given of givens) give(own, given);
        }
        break;
      }
      const { c, values = {} } = givens[0]!;
      const set = () => world.set(e, c, values as never);
      if (own === undefined) expect(set).toThrow("[ecs/dead-entity]");
      else if (!own.has(c.name)) expect(set).toThrow("[ecs/missing-component]");
      else {
        set();
        own.set(c.name, { ...own.get(c.name), ...structuredClone(values) });
      }
      break;
    }
    case "addAll":
      for (const e of matching(change.query)) for (const given of givens) give(model.get(e)!, given);
      addAll(world.query(...queries[change.query]!.terms), ...givens.map(real));
      break;
    case "removeAll":
      for (const e of matching(change.query)) for (const c of change.components) model.get(e)!.delete(c.name);
      removeAll(world.query(...queries[change.query]!.terms), ...change.components);
      break;
    case "destroyAll":
      for (const e of matching(change.query)) model.delete(e);
      destroyAll(world.query(...queries[change.query]!.terms));
      break;
    case "views":
      world.query(Position, optional(Rare), optional(Label)).update((position, rare, label) => {
        position.x += change.by;
        if (rare !== undefined) rare.n = change.by;
        if (label !== undefined) label.text += change.by;
      });
      for (const own of model.values()) {
        const position = own.get("Position");
        if (position === undefined) continue;
        position.x = Math.fround((position.x as number) + change.by);
        if (own.has("Rare")) own.set("Rare", { n: change.by });
        const label = own.get("Label");
        if (label !== undefined) label.text = `${label.text}${change.by}`;
      }
      break;
    case "each": {
      const visited: Entity[] = [];
      world.query(Health, not(Frozen)).each((e, health) => {
        visited.push(e);
        health.dead = true;
        if (change.way === "destroy") world.destroy(e);
        if (change.way === "freeze") world.add(e, Frozen);
        if (change.way === "spawn") known.push(world.spawn(Health({ hp: 1 }), Rare));
      });
      const expected = [...model]
        .filter(([, own]) => own.has("Health") && !own.has("Frozen"))
        .map(([e]) => e);
      expect(new Set(visited)).toEqual(new Set(expected));
      expect(visited).toHaveLength(expected.length);
      for (const e of expected) {
        model.get(e)!.get("Health")!.dead = true;
        if (change.way === "destroy") model.delete(e);
        if (change.way === "freeze") model.get(e)!.set("Frozen", {});
      }
      if (change.way === "spawn") {
        for (const e of known.slice(known.length - visited.length)) {
          model.set(e, new Map(Object.entries({ Health: { hp: 1, dead: false }, Rare: { n: 3 } })));
        }
      }
      break;
    }
  }
}

/** Numbers that stand for entities replaced by those entities. */
function resolved(values: Values, choose: (n: number) => Entity | undefined): Values {
  if (!("at" in values) || values.at === null || values.at === undefined) return values;
  return { ...values, at: choose(values.at as number) ?? null };
}

function compare(world: World, model: Model, known: readonly Entity[]): void {
  expect(world.count).toBe(model.size);
  expect(world.entities()).toEqual([...model.keys()].sort((a, b) => indexOf(a) - indexOf(b)));
  for (const e of known) expect(world.isAlive(e)).toBe(model.has(e));
  for (const [e, own] of model) {
    for (const c of all) {
      const expected = own.get(c.name);
      // A reference to a dead entity reads as none.
      const at = expected?.at as Entity | null | undefined;
      const shown = at != null && !model.has(at) ? { at: null } : expected;
      expect(world.get(e, c)).toEqual(shown);
      expect(world.has(e, c)).toBe(expected !== undefined);
    }
  }
}
