import {
  any,
  bool,
  component,
  createWorld,
  DeadEntityError,
  DisposedWorldError,
  type Entity,
  entityRef,
  f32,
  InvalidArgumentError,
  InvalidEntityError,
  InvalidValueError,
  inspect,
  listComponents,
  listQueries,
  not,
  object,
  optional,
  registerComputed,
  related,
  string,
  tag,
  toTable,
  where,
} from "espalier";
import { claim, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string("?"), shown: bool(true) }, { storage: "sparse" });
const Target = component("Target", { it: entityRef() });
const Bag = component("Bag", { items: object((): string[] => []) });
const Owned = component("Owned", { n: f32() }, { reserved: "keeper.put()" });
const Frozen = tag("Frozen");

describe("inspect", () => {
  it("lists the components of an entity with their values", () => {
    const world = createWorld();
    const e = world.spawn(Position({ x: 1 }), Label({ text: "tank" }), Frozen);
    claim(stateOf(world), Owned).add(e, { n: 4 });
    expect(inspect(world, e)).toEqual({
      entity: e,
      index: 1,
      generation: 0,
      components: [
        { name: "Position", component: Position, reserved: undefined, values: { x: 1, y: 0 } },
        { name: "Label", component: Label, reserved: undefined, values: { text: "tank", shown: true } },
        { name: "Frozen", component: Frozen, reserved: undefined, values: {} },
        { name: "Owned", component: Owned, reserved: "keeper.put()", values: { n: 4 } },
      ],
      computed: [],
    });
  });

  it("shows references to dead entities as null, and copies instead of the world's own values", () => {
    const world = createWorld();
    const gone = world.spawn();
    const e = world.spawn(Target({ it: gone }), Position);
    world.destroy(gone);
    const [target, position] = inspect(world, e).components;
    expect(target?.values).toEqual({ it: null });
    (position?.values as { x: number }).x = 99;
    expect(world.get(e, Position)).toEqual({ x: 0, y: 0 });
    expect(inspect(world, world.spawn()).generation).toBe(1);
  });

  it("adds computed values where they apply, and errors where computing fails", () => {
    const world = createWorld();
    const [a, b] = [world.spawn(Position({ x: 3, y: 4 })), world.spawn()];
    const length = (e: Entity) => {
      const at = world.get(e, Position);
      return at && Math.hypot(at.x, at.y);
    };
    const end = registerComputed(world, { name: "length", compute: length });
    const failure = new Error("no idea");
    registerComputed(world, {
      name: "broken",
      compute: () => {
        throw failure;
      },
    });
    expect(inspect(world, a).computed).toEqual([
      { name: "length", value: 5 },
      { name: "broken", value: undefined, error: failure },
    ]);
    expect(inspect(world, b).computed.map(({ name }) => name)).toEqual(["broken"]);
    expect(() => registerComputed(world, { name: "length", compute: length })).toThrow(InvalidValueError);
    expect(() => registerComputed(world, { name: "length", compute: length })).toThrow(
      'Cannot register computed value "length": this world has one of that name. Rename one.',
    );
    end();
    end();
    expect(inspect(world, a).computed.map(({ name }) => name)).toEqual(["broken"]);
  });

  it("refuses what is not a living entity", () => {
    const world = createWorld();
    const e = world.spawn();
    world.destroy(e);
    expect(() => inspect(world, e)).toThrow(DeadEntityError);
    expect(() => inspect(world, e)).toThrow("Cannot inspect an entity: #1 was destroyed.");
    expect(() => inspect(world, Number.NaN as Entity)).toThrow(InvalidEntityError);
  });
});

describe("listComponents", () => {
  it("gives name, fields, storage and how many entities have it", () => {
    const world = createWorld();
    world.spawnMany(3, Position, Label);
    world.spawn(Position);
    world.query(Owned, Frozen);
    expect(listComponents(world)).toEqual([
      {
        name: "Position",
        fields: [
          { name: "x", kind: "f32" },
          { name: "y", kind: "f32" },
        ],
        storage: "dense",
        reserved: undefined,
        count: 4,
      },
      {
        name: "Label",
        fields: [
          { name: "text", kind: "string" },
          { name: "shown", kind: "bool" },
        ],
        storage: "sparse",
        reserved: undefined,
        count: 3,
      },
      {
        name: "Owned",
        fields: [{ name: "n", kind: "f32" }],
        storage: "dense",
        reserved: "keeper.put()",
        count: 0,
      },
      { name: "Frozen", fields: [], storage: "dense", reserved: undefined, count: 0 },
    ]);
  });
});

describe("listQueries", () => {
  it("names every requested combination, with its matches", () => {
    const world = createWorld();
    world.spawn(Position);
    world.spawnMany(2, Position, Frozen);
    world.query(Position);
    world.query(Frozen, Position, not(Bag, Label));
    world.query(
      Position,
      Frozen,
      not(Label, Bag),
      where("odd", (index) => index % 2 === 1),
    );
    world.query(any(Bag, Frozen), optional(Position));
    expect(listQueries(world)).toEqual([
      { text: "query(Position)", archetypes: 2, count: 3 },
      { text: "query(Position, Frozen, not(Bag, Label))", archetypes: 1, count: 2 },
      { text: "query(any(Frozen, Bag))", archetypes: 1, count: 2 },
    ]);
  });
});

describe("toTable", () => {
  it("gives a row per match with a column per field", () => {
    const world = createWorld();
    const a = world.spawn(Position({ x: 1 }), Bag({ items: ["sword"] }));
    world.spawn(Position, Frozen, Target({ it: a }));
    world.spawn(Frozen);
    const query = world.query(Position, optional(Target), optional(Frozen), optional(Bag), not(Label));
    expect(toTable(query)).toEqual(toTable(query));
    expect(toTable(query)).toEqual([
      { Entity: "#1", "Position.x": 1, "Position.y": 0, "Bag.items": ["sword"], Frozen: false },
      { Entity: "#2", "Position.x": 0, "Position.y": 0, "Target.it": "#1", Frozen: true },
    ]);
    expect(Object.keys(toTable(query)[1] as object)).toEqual([
      "Entity",
      "Position.x",
      "Position.y",
      "Target.it",
      "Frozen",
    ]);
    expect(
      toTable(
        world.query(
          Target,
          where("none", () => false),
        ),
      ),
    ).toEqual([]);
  });

  it("shows related values under the name of the relation", () => {
    const world = createWorld();
    const a = world.spawn(Position({ x: 5 }));
    world.spawn(Target({ it: a }));
    const column = world.columns(Target).it;
    const query = world.query(
      Target,
      related("target's Position", Position, (index) => (column[index] as number) & 0x3fffff),
    );
    expect(toTable(query)).toEqual(toTable(query));
    expect(toTable(query)).toEqual([
      { Entity: "#2", "Target.it": "#1", "target's Position.x": 5, "target's Position.y": 0 },
    ]);
  });

  it("refuses what is not a query", () => {
    expect(() => toTable(Position as never)).toThrow(InvalidArgumentError);
  });
});

describe("inspection of a disposed world", () => {
  it("is refused", () => {
    const world = createWorld();
    const e = world.spawn(Position);
    const query = world.query(Position);
    const end = registerComputed(world, { name: "x", compute: () => 1 });
    world.dispose();
    end();
    for (const use of [
      () => inspect(world, e),
      () => listComponents(world),
      () => listQueries(world),
      () => toTable(query),
      () => registerComputed(world, { name: "y", compute: () => 1 }),
    ]) {
      expect(use).toThrow(DisposedWorldError);
    }
  });
});
