import { component, f32, object, Transient, tag } from "espalier";
import { attachNewAt } from "espalier/hierarchy";
import { createSceneFormat, printScene } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Aim,
  Bag,
  components,
  createFormat,
  emptyTree,
  expectSound,
  Frozen,
  Health,
  Label,
  Position,
  problemsOf,
  shape,
} from "./scenes.ts";

const format = createFormat();

describe("saving", () => {
  it("writes flat, parents first, siblings in their order, what differs from the defaults", () => {
    const tree = emptyTree();
    const { world } = tree;
    const tank = world.spawn(Position({ x: 100.5, y: 0.1 }), Health, Frozen);
    const turret = tree.attachNew(tank, Position({ y: 20 }));
    tree.attachNew(turret, Label({ text: "barrel" }), Aim({ at: tank }));
    attachNewAt(tree, tank, { at: "first" }, Bag({ items: ["key", { n: 1 }] }));
    tree.setName(tank, "Tank");
    tree.setName(turret, "turret");
    world.spawn();
    expect(format.save(tree)).toBe(`{
  "version": 1,
  "entities": [
    {
      "id": "Tank",
      "name": "Tank",
      "components": {
        "Position": { "x": 100.5, "y": 0.1 },
        "Health": {},
        "Frozen": {}
      }
    },
    {
      "id": "entity-2",
      "parent": "Tank",
      "components": {
        "Bag": { "items": ["key", { "n": 1 }] }
      }
    },
    {
      "id": "turret",
      "name": "turret",
      "parent": "Tank",
      "components": {
        "Position": { "y": 20 }
      }
    },
    {
      "id": "entity-3",
      "parent": "turret",
      "components": {
        "Label": { "text": "barrel" },
        "Aim": { "at": "Tank" }
      }
    },
    { "id": "entity-1" }
  ]
}
`);
  });

  it("writes all fields on request", () => {
    const tree = emptyTree();
    tree.world.spawn(Health({ hp: 1 }));
    expect(format.save(tree, undefined, { defaults: true })).toContain(
      `"Health": { "hp": 1, "armored": false, "lives": 3, "mood": 0 }`,
    );
  });

  it("writes an empty scene", () => {
    expect(format.save(emptyTree())).toBe(`{\n  "version": 1,\n  "entities": []\n}\n`);
  });

  it("gives the same text again once it was saved", () => {
    const nested = `{ "entities": [
      { "name": "level", "children": [{ "components": { "Position": { "x": 0.3 } } }, { "id": "entity-1" }] },
      { "id": "last", "parent": "level2" }, { "id": "level2", "components": { "Aim": { "at": "last" } } }
    ] }`;
    const once = format.load(emptyTree(), nested).save();
    const scene = format.load(emptyTree(), once);
    expect(scene.save()).toBe(once);
    expect(scene.save()).toBe(once);
    expect(format.load(emptyTree(), once).toFile()).toEqual(JSON.parse(once));
  });

  it("keeps ids through edits and gives new entities ids of their own", () => {
    const tree = emptyTree();
    const scene = format.load(
      tree,
      `{ "entities": [{ "id": "a", "children": [{ "id": "b" }] }, { "id": "c" }] }`,
    );
    tree.attach(scene.entity("b"), scene.entity("c"));
    tree.attachNew(scene.entity("b"));
    tree.destroy(scene.entity("a"));
    scene.save();
    expect(shape(scene)).toBe("c(b(entity-1))");
    expect(shape(format.load(emptyTree(), scene.save()))).toBe("c(b(entity-1))");
  });

  it("writes numbers short and exact", () => {
    const tree = emptyTree();
    const values = [0.1, 1 / 3, 1e-40, 16777216, 123456.789, -0, 3.4028234663852886e38, Number.NaN, -7.25];
    for (const x of values) tree.world.spawn(Position({ x, y: 1 }));
    const text = format.save(tree);
    expect([...text.matchAll(/"x": ([^,]+),/g)].map(([, number]) => number)).toEqual([
      "0.1",
      "0.33333334",
      "9.99995e-41",
      "16777216",
      "123456.79",
      "-0",
      "3.4028234663852886e+38",
      `"NaN"`,
      "-7.25",
    ]);
    const scene = format.load(emptyTree(), text);
    const read = scene.roots().map((entity) => scene.tree.world.get(entity, Position)?.x);
    expect(read).toEqual(values.map(Math.fround));
  });

  it("breaks long values over lines", () => {
    const tree = emptyTree();
    tree.world.spawn(Bag({ items: Array.from({ length: 40 }, (_, k) => k * 100) }));
    const text = format.save(tree);
    expect(text).toContain(`        "Bag": {\n          "items": [\n            0,\n            100,\n`);
    expect(format.load(emptyTree(), text).save()).toBe(text);
  });

  it("keeps the $schema that the file names, even where the format has another", () => {
    const text = `{\n  "$schema": "../own.schema.json",\n  "version": 1,\n  "entities": []\n}\n`;
    const withSchema = createSceneFormat({ components, schema: "./scene.schema.json" });
    for (const format of [createFormat(), withSchema]) {
      const scene = format.load(emptyTree(), text);
      expect(scene.save()).toBe(text);
      scene.reload(text.replace("own", "other"));
      expect(scene.save()).toBe(text.replace("own", "other"));
    }
  });

  it("writes $schema when the format has one", () => {
    const withSchema = createSceneFormat({ components, schema: "./scene.schema.json" });
    expect(withSchema.save(emptyTree())).toBe(
      `{\n  "$schema": "./scene.schema.json",\n  "version": 1,\n  "entities": []\n}\n`,
    );
  });

  it.each([
    ["a whole world", undefined],
    ["some of it", 1],
  ])("round-trips random trees byte by byte: %s", (_, part) => {
    const entry = fc.record({
      parent: fc.nat(),
      name: fc.option(fc.stringMatching(/^[a-z /]{1,4}$/)),
      x: fc.option(fc.float({ noNaN: false })),
      text: fc.option(fc.string()),
      aim: fc.option(fc.nat()),
      items: fc.option(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 })),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (entries) => {
        const tree = emptyTree();
        const { world } = tree;
        const all = entries.map(({ name, x, text, items }, k) => {
          const entity = world.spawn();
          if (x !== null) world.add(entity, Position({ x, y: k }));
          if (text !== null) world.add(entity, Label({ text }));
          if (items !== null) world.add(entity, Bag({ items: JSON.parse(JSON.stringify(items)) }));
          if (name !== null && name.trim() !== "") tree.setName(entity, name);
          return entity;
        });
        entries.forEach(({ parent, aim }, k) => {
          if (k > 0 && parent % 3 > 0)
            tree.attach(all[k]!, all[parent % k]!, { at: parent % 2 ? "first" : "last" });
          if (aim !== null) world.add(all[k]!, Aim({ at: all[aim % all.length]! }));
        });
        const roots = part === undefined ? undefined : tree.childrenOf(null).slice(0, part);
        const text = format.save(tree, roots, { outside: "null" });
        const scene = format.load(emptyTree(), text);
        expect(scene.save()).toBe(text);
        expect(JSON.parse(text)).toEqual(scene.toFile());
        // The slow ways: not as text, and not as JSON.parse takes it.
        expect(format.load(emptyTree(), JSON.parse(text)).save()).toBe(text);
        expect(format.load(emptyTree(), `${text}// comment`).save()).toBe(text);
        expectSound(scene.tree);
      }),
      { numRuns: 150 },
    );
  });
});

