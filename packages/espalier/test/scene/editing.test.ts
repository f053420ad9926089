import { component, createCommands, createWorld, entityRef, f32, object } from "espalier";
import { constrain, createHierarchy, printTree } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import {
  createSceneFormat,
  instanceOf,
  instancesIn,
  keptOf,
  referencesTo,
  replaceEntity,
  setKept,
  shallowClone,
  unpackInstance,
} from "espalier/scene";
import { createTransforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100) });
const Aim = component("Aim", { at: entityRef(), home: entityRef() });
const Bag = component("Bag", { items: object((): string[] => []) });
const format = createSceneFormat({ components: [Health, Aim, Bag] });

function fresh() {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree };
}

describe("referencesTo", () => {
  it("lists every field that refers to the entity, and none else", () => {
    const { world } = fresh();
    const rock = world.spawn();
    const a = world.spawn(Aim({ at: rock, home: rock }));
    const b = world.spawn(Aim({ at: a }), Health);
    expect(
      referencesTo(world, rock).map(({ entity, component, field }) => [entity, component, field]),
    ).toEqual([
      [a, Aim, "at"],
      [a, Aim, "home"],
    ]);
    expect(referencesTo(world, a).map(({ entity }) => entity)).toEqual([b]);
    world.destroy(rock);
    expect(() => referencesTo(world, rock)).toThrow("was destroyed");
  });
});

describe("shallowClone", () => {
  it("copies components and name, not the children, right behind the original", () => {
    const { world, tree } = fresh();
    const tank = world.spawn(Health({ hp: 40 }), Bag({ items: ["key"] }));
    tree.setName(tank, "tank");
    world.spawn();
    tree.attachNew(tank);
    const copy = shallowClone(tree, tank);
    expect([...tree.roots()].indexOf(copy)).toBe(1);
    expect([tree.nameOf(copy), tree.childCount(copy), world.get(copy, Health)]).toEqual([
      "tank",
      0,
      { hp: 40 },
    ]);
    world.get(copy, Bag)!.items.push("map");
    expect(world.get(tank, Bag)).toEqual({ items: ["key"] });
  });

  it("leads references to itself to the copy and keeps others", () => {
    const { world, tree } = fresh();
    const rock = world.spawn();
    const tank = world.spawn();
    world.add(tank, Aim({ at: rock, home: tank }));
    const copy = shallowClone(tree, tank, { parent: rock, name: "twin" });
    expect(world.get(copy, Aim)).toEqual({ at: rock, home: copy });
    expect([tree.parentOf(copy), tree.nameOf(copy)]).toEqual([rock, "twin"]);
  });

  it("is one step of a history", () => {
    const { world, tree } = fresh();
    const tank = world.spawn(Health);
    const history = createHistory(world);
    history.step("copy", () => shallowClone(tree, tank));
    expect(world.count).toBe(2);
    history.undo();
    expect(world.count).toBe(1);
  });
});

describe("replaceEntity", () => {
  it("takes over parent, position, children and references, and can be undone", () => {
    const { world, tree } = fresh();
    const space = createTransforms2D(tree);
    const parent = world.spawn(space.at(10, 0));
    const before = tree.attachNew(parent);
    const old = tree.attachNew(parent, space.at(5, 5));
    const after = tree.attachNew(parent);
    const child = tree.attachNew(old, space.at(1, 1));
    const fan = world.spawn(Aim({ at: old }));
    const next = world.spawn(space.at(100, 100));
    const shape = printTree(tree);
    const history = createHistory(world);
    history.step("replace", () => replaceEntity(tree, old, next, { keep: "world" }));
    expect(tree.childrenOf(parent)).toEqual([before, next, after]);
    expect(tree.childrenOf(next)).toEqual([child]);
    expect(world.get(fan, Aim)!.at).toBe(next);
    expect(space.worldPosition(next)).toEqual({ x: 100, y: 100 });
    expect(space.worldPosition(child)).toEqual({ x: 16, y: 6 });
    expect(world.isAlive(old)).toBe(false);
    history.undo();
    expect(printTree(tree)).toBe(shape);
    expect(world.get(fan, Aim)!.at).toBe(old);
  });

  it("works with a replacement below the entity, and destroys the children on request", () => {
    const { world, tree } = fresh();
    const old = world.spawn();
    const next = tree.attachNew(old);
    const other = tree.attachNew(old);
    replaceEntity(tree, old, next, { children: false });
    expect([...tree.roots()]).toEqual([next]);
    expect(world.isAlive(other)).toBe(false);
  });

  it("refuses an entity with itself and changes nothing when a rule refuses", () => {
    const { world, tree } = fresh();
    const a = world.spawn();
    expect(() => replaceEntity(tree, a, a)).toThrow("by itself");
    const child = tree.attachNew(a);
    const b = world.spawn();
    constrain(tree, {
      name: "childless",
      attach: (_child, parent) => (parent === b ? "b has no children" : undefined),
    });
    expect(() => replaceEntity(tree, a, b)).toThrow();
    expect(tree.childrenOf(a)).toEqual([child]);
    expect([...tree.roots()]).toEqual([a, b]);
  });

  it("can be recorded on a command buffer", () => {
    const { world, tree } = fresh();
    const [a, b] = [world.spawn(), world.spawn()];
    const commands = createCommands(world);
    commands.record({ label: "replace", entities: [a, b], apply: () => replaceEntity(tree, a, b) });
    commands.flush();
    expect([...tree.roots()]).toEqual([b]);
  });
});

