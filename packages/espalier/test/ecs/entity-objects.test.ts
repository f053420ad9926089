import {
  addTarget,
  component,
  createCommands,
  createWorld,
  type Entity,
  entityRefs,
  ForeignEntityError,
  f32,
  formatEntity,
  handleOf,
  InvalidEntityError,
  indexedRef,
  pairOf,
  referrersOf,
  refersTo,
  relationCommands,
  removeTarget,
  setPair,
  setTarget,
  tag,
  targetsOf,
} from "espalier";
import { describe, expect, it } from "vitest";
import { refused, strictWorld } from "../testing.ts";

const Health = component("Health", { hp: f32(100) });
const Player = tag("Player");
const Aim = component("Aim", {
  at: indexedRef(),
  all: entityRefs({ data: { weight: f32(1) } }),
});

const holder = (id: Entity, world?: object) => (world === undefined ? { id } : { id, world });

describe("objects instead of handles", () => {
  it("are taken by all calls of relations", () => {
    const world = strictWorld();
    const [a, b] = world.spawnMany(2, Aim) as [Entity, Entity];
    const [objectA, objectB] = [holder(a, world), holder(b)];
    setTarget(world, objectA, Aim, "at", objectB);
    addTarget(world, objectA, Aim, "all", objectB);
    setPair(world, objectA, Aim, "all", objectB, { weight: 3 });
    expect(referrersOf(world, objectB, Aim, "at")).toEqual([a]);
    expect(targetsOf(world, objectA, Aim, "all")).toEqual([b]);
    expect(pairOf(world, objectA, Aim, "all", objectB)).toEqual({ target: b, weight: 3 });
    expect(world.query(refersTo(Aim, "at", objectB)).ids()).toEqual([a]);
    expect(removeTarget(world, objectA, Aim, "all", objectB)).toBe(true);
    const commands = createCommands(world);
    const later = relationCommands(world, commands);
    later.addTarget(objectA, Aim, "all", objectB);
    later.setTarget(objectA, Aim, "at", null);
    commands.flush();
    expect(world.get(a, Aim)).toEqual({ at: null, all: [{ target: b, weight: 1 }] });
  });

  it("are refused by calls of relations of another world", () => {
    const [world, elsewhere] = [strictWorld(), createWorld()];
    const [a, b] = world.spawnMany(2, Aim) as [Entity, Entity];
    const stranger = holder(b, elsewhere);
    for (const change of [
      () => setTarget(world, a, Aim, "at", stranger),
      () => setTarget(world, stranger, Aim, "at", a),
      () => addTarget(world, a, Aim, "all", stranger),
      () => world.query(refersTo(Aim, "at", stranger)).ids(),
      () => relationCommands(world, createCommands(world)).addTarget(a, Aim, "all", stranger),
    ])
      expect(refused(world, change)).toBeInstanceOf(ForeignEntityError);
  });

  it("are refused like anything that is not an entity when their id is not a handle", () => {
    const world = strictWorld();
    for (const bad of [{ id: "tank" }, { id: 0 }, { id: 0.5 }, { id: null }, {}, [], () => 1])
      expect(refused(world, () => world.add(bad as never, Health))).toBeInstanceOf(InvalidEntityError);
  });

  it("are refused as values, with what to give instead", () => {
    const world = strictWorld();
    const [a, b] = world.spawnMany(2, Aim) as [Entity, Entity];
    const values = [{ at: holder(b) }, { all: [holder(b)] }, { all: [{ target: holder(b), weight: 2 }] }];
    for (const value of values) {
      expect(refused(world, () => world.set(a, Aim, value as never))).toMatchObject({
        message: expect.stringContaining("give its id"),
      });
    }
  });

  it("that are dead are refused as their handles are", () => {
    const world = strictWorld();
    const tank = world.spawn(Health);
    world.destroy(holder(tank, world));
    expect(refused(world, () => world.get(holder(tank, world), Health)).message).toContain(
      "#1 was destroyed",
    );
    expect(world.isAlive(holder(tank))).toBe(false);
    expect(world.destroy(holder(tank))).toBe(false);
  });

  it("of another world do not live here and match no query", () => {
    const [world, elsewhere] = [strictWorld(), createWorld()];
    const tank = world.spawn(Health);
    expect(world.isAlive(holder(tank, elsewhere))).toBe(false);
    expect(world.query(Health).includes(holder(tank, elsewhere))).toBe(false);
    expect(world.query(Health).includes(holder(tank, world))).toBe(true);
  });

  it("may have a property world that is not a world", () => {
    const world = strictWorld();
    const tank = world.spawn(Health);
    expect(world.has(holder(tank, { name: "overworld" }), Health)).toBe(true);
  });

  it("are recorded by commands as the handle they had", () => {
    const world = strictWorld();
    const [first, second] = world.spawnMany(2) as [Entity, Entity];
    const commands = createCommands(world);
    const moving = { id: first };
    commands.add(moving, Health);
    moving.id = second;
    commands.flush();
    expect([world.has(first, Health), world.has(second, Health)]).toEqual([true, false]);
  });

  it("are handles in commands of other rooms", () => {
    const world = strictWorld();
    const tank = world.spawn();
    const commands = createCommands(world);
    const got: unknown[] = [];
    const apply = (_: unknown, entities: readonly Entity[]) => void got.push(...entities);
    commands.record({ label: "look at", entities: [holder(tank, world), tank], apply });
    commands.flush();
    expect(got).toEqual([tank, tank]);
    commands.record({ label: "look at", entities: [holder(tank, world)], apply });
    world.destroy(tank);
    expect(commands.flush().skipped.map(({ entity }) => entity)).toEqual([tank]);
  });

  it("are refused by another world whatever their toString returns", () => {
    const [world, elsewhere] = [strictWorld(), createWorld()];
    const tank = world.spawn();
    const plain = holder(tank, elsewhere);
    const bare = Object.assign(Object.create(null), plain);
    const silent = { ...plain, toString: () => Symbol("none") as never };
    for (const object of [plain, bare, silent])
      expect(refused(world, () => world.add(object, Health)).message).toContain("Cannot use #1 here");
  });

  it("become handles in errors and by handleOf", () => {
    const [world, elsewhere] = [strictWorld(), createWorld()];
    const tank = world.spawn();
    expect(handleOf(world, holder(tank))).toBe(tank);
    expect(handleOf(world, null)).toBe(null);
    const error = refused(world, () => handleOf(world, holder(tank, elsewhere)));
    expect([error.name, (error as ForeignEntityError).entities]).toEqual(["ForeignEntityError", [tank]]);
    expect(formatEntity(tank)).toBe("#1");
  });
});

describe("world.find", () => {
  it("gives the first match, or null", () => {
    const world = strictWorld();
    expect(world.find(Player)).toBe(null);
    world.spawn(Health);
    const knight = world.spawn(Player, Health);
    expect(world.find(Player, Health)).toBe(knight);
    world.destroy(knight);
    expect(world.find(Player)).toBe(null);
  });
});