describe("what cannot be saved", () => {
  const Timer = component("Timer", { left: object(() => 0) });

  it("is listed all at once: unregistered components, classes, references to the outside", () => {
    const tree = emptyTree();
    const { world } = tree;
    const outside = world.spawn();
    const tank = world.spawn(
      Timer,
      Bag({ items: [new Map()], owner: { f: () => 1 } }),
      Aim({ at: outside, from: outside }),
    );
    expect(problemsOf(() => format.save(tree, [tank]))).toEqual([
      `-:-:-  entity-1 scene/unregistered-component Entity "entity-1" has Timer, which the scene format does not know. List it in components, or in transient if it should not be saved.`,
      `-:-:-  entity-1 scene/outside-reference Entity "entity-1": Aim.at refers to #1, which is not part of what is saved. Save it too, set the field to null, or save with outside: "null".`,
      `-:-:-  entity-1 scene/outside-reference Entity "entity-1": Aim.from refers to #1, which is not part of what is saved. Save it too, set the field to null, or save with outside: "null".`,
      `-:-:-  entity-1 scene/unwritable-value Entity "entity-1": Bag.items cannot be written: it holds a Map. Give the field a codec with withCodec().`,
      `-:-:-  entity-1 scene/unwritable-value Entity "entity-1": Bag.owner cannot be written: it holds a function. Give the field a codec with withCodec().`,
    ]);
    expect(() => format.save(tree, [tank])).toThrow("Cannot save the scene, it has 5 problems:");
  });

  it.each([
    [Number.NaN, "it holds NaN"],
    [undefined, "it holds undefined"],
    [10n, "it holds 10"],
    [Symbol("x"), "it holds a symbol"],
    [new Date(0), "it holds a Date"],
    [new (class Secret {})(), "it holds a Secret"],
  ])("is refused inside objects: %s", (value, why) => {
    const tree = emptyTree();
    tree.world.spawn(Bag({ items: [value] }));
    expect(problemsOf(() => format.save(tree))[0]).toContain(why);
  });

  it("is refused when it contains itself, and not when it is only there twice", () => {
    const tree = emptyTree();
    const shared = { a: 1 };
    const bag = tree.world.spawn(Bag({ items: [shared, shared, { maybe: undefined }] }));
    expect(format.save(tree)).toContain(`"items": [{ "a": 1 }, { "a": 1 }, {}]`);
    const loop: unknown[] = [];
    loop.push(loop);
    tree.world.set(bag, Bag, { items: loop });
    expect(problemsOf(() => format.save(tree))[0]).toContain("it holds an object that contains itself");
  });

  it("is left out when it is transient", () => {
    const tree = emptyTree();
    tree.world.spawn(Timer, Label);
    const kept = createSceneFormat({ components, transient: [Timer] });
    expect(JSON.parse(kept.save(tree)).entities).toEqual([{ id: "entity-1", components: { Label: {} } }]);
  });

  it("reads dead references as null", () => {
    const tree = emptyTree();
    const target = tree.world.spawn();
    tree.world.spawn(Aim({ at: target }));
    tree.destroy(target);
    expect(JSON.parse(format.save(tree)).entities).toEqual([{ id: "entity-1", components: { Aim: {} } }]);
  });
});

