import { createWorld, type Entity } from "espalier";
import { attachNewAt, createHierarchy, depthLimit } from "espalier/hierarchy";
import { SceneError, type SceneFile } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";
import {
  Bag,
  createFormat,
  emptyTree,
  expectSound,
  Health,
  shape,
  shapeOf,
  valuesIn,
  valuesOf,
} from "./scenes.ts";
import { prefabs, squad, tank } from "./tank-prefabs.ts";

const format = createFormat();

const load = (entities: SceneFile["entities"]) => format.load(emptyTree(), { entities }, { prefabs });

describe("an instance of a prefab", () => {
  it("has all entities of the prefab, in order, with ids of its own", () => {
    const scene = load([
      { id: "a", prefab: "tank" },
      { id: "b", prefab: "tank", parent: "a/turret" },
    ]);
    expect(shape(scene)).toBe(
      "a(a/turret(a/turret/barrel b(b/turret(b/barrel) b/hatch)) a/hatch)".replace(
        "a/turret/barrel",
        "a/barrel",
      ),
    );
    expect(valuesIn(scene, "a")).toMatchObject({ Health: { hp: 250 }, Position: { x: 1, y: 2 } });
    expect(valuesIn(scene, "b/turret")).toMatchObject({
      Aim: { at: scene.entity("b/barrel"), from: scene.entity("b") },
    });
    expect(scene.tree.nameOf(scene.entity("b/turret"))).toBe("Turret");
    expectSound(scene.tree);
  });

  it("is independent of all others", () => {
    const scene = load([
      { id: "a", prefab: "tank" },
      { id: "b", prefab: "tank" },
    ]);
    const bag = (id: string) => scene.tree.world.get(scene.entity(id), Bag)!;
    (bag("a/barrel").items as unknown[]).push("more");
    scene.tree.world.set(scene.entity("a"), Health, { hp: 1 });
    expect(bag("b/barrel").items).toEqual([{ shell: 1 }]);
    expect(bag("a/barrel").items).toEqual([{ shell: 1 }, "more"]);
    expect(valuesIn(scene, "b")).toMatchObject({ Health: { hp: 250 } });
    expect(JSON.stringify(tank)).toContain('"items":[{"shell":1}]');
  });

  it("overrides components of its root, field by field", () => {
    const scene = load([
      {
        id: "a",
        name: "Red",
        prefab: "tank",
        components: { Health: { lives: 9 }, Position: null, Frozen: {} },
      },
    ]);
    expect(valuesIn(scene, "a")).toEqual({
      Health: { hp: 250, armored: false, lives: 9, mood: 0 },
      Frozen: {},
    });
    expect(scene.tree.nameOf(scene.entity("a"))).toBe("Red");
  });

  it("overrides entities below by id and by path, adds, moves and removes them", () => {
    const scene = load([
      {
        id: "a",
        prefab: "tank",
        children: [{ id: "flag" }],
        overrides: {
          "Turret/Barrel": { name: "Gun", components: { Bag: { owner: { b: 3, c: 4 }, items: [] } } },
          turret: { components: { Aim: { at: "flag" } }, children: [{ id: "radio", prefab: "tank" }] },
          hatch: null,
        },
      },
    ]);
    expect(shape(scene)).toBe("a(a/turret(a/barrel radio(radio/turret(radio/barrel) radio/hatch)) flag)");
    expect(valuesIn(scene, "a/barrel")).toEqual({ Bag: { items: [], owner: { a: 1, b: 3, c: 4 } } });
    expect(scene.tree.nameOf(scene.entity("a/barrel"))).toBe("Gun");
    expect(valuesIn(scene, "a/turret")).toMatchObject({
      Aim: { at: scene.entity("flag"), from: scene.entity("a") },
    });
    expectSound(scene.tree);
  });

  it("removes with an entity what is below it, except what is moved away", () => {
    const scene = load([
      { id: "a", prefab: "tank", overrides: { turret: null, barrel: { parent: "a/hatch" } } },
      { id: "b", prefab: "tank", overrides: { turret: null } },
      { id: "c", prefab: "tank", overrides: { barrel: { parent: null } } },
    ]);
    expect(shape(scene)).toBe("a(a/hatch(a/barrel)) b(b/hatch) c(c/turret c/hatch) c/barrel");
  });

  it("replaces whole objects on request", () => {
    const scene = load([
      {
        id: "a",
        prefab: "tank",
        overrides: { barrel: { components: { Bag: { owner: { $replace: { z: 1 } } } } } },
      },
    ]);
    expect(valuesIn(scene, "a/barrel")).toEqual({ Bag: { items: [{ shell: 1 }], owner: { z: 1 } } });
  });

  it("may contain instances of other prefabs, whose entities are overridden by their whole id", () => {
    const scene = load([
      {
        id: "s",
        prefab: "squad",
        overrides: { "wing/barrel": { components: { Frozen: {} } }, "lead/hatch": null },
      },
    ]);
    expect(shape(scene)).toBe("s(s/lead(s/lead/turret(s/lead/barrel)) s/wing(s/wing/turret(s/wing/barrel)))");
    expect(valuesIn(scene, "s/lead")).toMatchObject({ Health: { hp: 250, armored: true } });
    expect(valuesIn(scene, "s/wing/turret")).toMatchObject({
      Position: { y: 5 },
      Aim: { at: scene.entity("s/wing/barrel"), from: scene.entity("s/wing") },
    });
    expect(Object.keys(valuesIn(scene, "s/wing/barrel") as object)).toEqual(["Bag", "Frozen"]);
  });

  it("is saved as what differs from the prefab, and loads to the same", () => {
    const entities: SceneFile["entities"] = [
      { id: "a", prefab: "tank" },
      {
        id: "b",
        name: "Red",
        parent: "a/turret",
        prefab: "tank",
        components: { Health: { lives: 9 }, Position: null, Frozen: {} },
        overrides: {
          turret: { components: { Aim: { at: "flag" } } },
          barrel: { name: null, components: { Bag: { owner: { b: 3 } } } },
          hatch: null,
        },
      },
      { id: "flag", parent: "b/barrel" },
      { id: "s", prefab: "squad", overrides: { "wing/turret": { components: { Position: { y: 6 } } } } },
    ];
    const scene = load(entities);
    expect(scene.toFile().entities).toEqual(entities);
    const text = scene.save();
    expect(format.load(emptyTree(), text, { prefabs }).save()).toBe(text);
  });

  it("is saved with what the game did to it", () => {
    const scene = load([{ id: "a", prefab: "tank" }, { id: "b" }]);
    const { tree } = scene;
    tree.world.set(scene.entity("a"), Health, { hp: 3 });
    tree.destroy(scene.entity("a/barrel"));
    attachNewAt(tree, scene.entity("a"), { at: 1 }, Health({ hp: 1 }));
    tree.attach(scene.entity("a/hatch"), scene.entity("b"));
    tree.setName(scene.entity("a/turret"), undefined);
    const file = scene.toFile();
    expect(file.entities).toEqual([
      {
        id: "a",
        prefab: "tank",
        components: { Health: { hp: 3 } },
        // A reference to an entity that is gone reads as null.
        overrides: {
          turret: { name: null, components: { Aim: { at: null } } },
          barrel: null,
          hatch: { parent: "b" },
        },
      },
      { id: "entity-1", parent: "a", components: { Health: { hp: 1 } } },
      { id: "b" },
    ]);
    const again = format.load(emptyTree(), file, { prefabs });
    expect(shape(again)).toBe("a(a/turret entity-1) b(a/hatch)");
    expect(again.toFile()).toEqual(file);
  });

  it("keeps the order of its children when they are moved", () => {
    const scene = load([{ id: "a", prefab: "tank", children: [{ id: "flag" }] }, { id: "b" }]);
    const { tree } = scene;
    tree.moveChild(scene.entity("a/hatch"), "first");
    tree.moveChild(scene.entity("flag"), { after: scene.entity("a/hatch") });
    tree.attach(scene.entity("a/barrel"), null, { at: "last" });
    tree.attachNew(scene.entity("a/turret"));
    const file = scene.toFile();
    expect(file.order).toEqual(["a", "b", "a/barrel"]);
    expect(file.entities[0]).toMatchObject({ order: ["a/hatch", "flag", "a/turret"] });
    const again = format.load(emptyTree(), file, { prefabs });
    expect(shape(again)).toBe("a(a/hatch flag a/turret(entity-1)) b a/barrel");
    expect(again.toFile()).toEqual(file);
  });

  it("has its children in an order that names them by id or by name, by id where both lead to one", () => {
    const bow = {
      entities: [
        {
          id: "bow",
          name: "bow",
          children: [
            { id: "x", name: "left" },
            { id: "y", name: "right" },
          ],
        },
      ],
    };
    const load = (order: string[]) => {
      const children = [{ id: "left", name: "flag" }];
      return format.load(
        emptyTree(),
        { entities: [{ id: "a", prefab: "bow", order, children }] },
        { prefabs: { bow } },
      );
    };
    expect(shape(load(["right", "flag", "a/x"]))).toBe("a(a/y left a/x)");
    // The flag has the id "left": an id comes before a name.
    expect(shape(load(["right", "left"]))).toBe("a(a/y left a/x)");
    expect(() => load(["right", "up"])).toThrow('order names "up", which is not a child of "a"');
    expect(() => load(["flag", "left"])).toThrow('order names "left", which is listed twice');
  });

  it("becomes plain entities again when its root is destroyed and parts of it stay", () => {
    const scene = load([{ id: "a", prefab: "tank" }, { id: "b" }]);
    scene.tree.attach(scene.entity("a/barrel"), scene.entity("b"));
    scene.tree.destroy(scene.entity("a"));
    expect(scene.toFile().entities).toEqual([
      { id: "b" },
      {
        id: "Barrel",
        name: "Barrel",
        parent: "b",
        components: { Bag: { items: [{ shell: 1 }], owner: { a: 1, b: 2 } } },
      },
    ]);
  });
});

