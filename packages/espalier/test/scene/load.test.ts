import { describe, expect, it } from "vitest";
import { createFormat, emptyTree, expectSound, shape, valuesIn } from "./scenes.ts";

const format = createFormat();

describe("loading", () => {
  it("accepts the nested form", () => {
    const scene = format.load(
      emptyTree(),
      `{
        "entities": [
          { "id": "tank", "name": "Tank", "components": { "Position": { "x": 100, "y": 50 } },
            "children": [
              { "id": "turret", "components": { "Position": { "y": 20 } }, "children": [{ "id": "barrel" }] },
              { "id": "hatch" }
            ] },
          { "id": "rock" }
        ]
      }`,
    );
    expect(shape(scene)).toBe("tank(turret(barrel) hatch) rock");
    expect(valuesIn(scene, "tank")).toEqual({ Position: { x: 100, y: 50 } });
    expect(valuesIn(scene, "turret")).toEqual({ Position: { x: 0, y: 20 } });
    expect(scene.tree.nameOf(scene.entity("tank"))).toBe("Tank");
    expect(scene.tree.nameOf(scene.entity("rock"))).toBeUndefined();
    expectSound(scene.tree);
  });

  it("accepts the flat form in any order, with forward references", () => {
    const scene = format.load(
      emptyTree(),
      `{
        "version": 1,
        "entities": [
          { "id": "barrel", "parent": "turret" },
          { "id": "rock" },
          { "id": "turret", "parent": "tank" },
          { "id": "hatch", "parent": "tank", "components": { "Aim": { "at": "rock", "from": "tank" } } },
          { "id": "tank" }
        ]
      }`,
    );
    expect(shape(scene)).toBe("rock tank(turret(barrel) hatch)");
    expect(valuesIn(scene, "hatch")).toEqual({
      Aim: { at: scene.entity("rock"), from: scene.entity("tank") },
    });
    expectSound(scene.tree);
  });

  it("accepts both forms in one file, siblings in the order of the text", () => {
    const scene = format.load(
      emptyTree(),
      `{
        "entities": [
          { "id": "early", "parent": "tank" },
          { "id": "tank", "children": [{ "id": "a" }, { "id": "b", "children": [{ "id": "c" }] }] },
          { "id": "late", "parent": "tank", "children": [{ "id": "d" }] },
          { "id": "e", "parent": "b" }
        ]
      }`,
    );
    expect(shape(scene)).toBe("tank(early a b(c e) late(d))");
  });

  it("accepts comments, trailing commas and a byte order mark", () => {
    const scene = format.load(
      emptyTree(),
      `\uFEFF// The first level.
      {
        "$schema": "./scene.schema.json", /* for editors */
        "entities": [
          { "id": "tank", },
          // { "id": "gone" },
          { "id": "rock", "components": { "Label": { "text": "// not /* a */ comment", }, }, },
        ],
      }`,
    );
    expect(shape(scene)).toBe("tank rock");
    expect(valuesIn(scene, "rock")).toEqual({ Label: { text: "// not /* a */ comment" } });
  });

  it("accepts a scene written in TypeScript and shares nothing with it", () => {
    const items = [{ name: "key" }];
    const scene = format.load(emptyTree(), {
      entities: [
        { id: "tank", children: [{ id: "turret" }] },
        { id: "bag", components: { Bag: { items } } },
      ],
    });
    expect(shape(scene)).toBe("tank(turret) bag");
    const loaded = (valuesIn(scene, "bag") as { Bag: { items: unknown } }).Bag.items;
    expect(loaded).toEqual(items);
    (items[0] as { name: string }).name = "changed";
    expect(loaded).toEqual([{ name: "key" }]);
  });

  it("puts the roots under a parent", () => {
    const tree = emptyTree();
    const level = tree.world.spawn();
    const scene = format.load(
      tree,
      `{ "entities": [{ "id": "a" }, { "id": "b", "parent": "a" }, { "id": "c" }] }`,
      {
        parent: level,
      },
    );
    expect(tree.childrenOf(level)).toEqual([scene.entity("a"), scene.entity("c")]);
    expect(scene.roots()).toEqual([scene.entity("a"), scene.entity("c")]);
    expect(shape(scene)).toBe("a(b) c");
  });

  it("gives anonymous entities readable, unused ids", () => {
    const scene = format.load(
      emptyTree(),
      `{ "entities": [{}, { "name": "big turret" }, { "name": "big turret" }, { "id": "entity-2" }, {}] }`,
    );
    expect(shape(scene)).toBe("entity-1 big-turret big-turret-2 entity-2 entity-3");
  });

  it("reads every kind of value", () => {
    const scene = format.load(
      emptyTree(),
      `{ "entities": [{ "id": "a", "components": {
        "Health": { "hp": 0.1, "armored": true, "lives": 65535, "mood": -128 },
        "Position": { "x": "Infinity", "y": "-Infinity" },
        "Label": { "text": "\\u00e4\\n\\"" },
        "Aim": { "at": null },
        "Bag": { "items": [1, [2], { "three": null }], "owner": { "name": "x" } },
        "Frozen": {}
      } }] }`,
    );
    expect(valuesIn(scene, "a")).toEqual({
      Health: { hp: Math.fround(0.1), armored: true, lives: 65535, mood: -128 },
      Position: { x: Number.POSITIVE_INFINITY, y: Number.NEGATIVE_INFINITY },
      Label: { text: 'ä\n"' },
      Aim: { at: null, from: null },
      Bag: { items: [1, [2], { three: null }], owner: { name: "x" } },
      Frozen: {},
    });
  });

  it("emits one event per link, as editing by hand would", () => {
    const tree = emptyTree();
    const reader = tree.events.reader();
    format.load(tree, `{ "entities": [{ "id": "a", "children": [{ "id": "b" }, { "id": "c" }] }] }`);
    expect(reader.read().map((event) => event.type)).toEqual(["added", "added"]);
  });

  it("loads the same file twice into one world, each with ids of its own", () => {
    const tree = emptyTree();
    const text = `{ "entities": [{ "id": "a", "children": [{ "id": "b" }] }] }`;
    const first = format.load(tree, text);
    const second = format.load(tree, text);
    expect(first.entity("b")).not.toBe(second.entity("b"));
    expect(first.idOf(second.entity("b"))).toBeUndefined();
    expect(tree.childrenOf(second.entity("a"))).toEqual([second.entity("b")]);
    first.destroy();
    expect(first.find("b")).toBeUndefined();
    expect(shape(second)).toBe("a(b)");
  });

  it("puts children into the order that the file gives", () => {
    const scene = format.load(
      emptyTree(),
      `{ "entities": [
        { "id": "a", "order": ["d", "b"], "children": [{ "id": "b" }, { "id": "c" }, { "id": "d" }] },
        { "id": "e" }
      ], "order": ["e", "a"] }`,
    );
    expect(shape(scene)).toBe("e a(d b c)");
  });
});