describe("printScene", () => {
  it("writes nested scenes too", () => {
    expect(
      printScene({
        entities: [
          {
            id: "a",
            children: [{ id: "b", components: { Frozen: {} }, children: [{ id: "c" }] }, { id: "d" }],
          },
          { id: "e", children: [] },
        ],
      }),
    ).toBe(`{
  "entities": [
    {
      "id": "a",
      "children": [
        {
          "id": "b",
          "components": {
            "Frozen": {}
          },
          "children": [
            { "id": "c" }
          ]
        },
        { "id": "d" }
      ]
    },
    {
      "id": "e",
      "children": []
    }
  ]
}
`);
  });
});

describe("Transient", () => {
  it("keeps entities out of files, with all that is below them", () => {
    const Unlisted = tag("Unlisted");
    const tree = emptyTree();
    const { world } = tree;
    const tank = world.spawn(Health);
    const smoke = tree.attachNew(tank, Transient, Unlisted);
    tree.attachNew(smoke, Unlisted);
    world.spawn(Transient, Unlisted);
    const again = emptyTree();
    format.load(again, format.save(tree));
    expect(again.world.count).toBe(1);
  });

  it("does not count in the order of an instance's children", () => {
    const tree = emptyTree();
    const prefabs = { p: { entities: [{ id: "r", children: [{ id: "a" }, { id: "b" }] }] } };
    const scene = format.load(tree, { entities: [{ id: "x", prefab: "p" }] }, { prefabs });
    attachNewAt(tree, scene.entity("x"), { after: scene.entity("x/a") }, Transient);
    expect(scene.toFile().entities).toEqual([{ id: "x", prefab: "p" }]);
    tree.moveChild(scene.entity("x/b"), "first");
    expect(scene.toFile().entities).toEqual([{ id: "x", prefab: "p", order: ["x/b", "x/a"] }]);
  });

  it("does not count in the order of the roots", () => {
    const tree = emptyTree();
    const prefabs = { p: { entities: [{ id: "r", children: [{ id: "a" }] }] } };
    const entities = [{ id: "smoke" }, { id: "x", prefab: "p" }];
    const scene = format.load(tree, { entities }, { prefabs });
    tree.world.add(scene.entity("smoke"), Transient);
    expect(scene.toFile()).toEqual({ version: 1, entities: [{ id: "x", prefab: "p" }] });
  });

  it("does not conflict with a component of that name", () => {
    const Own = component("Transient", { hp: f32(1) });
    const tree = emptyTree();
    tree.world.spawn(Own({ hp: 3 }));
    expect(createSceneFormat({ components: [Own] }).save(tree)).toContain('"hp": 3');
  });
});
