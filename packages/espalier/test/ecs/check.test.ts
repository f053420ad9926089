import {
  any,
  bool,
  changesOf,
  checkWorld,
  component,
  createCommands,
  createWorld,
  DisposedWorldError,
  entityRef,
  type Finding,
  f32,
  i8,
  not,
  object,
  observe,
  observeEntities,
  registerCheck,
  string,
  tag,
} from "espalier";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string("?") });
const Bag = component("Bag", { items: object((): string[] => []) }, { storage: "sparse" });
const Flags = component("Flags", { on: bool(), target: entityRef() });
const Rare = component("Rare", { n: i8() }, { storage: "sparse" });
const Frozen = tag("Frozen");

/** #1 Position, #2 Position Frozen, #3 Label Bag Rare, #4 Flags, #5v1 reserved, index 6 free. */
function populated() {
  const world = createWorld({ capacity: 15 });
  world.query(Position, not(Frozen));
  world.query(any(Label, Frozen));
  world.spawn(Position);
  world.spawn(Position, Frozen);
  world.spawn(Label, Bag, Rare);
  world.spawn(Flags);
  world.destroy(world.spawn());
  createCommands(world, { name: "later" }).spawn();
  world.destroy(world.spawn());
  return world;
}

describe("check", () => {
  it("finds nothing wrong with a healthy world", () => {
    expect(checkWorld(createWorld())).toEqual([]);
    expect(checkWorld(populated())).toEqual([]);
  });

  it("finds nothing wrong inside iterations, observers and flushes", () => {
    const world = populated();
    const found: Finding[][] = [];
    const look = () => void found.push(checkWorld(world));
    observe(world, Position, { add: look, remove: look, set: look });
    observeEntities(world, { spawn: look, destroy: look });
    changesOf(world, Position);
    const query = world.query(Position);
    query.each((entity) => {
      world.add(entity, Label);
      world.spawn(Position);
      look();
      world.destroy(entity);
      look();
    });
    query.update((position) => {
      position.x++;
      look();
    });
    const commands = createCommands(world);
    query.run(() => {
      for (let k = 0; k < 20; k++) commands.spawn(Position);
      look();
    });
    commands.flush();
    look();
    expect(found.length).toBeGreaterThan(20);
    expect(found.flat()).toEqual([]);
  });

  it("refuses a disposed world", () => {
    const world = createWorld();
    world.dispose();
    expect(() => checkWorld(world)).toThrow(DisposedWorldError);
  });

  it("runs the checks of rooms that extend the world", () => {
    const world = createWorld();
    const entity = world.spawn();
    const end = registerCheck(world, {
      name: "tree",
      check: () => [{ code: "tree/ring", entity, message: "#1 is its own parent." }],
    });
    expect(checkWorld(world)).toEqual([
      { code: "tree/ring", entity: 1, message: "tree: #1 is its own parent." },
    ]);
    end();
    expect(checkWorld(world)).toEqual([]);
  });

  it("names a check that throws, and runs the others", () => {
    const world = createWorld();
    registerCheck(world, {
      name: "broken",
      check: () => {
        throw new Error("no luck");
      },
    });
    registerCheck(world, { name: "other", check: () => [{ code: "other/fault", message: "it is wrong" }] });
    expect(checkWorld(world)).toEqual([
      { code: "ecs/failed-check", message: "broken: the check itself threw: no luck" },
      { code: "other/fault", message: "other: it is wrong" },
    ]);
  });
});
