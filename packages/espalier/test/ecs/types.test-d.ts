import {
  addAll,
  any,
  bool,
  type Component,
  component,
  createWorld,
  destroyAll,
  type Entity,
  entityRef,
  f32,
  f64,
  type Init,
  i8,
  i16,
  i32,
  indexOf,
  not,
  object,
  optional,
  Props,
  resource,
  string,
  type Tag,
  tag,
  u8,
  u16,
  u32,
  type ValueOf,
  where,
} from "espalier";
import { describe, expectTypeOf, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Unit = component("Unit", {
  name: string(),
  alive: bool(),
  target: entityRef(),
  inventory: object(() => new Map<string, number>()),
  level: u8(),
});
const Frozen = tag("Frozen");
const world = createWorld();
const e = world.spawn();

describe("an entity", () => {
  it("is a number that no plain number is", () => {
    expectTypeOf<Entity>().toExtend<number>();
    expectTypeOf<number>().not.toExtend<Entity>();
    expectTypeOf(world.spawn()).toEqualTypeOf<Entity>();
    expectTypeOf(world.spawnMany(3)).toEqualTypeOf<Entity[]>();
    // @ts-expect-error a number is not an entity
    world.get(7, Position);
    // @ts-expect-error neither is an index
    world.destroy(indexOf(e));
  });
});

describe("a component", () => {
  it("has the type of its values from its schema", () => {
    expectTypeOf(world.get(e, Position)).toEqualTypeOf<{ x: number; y: number } | undefined>();
    expectTypeOf(world.get(e, Unit)).toEqualTypeOf<
      | {
          name: string;
          alive: boolean;
          target: Entity | null;
          inventory: Map<string, number>;
          level: number;
        }
      | undefined
    >();
    expectTypeOf<ValueOf<typeof Position.schema>>().toEqualTypeOf<{ x: number; y: number }>();
    expectTypeOf(Frozen).toEqualTypeOf<Tag>();
    expectTypeOf(world.get(e, Props)).toEqualTypeOf<{ values: Record<string, unknown> } | undefined>();
  });

  it("is called with some of its values", () => {
    expectTypeOf(Position({ x: 1 })).toExtend<Init<typeof Position.schema>>();
    Position();
    Unit({ target: e, alive: true });
    // @ts-expect-error there is no z
    Position({ z: 1 });
    // @ts-expect-error a string is not a number
    Position({ x: "1" });
    // @ts-expect-error a number is not an entity
    Unit({ target: 3 });
  });

  it("is set with values of its own", () => {
    world.set(e, Position, { x: 1 });
    world.set(e, Position({ x: 1 }), Unit({ level: 2 }));
    // @ts-expect-error there is no z
    world.set(e, Position, { z: 1 });
    // @ts-expect-error a string is not a number
    world.set(e, Position, { x: "1" });
  });

  it("is what spawn and add take, with or without values", () => {
    world.spawn(Position, Unit({ name: "a" }), Frozen);
    world.add(e, Position, Frozen);
    world.remove(e, Position, Frozen);
    // @ts-expect-error no component
    world.add(e, "Position");
    // @ts-expect-error values alone name no component
    world.spawn({ x: 1 });
    // @ts-expect-error only components are removed
    world.remove(e, Position({ x: 1 }));
  });

  it("has defaults of the right type", () => {
    // @ts-expect-error a default must fit
    f32("1");
    // @ts-expect-error a default must fit
    string(1);
    component("Bag", { items: object((): string[] => []) });
  });
});

describe("columns", () => {
  it("have the array of their field", () => {
    const Everything = component("Everything", {
      f32: f32(),
      f64: f64(),
      i8: i8(),
      u8: u8(),
      i16: i16(),
      u16: u16(),
      i32: i32(),
      u32: u32(),
      bool: bool(),
      entity: entityRef(),
      string: string(),
      object: object(() => ({ n: 1 })),
    });
    const columns = world.columns(Everything);
    expectTypeOf(columns.f32).toEqualTypeOf<Float32Array>();
    expectTypeOf(columns.f64).toEqualTypeOf<Float64Array>();
    expectTypeOf(columns.i8).toEqualTypeOf<Int8Array>();
    expectTypeOf(columns.u8).toEqualTypeOf<Uint8Array>();
    expectTypeOf(columns.i16).toEqualTypeOf<Int16Array>();
    expectTypeOf(columns.u16).toEqualTypeOf<Uint16Array>();
    expectTypeOf(columns.i32).toEqualTypeOf<Int32Array>();
    expectTypeOf(columns.u32).toEqualTypeOf<Uint32Array>();
    expectTypeOf(columns.bool).toEqualTypeOf<Uint8Array>();
    expectTypeOf(columns.entity).toEqualTypeOf<Float64Array>();
    expectTypeOf(columns.string).toEqualTypeOf<string[]>();
    expectTypeOf(columns.object).toEqualTypeOf<{ n: number }[]>();
    // @ts-expect-error only the world replaces columns
    columns.f32 = new Float32Array(1);
  });
});

describe("a query", () => {
  it("gives a view for every component with fields, in order; tags and conditions give none", () => {
    world
      .query(
        Position,
        Frozen,
        not(Unit),
        any(Frozen),
        where("near", () => true),
        Unit,
      )
      .each((entity, position, unit, ...rest) => {
        expectTypeOf(entity).toEqualTypeOf<Entity>();
        expectTypeOf(position).toEqualTypeOf<{ x: number; y: number }>();
        expectTypeOf(unit.inventory).toEqualTypeOf<Map<string, number>>();
        expectTypeOf(rest).toEqualTypeOf<[]>();
        position.x += 1;
        // @ts-expect-error there is no z
        position.z = 1;
        // @ts-expect-error a string is not a number
        position.x = "1";
      });
    world.query(Frozen).update((...views) => expectTypeOf(views).toEqualTypeOf<[]>());
    world.query().each((...args) => expectTypeOf(args).toEqualTypeOf<[entity: Entity]>());
  });

  it("gives what is optional as perhaps undefined", () => {
    world.query(optional(Position), Unit).update((position, unit) => {
      expectTypeOf(position).toEqualTypeOf<{ x: number; y: number } | undefined>();
      expectTypeOf(unit.level).toEqualTypeOf<number>();
      // @ts-expect-error it may not be there
      position.x;
    });
    world.query(Position, optional(Unit)).update((position, unit, dt) => {
      expectTypeOf(position.x).toEqualTypeOf<number>();
      expectTypeOf(unit).not.toBeAny();
      expectTypeOf(dt).toEqualTypeOf<number>();
    }, 0.5);
    world.query(Position).each(
      (entity, _, names) => {
        expectTypeOf(entity).toEqualTypeOf<Entity>();
        expectTypeOf(names).toEqualTypeOf<string[]>();
      },
      ["a"],
    );
    const step = (position: { x: number }, dt: number) => void (position.x += dt);
    world.query(Position).update(step, 2);
    // @ts-expect-error the callback takes a number
    world.query(Position).update(step, "2");
    // @ts-expect-error and gets none
    world.query(Position).update(step);
    world.query(optional(Frozen)).update((...views) => expectTypeOf(views).toEqualTypeOf<[]>());
    // @ts-expect-error one value, not two
    world.query(Position).update(() => {}, 1, 2);
  });

  it("walks a union of queries", () => {
    const either = Math.random() < 0.5 ? world.query(Position) : world.query(Position, Unit);
    either.update((position) => expectTypeOf(position.x).toEqualTypeOf<number>());
    either.each((entity, position) => {
      expectTypeOf(entity).toEqualTypeOf<Entity>();
      expectTypeOf(position.x).toEqualTypeOf<number>();
    });
  });

  it("gives columns of what is required to run()", () => {
    world.query(Position, Frozen, optional(Unit)).run((ids, count, position, ...rest) => {
      expectTypeOf(ids).toEqualTypeOf<Int32Array>();
      expectTypeOf(count).toEqualTypeOf<number>();
      expectTypeOf(position.x).toEqualTypeOf<Float32Array>();
      expectTypeOf(rest).toEqualTypeOf<[]>();
    });
  });

  it("gives entities", () => {
    const query = world.query(Position);
    expectTypeOf(query.first()).toEqualTypeOf<Entity | null>();
    expectTypeOf(query.single()).toEqualTypeOf<Entity>();
    expectTypeOf(query.ids()).toEqualTypeOf<Entity[]>();
    expectTypeOf([...query]).toEqualTypeOf<Entity[]>();
    expectTypeOf(query.indices).toEqualTypeOf<Int32Array>();
    addAll(query, Frozen);
    // @ts-expect-error a component is not a query
    destroyAll(Position);
    // @ts-expect-error values are no term
    world.query({ x: 1 });
  });
});

describe("a resource", () => {
  it("has the type of its value", () => {
    const Score = resource<number>("Score");
    const Settings = resource("Settings", () => ({ volume: 1 }));
    expectTypeOf(world.resource(Score)).toEqualTypeOf<number>();
    expectTypeOf(world.resource(Settings)).toEqualTypeOf<{ volume: number }>();
    // @ts-expect-error a string is not a number
    world.setResource(Score, "1");
  });
});

describe("generic code", () => {
  it("can name any component and its values", () => {
    function read<C extends Component<{ x: ReturnType<typeof f32> }>>(c: C): number | undefined {
      return world.get(e, c)?.x;
    }
    expectTypeOf(read(component("P", { x: f32() }))).toEqualTypeOf<number | undefined>();
  });
});