describe("instantiating", () => {
  const prefab = format.prefab(tank, { file: "tank.json" });

  it("creates the prefab anywhere, any number of times", () => {
    const tree = emptyTree();
    const level = tree.world.spawn();
    const first = prefab.instantiate(tree, { parent: level });
    const second = prefab.instantiate(tree, { parent: level, at: 0, name: "Second" });
    expect(tree.childrenOf(level)).toEqual([second.root, first.root]);
    const name = (entity: Entity) => tree.nameOf(entity) ?? "-";
    expect(shapeOf(tree, [level], name)).toBe("-(Second(Turret(Barrel) -) Tank(Turret(Barrel) -))");
    expect(valuesOf(tree.world, second.find("turret")!)).toMatchObject({
      Aim: { at: second.find("barrel"), from: second.root },
    });
    expect(first.prefab).toBe("tank.json");
    expect(prefab.size).toBe(4);
    expect(prefab.instances(tree).map(({ root }) => root)).toEqual([first.root, second.root]);
    expectSound(tree);
  });

  it("takes overrides as files do", () => {
    const tree = emptyTree();
    const made = prefab.instantiate(tree, {
      components: { Health: { hp: 1 } },
      overrides: { hatch: null, turret: { children: [{ name: "flag" }] } },
    });
    expect(tree.world.get(made.root, Health)?.hp).toBe(1);
    expect(tree.childCount(made.root)).toBe(1);
    expect(tree.nameOf(tree.childrenOf(made.find("turret")!)[1]!)).toBe("flag");
    expect(() => prefab.instantiate(tree, { overrides: { gun: {} } })).toThrow(SceneError);
    expect(() => prefab.instantiate(tree, { overrides: { gun: {} } })).toThrow(
      `Cannot instantiate tank.json: tank.json: Entity "instance" overrides "gun", which tank.json does not contain.`,
    );
    expect(tree.world.count).toBe(4);
  });

  it("rolls everything back when the hierarchy refuses", () => {
    const tree = createHierarchy(strictWorld(), { limits: depthLimit({ max: 1 }) });
    expect(() => prefab.instantiate(tree)).toThrow("[hierarchy/too-deep]");
    expect(tree.world.count).toBe(0);
    expectSound(tree);
  });

  it.each([{}, { components: { Health: { hp: 1 } } }])(
    "creates nothing when the position is refused (%j)",
    (differing) => {
      const tree = emptyTree();
      const elsewhere = tree.attachNew(tree.world.spawn());
      const prefab = format.prefab(tank, { file: "tank.json" });
      const attempt = () => prefab.instantiate(tree, { before: elsewhere, ...differing });
      expect(attempt).toThrow(/^Cannot instantiate tank\.json: .* was refused: Cannot place a child beside/);
      expect(attempt).toThrow(SceneError);
      expect(tree.world.count).toBe(2);
      expect(prefab.instances(tree)).toEqual([]);
    },
  );

  it.each([{}, { components: { Health: { hp: 1 } } }])(
    "finds a free name where names are unique (%j)",
    (differing) => {
      const tree = createHierarchy(createWorld(), { uniqueNames: true });
      const prefab = format.prefab({ entities: [{ id: "tank", name: "tank" }] }, { file: "tank.json" });
      const make = (name?: string) =>
        tree.nameOf(prefab.instantiate(tree, { ...differing, ...(name && { name }) }).root);
      expect([make(), make(), make(), make("red")]).toEqual(["tank", "tank 2", "tank 3", "red"]);
      expect(() => make("red")).toThrow("two roots named");
      expect(tree.world.count).toBe(4);
    },
  );

  it("is created at the given position", () => {
    const tree = emptyTree();
    const prefab = format.prefab({ entities: [{ id: "tank", name: "tank" }] }, { file: "tank.json" });
    const { root } = prefab.instantiate(tree);
    prefab.instantiate(tree, { name: "first", at: 0 });
    prefab.instantiate(tree, { name: "before", before: root, components: { Health: {} } });
    prefab.instantiate(tree, { name: "after", after: root });
    prefab.instantiate(tree, { name: "last" });
    expect(tree.childrenOf(null).map((entity) => tree.nameOf(entity))).toEqual([
      "first",
      "before",
      "tank",
      "after",
      "last",
    ]);
  });

  it("can be saved with the scene it was added to", () => {
    const tree = emptyTree();
    const scene = format.createScene(tree);
    scene.add(prefab.instantiate(tree, { components: { Health: { hp: 1 } } }).root);
    expect(scene.toFile().entities).toEqual([
      { id: "Tank", prefab: "tank.json", components: { Health: { hp: 1 } } },
    ]);
    expect(shape(scene)).toBe("Tank(Tank/turret(Tank/barrel) Tank/hatch)");
  });

  it("reports everything that is wrong with a prefab", () => {
    expect(() =>
      format.prefab(`{ "entities": [{ "components": { "X": {} } }, {}] }`, { file: "bad.json" }),
    ).toThrow("Cannot read bad.json, it has 2 problems:");
  });

  it("writes the prefab flat", () => {
    expect(prefab.toFile().entities.map(({ id, parent }) => [id, parent])).toEqual([
      ["tank", undefined],
      ["turret", "tank"],
      ["barrel", "turret"],
      ["hatch", "tank"],
    ]);
    expect(format.prefab(prefab.save()).save()).toBe(prefab.save());
    const nested = format.prefab(squad, { file: "squad", prefabs });
    expect(nested.toFile().entities.map(({ id, prefab }) => [id, prefab])).toEqual([
      ["squad", undefined],
      ["lead", "tank"],
      ["wing", "tank"],
    ]);
  });
});