describe("unpackInstance", () => {
  const tank = `{ "entities": [{ "id": "tank", "components": { "Health": { "hp": 5 } }, "children": [{ "id": "turret" }] }] }`;
  const level = `{ "entities": [{ "id": "a", "prefab": "tank" }, { "id": "b", "prefab": "tank" }] }`;

  it("makes plain entities that are saved as such, and undo makes them an instance again", () => {
    const { world, tree } = fresh();
    const scene = format.load(tree, level, { prefabs: { tank } });
    const start = scene.save();
    const history = createHistory(world);
    const a = scene.entity("a");
    history.step("unpack", () => unpackInstance(tree, a));
    expect(instanceOf(tree, a)).toBeUndefined();
    expect(instancesIn(tree).map(({ root }) => root)).toEqual([scene.entity("b")]);
    const [first, second] = scene.toFile().entities;
    expect(first).toEqual({ id: "a", components: { Health: { hp: 5 } } });
    expect(second).toMatchObject({ parent: "a" });
    history.undo();
    expect(scene.save()).toBe(start);
    history.redo();
    expect(instanceOf(tree, a)).toBeUndefined();
  });

  it("keeps a copy plain, and a reload of the file makes an instance of it again", () => {
    const { tree } = fresh();
    const scene = format.load(tree, level, { prefabs: { tank } });
    const a = scene.entity("a");
    unpackInstance(tree, a);
    expect(instanceOf(tree, format.clone(tree, a))).toBeUndefined();
    scene.reload(level, { mode: "reset" });
    expect(instanceOf(tree, a)?.prefab).toBe("tank");
  });

  it("refuses what is not the root of an instance", () => {
    const { world, tree } = fresh();
    const scene = format.load(tree, level, { prefabs: { tank } });
    expect(() => unpackInstance(tree, scene.entity("a/turret"))).toThrow("not the root of an instance");
    expect(() => unpackInstance(tree, world.spawn())).toThrow("Ask instanceOf()");
  });
});

describe("keptOf", () => {
  it("shows what loading kept, and nothing for others", () => {
    const { tree } = fresh();
    const text = `{ "entities": [{ "id": "a", "components": { "Fuel": { "left": 3 } } }, { "id": "b" }] }`;
    const scene = format.load(tree, text, { unknown: "keep" });
    expect(keptOf(tree, scene.entity("a")).components).toEqual({ Fuel: { left: 3 } });
    expect(keptOf(tree, scene.entity("b"))).toEqual({ components: {}, keys: {}, references: {} });
  });
});

describe("setKept", () => {
  it("brings what was kept to another world, where it is saved and undone like other changes", () => {
    const text = `{ "entities": [{ "id": "a", "later": [1], "components": { "Fuel": { "left": 3 }, "Aim": { "at": "gone" } } }] }`;
    const from = fresh();
    const there = format.load(from.tree, text, { unknown: "keep", lenient: true });
    const kept = keptOf(from.tree, there.entity("a"));
    const after = there.save();

    const { tree, world } = fresh();
    const scene = format.load(tree, `{ "entities": [{ "id": "a", "components": { "Aim": {} } }] }`);
    const [a, before] = [scene.entity("a"), scene.save()];
    const history = createHistory(world);
    history.step("keep", () => setKept(tree, a, kept));
    expect(scene.save()).toBe(after);
    (kept.keys.later as number[]).push(2);
    expect(keptOf(tree, a).keys).toEqual({ later: [1] });
    history.undo();
    expect(scene.save()).toBe(before);
    history.redo();
    expect(scene.save()).toBe(after);
    setKept(tree, a, {});
    expect(scene.save()).toBe(before);
  });

  it("refuses what is not of that form", () => {
    const { tree } = fresh();
    const a = tree.attachNew(null);
    for (const wrong of [null, [], { Fuel: {} }, { keys: 1 }, { references: { Aim: "gone" } }])
      expect(() => setKept(tree, a, wrong as never)).toThrow("it takes { components, keys, references }");
    expect(keptOf(tree, a)).toEqual({ components: {}, keys: {}, references: {} });
  });

  it("refuses what a file cannot hold, and leaves out what has no value", () => {
    const { tree } = fresh();
    const a = tree.attachNew(null);
    const itself: { self?: object } = {};
    itself.self = itself;
    for (const wrong of [itself, { run: () => 1 }, { big: 1n }, { when: new Date(0) }, { none: Number.NaN }])
      expect(() => setKept(tree, a, { components: { Fuel: wrong as never } })).toThrow(
        expect.objectContaining({ code: "scene/invalid-use" }),
      );
    expect(keptOf(tree, a).components).toEqual({});
    setKept(tree, a, { components: { Fuel: { left: undefined, right: 1 } as never } });
    expect(keptOf(tree, a).components).toEqual({ Fuel: { right: 1 } });
  });
});

describe("ids and undo", () => {
  it("an entity restored by undo has its id again, even when another reused its index and was saved", () => {
    const { world, tree } = fresh();
    const scene = format.load(tree, `{ "entities": [{ "id": "tank" }, { "id": "rock" }] }`);
    const start = scene.save();
    const history = createHistory(world);
    history.step("delete", () => tree.destroy(scene.entity("tank")));
    history.step("create", () => scene.add(world.spawn()));
    scene.save();
    history.undo();
    history.undo();
    expect(scene.idOf(scene.entity("tank"))).toBe("tank");
    expect(scene.save()).toBe(start);
  });
});
