import {
  addAll,
  bundle,
  type Component,
  checkWorld,
  component,
  createCommands,
  type Entity,
  f32,
  object,
  type Schema,
  tag,
} from "espalier";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import { clone, createSceneFormat } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../random.ts";
import { refused, strictWorld, valuesOf } from "../../testing.ts";

const Point = component("Point", { x: f32(), y: f32() });
const Mass = component("Mass", { kg: f32(1) }, { requires: [Point] });
const Velocity = component("Velocity", { x: f32() }, { requires: [Mass({ kg: 2 })] });
const Health = component("Health", { hp: f32(100) });
const Log = component("Log", { lines: object((): string[] => []) });
const Solid = tag("Solid", { requires: [Log] });
const Vehicle = bundle("Vehicle", Point({ x: 1 }), Health({ hp: 250 }));
const Tank = bundle("Tank", Vehicle, Velocity);

const moving = { Point: { x: 0, y: 0 }, Mass: { kg: 2 }, Velocity: { x: 0 } };

describe("a component that requires others", () => {
  it("adds missing components, with their values, through every call that creates or adds", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const commands = createCommands(world);
    const added = world.spawn();
    world.add(added, Velocity);
    const later = commands.spawn(Velocity);
    const addedLater = commands.spawn();
    commands.add(addedLater, Velocity);
    commands.flush();
    const all = world.spawn(Health);
    addAll(world.query(Health), Velocity);
    world.remove(all, Health);
    const made: Entity[] = [
      world.spawn(Velocity),
      ...world.spawnMany(2, Velocity),
      added,
      later,
      addedLater,
      all,
      tree.attachNew(null, Velocity),
      spawnTree(tree, { name: "a", with: [Velocity] }).root,
    ];
    for (const entity of made) expect(valuesOf(world, entity)).toEqual(moving);
    expect(checkWorld(world)).toEqual([]);
  });

  it("leaves what is given and what exists", () => {
    const world = strictWorld();
    const given = world.spawn(Velocity, Mass({ kg: 9 }));
    expect(world.get(given, Mass)).toEqual({ kg: 9 });
    const there = world.spawn(Point({ x: 5 }));
    world.add(there, Velocity);
    expect(valuesOf(world, there)).toEqual({ ...moving, Point: { x: 5, y: 0 } });
    world.remove(there, Point);
    expect(world.has(there, Point)).toBe(false);
  });

  it("makes an object of its own for each entity", () => {
    const world = strictWorld();
    const [a, b] = world.spawnMany(2, Solid) as [Entity, Entity];
    expect(world.get(a, Log)?.lines).not.toBe(world.get(b, Log)?.lines);
  });

  it("is undone and restored together with what it brought", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const history = createHistory(world);
    const e = tree.attachNew(null);
    history.commit();
    const before = takeSnapshot(world, { trees: [tree] });
    history.step("add", () => world.add(e, Velocity));
    history.undo();
    expect(valuesOf(world, e)).toEqual({});
    history.redo();
    expect(valuesOf(world, e)).toEqual(moving);
    expect(valuesOf(world, clone(tree, e))).toEqual(moving);
    restoreSnapshot(world, before, { trees: [tree] });
    expect(valuesOf(world, e)).toEqual({});
  });

  it("is completed when a scene file has it alone", () => {
    const tree = createHierarchy(strictWorld());
    const format = createSceneFormat({ components: [Point, Mass, Velocity] });
    const scene = format.load(
      tree,
      `{ "entities": [{ "id": "a", "components": { "Velocity": { "x": 4 } } }] }`,
    );
    expect(tree.world.get(scene.entity("a"), Mass)).toEqual({ kg: 2 });
    expect(JSON.parse(scene.save()).entities[0].components).toMatchObject({ Mass: { kg: 2 }, Point: {} });
  });

  it("is refused when it requires itself in a cycle, and nothing has changed", () => {
    const world = strictWorld();
    const parts: Component<Schema>[] = [];
    const A = component("A", {}, { requires: () => [parts[0] as Component<Schema>] });
    const B = component("B", {}, { requires: [A] });
    parts.push(B);
    expect(refused(world, () => world.spawn(A))).toMatchObject({
      code: "ecs/invalid-schema",
      value: ["A", "B", "A"],
    });
    expect(() => component("C", {}, { requires: 3 as never })).toThrow("[ecs/invalid-schema]");
    // A component is a function too, and so is a bundle.
    for (const alone of [A, bundle("Alone", A)]) {
      expect(() => component("C", {}, { requires: alone as never })).toThrow(
        /requires is (function A|bundle Alone)\. Give an array of components, or a function that returns one\./,
      );
    }
    const D = component("D", {}, { requires: () => [3 as never] });
    expect(refused(world, () => world.spawn(D))).toMatchObject({ code: "ecs/invalid-schema" });
  });
});