describe("a scene", () => {
  it("finds entities by id, and suggests ids when there is none", () => {
    const scene = format.load(emptyTree(), `{ "entities": [{ "id": "tank" }, { "id": "rock" }] }`);
    expect(scene.find("tanks")).toBeUndefined();
    expect(() => scene.entity("tanks")).toThrow(
      `Cannot find entity "tanks": it is not in the scene, or was destroyed. Did you mean "tank"? [scene/unknown-id]`,
    );
    expect(() => scene.entity("submarine")).toThrow("The ids are tank, rock.");
    scene.tree.destroy(scene.entity("rock"));
    expect(scene.find("rock")).toBeUndefined();
  });

  it("accepts further entities", () => {
    const scene = format.createScene(emptyTree());
    const { world } = scene.tree;
    const [a, b, c] = [world.spawn(), world.spawn(), world.spawn()];
    scene.tree.setName(b, "rock");
    expect(scene.add(a, "first")).toBe("first");
    expect(scene.add(b)).toBe("rock");
    expect(scene.add(c)).toBe("entity-1");
    expect(scene.add(c)).toBe("entity-1");
    expect(shape(scene)).toBe("first rock entity-1");
    expect(() => scene.add(c, "first")).toThrow(
      `Cannot give #3 the id "first": #1 has it. Choose another, or leave it out. [scene/invalid-use]`,
    );
    expect(() => scene.add(c, "a/b")).toThrow(
      `Cannot give #3 the id "a/b": an id is a string that is not empty`,
    );
  });

  it("has as roots what has no parent in it, however it was moved", () => {
    const tree = emptyTree();
    const scene = format.load(
      tree,
      `{ "entities": [{ "id": "a", "children": [{ "id": "b", "children": [{ "id": "c" }] }] }, { "id": "d" }] }`,
    );
    const between = tree.attachNew(scene.entity("a"));
    tree.attach(scene.entity("c"), between);
    tree.attach(scene.entity("b"), null, { at: "first" });
    const outside = tree.world.spawn();
    tree.attach(scene.entity("d"), outside);
    expect(scene.roots()).toEqual([scene.entity("b"), scene.entity("a"), scene.entity("d")]);
  });
});
