import {
  CommandError,
  type Component,
  component,
  createCommands,
  createWorld,
  DEVELOPMENT,
  DisposedWorldError,
  type Entity,
  type EspalierError,
  f32,
  flush,
  InvalidEntityError,
  InvalidValueError,
  i8,
  QueryError,
  ReservedComponentError,
  resource,
  UnknownComponentError,
} from "espalier";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Health = component("Health", { hp: i8(10) });

describe("what is refused when it is recorded", () => {
  const cases: [
    string,
    (world: ReturnType<typeof createWorld>, e: Entity) => void,
    new (...args: never[]) => EspalierError,
    string,
  ][] = [
    [
      "a value that does not fit",
      (world, e) => createCommands(world).add(e, Health({ hp: 1000 })),
      InvalidValueError,
      "Cannot set Health.hp: hp takes an integer from -128 to 127, got 1000.",
    ],
    [
      "a bad value of a spawn",
      (world) => void createCommands(world).spawn(Position, Health({ hp: "x" as never })),
      InvalidValueError,
      'Cannot set Health.hp: hp takes an integer from -128 to 127, got "x".',
    ],
    [
      "a component twice",
      (world) => void createCommands(world).spawn(Health, Health({ hp: 2 })),
      InvalidValueError,
      "Cannot record Health twice in one command. Give each component once, with all its values.",
    ],
    [
      "what is not a component",
      (world, e) => createCommands(world).add(e, {} as never),
      UnknownComponentError,
      "Expected a component, got an object. Define one with component() or tag().",
    ],
    [
      "what is not a component, to be removed",
      (world, e) => createCommands(world).remove(e, "Health" as never),
      UnknownComponentError,
      'Expected a component, got "Health".',
    ],
    [
      "what is not an entity",
      (world) => createCommands(world).add(Number.NaN as Entity, Health),
      InvalidEntityError,
      "Cannot add a component: NaN is not an entity. Pass a handle that spawn() returned.",
    ],
    [
      "what is not an entity, in an array",
      (world, e) => createCommands(world).destroy(e, undefined as never),
      InvalidEntityError,
      "Cannot destroy: undefined is not an entity.",
    ],
    [
      "what is not an entity, in a command of another room",
      (world, e) =>
        createCommands(world).record({ label: "attach", entities: [e, 1.5 as Entity], apply: () => {} }),
      InvalidEntityError,
      "Cannot attach: 1.5 is not an entity.",
    ],
    [
      "a buffer without a number as its order",
      (world) => void createCommands(world, { order: Number.NaN }),
      InvalidValueError,
      "Cannot create a command buffer with order NaN. Give a number.",
    ],
  ];

  it.each(cases)("%s", (_name, record, type, message) => {
    const world = createWorld();
    const e = world.spawn();
    expect(() => record(world, e)).toThrow(message);
    expect(() => record(world, e)).toThrow(type);
    expect(flush(world).applied).toBe(0);
    // No reserved handle was left behind: the next index is the next one given out.
    expect(world.spawn()).toBe(e + 1);
  });

  it.runIf(DEVELOPMENT)("is a field that does not exist", () => {
    const world = createWorld();
    const commands = createCommands(world);
    const e = world.spawn();
    expect(() => commands.set(e, Health, { mana: 1 } as never)).toThrow(
      "Cannot set Health.mana: Health has no such field; it has hp.",
    );
    expect(commands.pending).toBe(0);
  });

  it("is a reserved component, in every form", () => {
    const Owned: Component<{ n: ReturnType<typeof i8> }> = component(
      "Owned",
      { n: i8() },
      { reserved: "keeper.put()" },
    );
    const world = createWorld();
    const e = world.spawn();
    const commands = createCommands(world);
    const all = world.query(Owned);
    expect(() => commands.add(e, Owned)).toThrow(ReservedComponentError);
    expect(() => commands.remove(e, Owned)).toThrow(
      "Cannot remove Owned of #1: only its owner writes it. Use keeper.put().",
    );
    expect(() => commands.set(e, Owned, { n: 1 })).toThrow(ReservedComponentError);
    expect(() => commands.spawn(Owned)).toThrow(ReservedComponentError);
    expect(() => commands.addAll(all, Owned)).toThrow(ReservedComponentError);
    expect(() => commands.removeAll(all, Owned)).toThrow(ReservedComponentError);
    expect(commands.pending).toBe(0);
  });

  it("is everything after close() and after dispose()", () => {
    const world = createWorld();
    const e = world.spawn();
    const commands = createCommands(world, { name: "physics" });
    const reserved = commands.spawn();
    commands.close();
    commands.close();
    expect(world.isAlive(reserved)).toBe(false);
    for (const use of [
      () => commands.spawn(),
      () => commands.destroy(e),
      () => commands.add(e, Health),
      () => commands.setResource(resource("R"), 1),
      () => commands.record({ label: "x", entities: [], apply: () => {} }),
      () => commands.flush(),
    ]) {
      expect(use).toThrow(CommandError);
      expect(use).toThrow(
        "Cannot use command buffer physics: it was closed. Make another with createCommands().",
      );
    }
    const open = createCommands(world);
    open.spawn();
    world.dispose();
    for (const use of [
      () => open.spawn(),
      () => open.destroy(e),
      () => open.flush(),
      () => flush(world),
      () => createCommands(world),
    ])
      expect(use).toThrow(DisposedWorldError);
    open.discard();
    open.close();
  });
});

describe("a query of another world", () => {
  it("is refused at the flush, and neither world changes", () => {
    const own = createWorld({ onError: () => {} });
    const other = createWorld();
    own.spawn(Position);
    other.spawn(Position);
    for (const record of [
      (commands: ReturnType<typeof createCommands>) => commands.addAll(other.query(Position), Health),
      (commands: ReturnType<typeof createCommands>) => commands.removeAll(other.query(Position), Position),
      (commands: ReturnType<typeof createCommands>) => commands.destroyAll(other.query(Position)),
    ]) {
      const commands = createCommands(own);
      record(commands);
      const { refused } = flush(own);
      expect(refused.map(({ error }) => error)).toEqual([expect.any(QueryError)]);
    }
    for (const world of [own, other]) {
      expect([world.query(Position).count(), world.query(Health).count()]).toEqual([1, 0]);
    }
  });
});
