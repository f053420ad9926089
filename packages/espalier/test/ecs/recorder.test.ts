import {
  addRaw,
  check,
  component,
  createWorld,
  destroyAlone,
  type Entity,
  exactOf,
  f32,
  object,
  type Recorder,
  removeRaw,
  resource,
  reviveRaw,
  type Store,
  string,
  tag,
  type World,
  writeRaw,
} from "espalier";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string() });
const Bag = component("Bag", { items: object((): string[] => []) }, { storage: "sparse" });
const Frozen = tag("Frozen");

/** Writes down what it hears. */
function listener(said: string[]): Recorder {
  return {
    spawned: (entity, _index, again) => said.push(`spawned ${entity}${again ? " again" : ""}`),
    destroying: (entity) => said.push(`destroying ${entity}`),
    destroyed: (entity, _index, _archetype, takenBack) =>
      said.push(`destroyed ${entity}${takenBack ? " (taken back)" : ""}`),
    added: (entity, _index, { component: { name } }, row) =>
      said.push(`added ${name} to ${entity} from row ${row}`),
    removing: (entity, _index, { component: { name } }) => said.push(`removing ${name} of ${entity}`),
    writing: (entity, _index, store, field) => said.push(`writing ${store.names[field]} of ${entity}`),
    touched: (entity, _index, { component: { name } }) => said.push(`touched ${name} of ${entity}`),
    changed: (_owner, entity, a, b) => said.push(`changed ${entity} ${a} ${b}`),
  };
}

describe("a recorder", () => {
  it("hears of every change once, with where it happened", () => {
    const world = createWorld();
    const [first, second] = [world.spawn(Position), world.spawn(Position)];
    const said: string[] = [];
    world.recorder = listener(said);
    world.add(second, Frozen);
    world.set(first, Position, { x: 1, y: 0 });
    world.touch(first, Position, Frozen);
    world.remove(second, Position);
    world.destroy(first);
    world.unspawn(world.spawn());
    world.recorder = undefined;
    world.spawn();
    expect(said).toEqual([
      "added Frozen to 2 from row 1",
      "writing x of 1",
      "touched Position of 1",
      "removing Position of 2",
      "destroyed 1",
      "spawned 4194305",
      "destroyed 4194305 (taken back)",
    ]);
  });

  it("hears that an entity goes after its extensions let go of it", () => {
    const world = createWorld();
    const said: string[] = [];
    world.extend({
      name: "probe",
      recording: (index, recorder) => recorder.changed({ reverse() {} }, index as Entity, 1, 2),
      leaving: () => said.push("leaving"),
    });
    world.destroy(world.spawn());
    world.recorder = listener(said);
    world.destroy(world.spawn());
    expect(said.slice(2)).toEqual(["changed 1 1 2", "leaving", "destroyed 4194305"]);
  });

  it("hears of resources, and can put the former value back", () => {
    const world = createWorld();
    const Score = resource<number>("Score");
    const undo: (() => void)[] = [];
    world.recorder = {
      ...listener([]),
      changed: (owner, entity, a, b, extra) => undo.push(() => owner.reverse(entity, a, b, extra)),
    };
    world.setResource(Score, 1);
    world.setResource(Score, 2);
    const [first, second] = undo;
    second?.();
    expect(world.resource(Score)).toBe(1);
    first?.();
    expect(world.hasResource(Score)).toBe(false);
    expect(undo).toHaveLength(4);
  });
});

describe("raw changes", () => {
  const valuesIn = (world: World) => (numbers: number[], references: unknown[]) => ({
    load(store: Store, row: number) {
      exactOf(world, store).load(row, Float64Array.from(numbers), 0);
      exactOf(world, store).loadReferences(row, references, 0);
    },
  });

  it.each([true, false])(
    "put entities and components back where they were (generated code: %s)",
    (generate) => {
      const world = createWorld({ generate });
      const values = valuesIn(world);
      const [a, b, c] = [world.spawn(Bag), world.spawn(Bag), world.spawn(Bag)] as [Entity, Entity, Entity];
      const query = world.query(Bag);
      const archetype = world.archetypeAt(1)!;
      world.guard(Bag, () => {
        throw new Error("undo asks nobody");
      });
      world.destroy(a);
      expect(query.ids()).toEqual([c, b]);
      reviveRaw(world, a, archetype, 0, values([], [["sword"]]), true);
      expect(query.ids()).toEqual([a, b, c]);
      expect(world.get(a, Bag)).toEqual({ items: ["sword"] });

      world.remove(b, Bag);
      addRaw(world, b, world.store(Bag), 1, values([], [["axe"]]));
      expect(query.ids()).toEqual([a, b, c]);
      expect(world.get(b, Bag)).toEqual({ items: ["axe"] });
      addRaw(world, b, world.store(Bag), 1, values([], [["bow"]]));
      expect(world.get(b, Bag)).toEqual({ items: ["bow"] });

      world.add(a, Position({ x: 1, y: 2 }));
      writeRaw(world, a, world.store(Position), 1, 5);
      expect(world.get(a, Position)).toEqual({ x: 1, y: 5 });
      removeRaw(world, a, world.store(Position), 0);
      expect(query.ids()).toEqual([a, b, c]);
      destroyAlone(world, c);
      expect(query.ids()).toEqual([a, b]);
      expect(check(world)).toEqual([]);
    },
  );

  it.each([true, false])("copy values as the columns hold them (generated code: %s)", (generate) => {
    const world = createWorld({ generate });
    const store = world.store(Label);
    const e = world.spawn(Label({ text: "tank" }), Position({ x: 1.5, y: -0 }));
    const numbers = new Float64Array(4);
    const list: unknown[] = [];
    exactOf(world, world.store(Position)).save(e, numbers, 1);
    exactOf(world, store).saveReferences(e, list, 0);
    expect([...numbers]).toEqual([0, 1.5, -0, 0]);
    expect(list).toEqual(["tank"]);
  });
});

describe("places", () => {
  it("are given out again in the order they would have been without the spawns taken back", () => {
    const world = createWorld();
    const kept = world.spawn();
    const spawned = [world.spawn(), world.spawn(), world.spawn()];
    for (const entity of [...spawned].reverse()) world.unspawn(entity);
    expect(world.table.used).toBe(1);
    expect([world.spawn(), world.spawn(), world.spawn(), world.spawn()]).toEqual([...spawned, kept + 4]);
  });

  it("freed during an iteration are on top afterwards, last one first", () => {
    const world = createWorld();
    const [a, b, c] = world.spawnMany(3, Frozen) as [Entity, Entity, Entity];
    world.query(Frozen).each((entity) => void world.destroy(entity));
    expect(world.table.freePlaces()).toEqual([c, b, a]);
    expect(check(world)).toEqual([]);
  });
});