describe("a bundle", () => {
  it("is created and added as one, nested, with other values by component and by name", () => {
    const world = strictWorld();
    const tree = createHierarchy(world);
    const commands = createCommands(world);
    const whole = { ...moving, Point: { x: 1, y: 0 }, Health: { hp: 250 } };
    const added = world.spawn();
    world.add(added, Tank);
    const later = commands.spawn(Tank);
    commands.flush();
    for (const entity of [
      world.spawn(Tank),
      ...world.spawnMany(2, Tank),
      tree.attachNew(null, Tank),
      spawnTree(tree, { name: "a", with: [Tank] }).root,
      added,
      later,
    ]) {
      expect(valuesOf(world, entity)).toEqual(whole);
    }
    expect(world.get(world.spawn(Tank(Health({ hp: 10 }))), Health)).toEqual({ hp: 10 });
    expect(world.get(world.spawn(Tank({ Health: { hp: 11 }, Point: { y: 2 } })), Point)).toEqual({
      x: 1,
      y: 2,
    });
    const Heavy = bundle("Heavy", Tank(Health({ hp: 900 })), Solid);
    expect(world.get(world.spawn(Heavy), Health)).toEqual({ hp: 900 });
    expect(Heavy.parts.map(({ component }) => component.name)).toEqual([
      "Point",
      "Health",
      "Velocity",
      "Solid",
    ]);
  });

  it("refuses a component twice, what is not a component, and values of what it lacks", () => {
    const world = strictWorld();
    expect(() => bundle("Twice", Health, Vehicle)).toThrow(
      "Cannot define bundle Twice: it has Health twice. Give each component once, with all its values.",
    );
    expect(() => bundle("", Health)).toThrow("[ecs/invalid-schema]");
    expect(() => world.query(Tank as never)).toThrow("bundle Tank is not a term");
    expect(() => world.remove(world.spawn(Tank), Tank as never)).toThrow(
      "Expected a component, got bundle Tank.",
    );
    expect(() => bundle("Odd", 3 as never)).toThrow("[ecs/invalid-schema]");
    expect(() => Tank(Solid())).toThrow("it is not a part of it; it has Point, Health, Velocity.");
    expect(() => Tank({ Helth: { hp: 1 } })).toThrow("[ecs/invalid-value]");
    expect(() => Tank({ Health: 3 as never })).toThrow("[ecs/invalid-value]");
    expect(refused(world, () => world.spawn(Tank({ Health: { hp: "no" } })))).toMatchObject({
      code: "ecs/invalid-value",
    });
    expect(refused(world, () => world.spawn(Tank, Health))).toMatchObject({ code: "ecs/invalid-value" });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "has the same effect as adding its parts one by one (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const pool = [Point, Mass, Velocity, Health, Log, Solid] as unknown as Component<Schema>[];
      const world = strictWorld();
      for (let round = 0; round < 60; round++) {
        const own = pool.filter(() => random() < 0.4);
        const there = pool.filter(() => random() < 0.3);
        const entity = world.spawn(...there);
        const twin = world.spawn(...there);
        world.add(entity, bundle("Random", ...own));
        // The naive way: what is required is added first, if it is missing.
        const needs = (it: Component<Schema>) => {
          for (const part of (it.requires ?? []) as readonly {
            component?: Component<Schema>;
            values?: object;
          }[]) {
            const other = part.component ?? (part as unknown as Component<Schema>);
            if (own.includes(other) || world.has(twin, other)) continue;
            world.add(twin, other(part.values as never));
            needs(other);
          }
        };
        for (const it of own) needs(it);
        for (const it of own) world.add(twin, it);
        expect(valuesOf(world, entity)).toEqual(valuesOf(world, twin));
      }
      expect(checkWorld(world)).toEqual([]);
    },
  );
});
