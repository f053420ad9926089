import type { Entity } from "espalier";
import { attachNewAt } from "espalier/hierarchy";
import { clone, type Instance, instanceOf, instancesIn, type SceneFile, SceneUseError } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Aim,
  Bag,
  createFormat,
  emptyTree,
  expectSound,
  Frozen,
  Health,
  Position,
  shape,
  shapeOf,
  valuesOf,
} from "./scenes.ts";

const format = createFormat();
const engine: SceneFile = {
  entities: [{ id: "engine", components: { Health: { hp: 10 } }, children: [{ id: "belt" }] }],
};
const tank: SceneFile = {
  entities: [
    {
      id: "tank",
      name: "Tank",
      components: { Health: { hp: 250 }, Position: {} },
      children: [
        {
          id: "turret",
          components: { Position: { y: 20 }, Aim: { from: "tank" } },
          children: [{ id: "barrel", components: { Bag: { owner: { a: 1, b: { c: 2 } } } } }],
        },
        { id: "motor", prefab: "engine" },
        { id: "hatch" },
      ],
    },
  ],
};

function setUp() {
  const tree = emptyTree();
  const prefab = format.prefab(tank, { file: "tank", prefabs: { engine } });
  return { tree, world: tree.world, prefab, instance: prefab.instantiate(tree) };
}

const list = (instance: Instance) =>
  instance
    .overrides()
    .map(({ kind, target, component = "", field = "", value }) =>
      [kind, target, component, field, JSON.stringify(value) ?? ""].filter((part) => part !== "").join(" "),
    );

function changeEverything({ tree, world, instance }: ReturnType<typeof setUp>) {
  const outside = world.spawn();
  const turret = instance.find("turret")!;
  world.set(instance.root, Health, { hp: 1, armored: true });
  world.remove(instance.root, Position);
  world.add(instance.root, Frozen);
  world.set(turret, Aim, { at: outside, from: instance.find("barrel")! });
  world.set(instance.find("barrel")!, Bag, { owner: { a: 1, b: { c: 3, d: 4 } } });
  world.set(instance.find("motor")!, Health, { hp: 11 });
  tree.setName(instance.root, "Red");
  tree.attach(instance.find("motor/belt")!, turret);
  tree.destroy(instance.find("hatch")!);
  const flag = attachNewAt(tree, turret, { at: 0 }, Health({ hp: 5 }));
  tree.attachNew(flag);
  return { outside, flag };
}

describe("the overrides of an instance", () => {
  it("are none at first", () => {
    expect(setUp().instance.overrides()).toEqual([]);
  });

  it("are listed with what the instance says instead", () => {
    const set = setUp();
    const { outside, flag } = changeEverything(set);
    expect(list(set.instance)).toEqual([
      `name . "Red"`,
      "field . Health hp 1",
      "field . Health armored true",
      "component . Frozen {}",
      "component . Position null",
      `field turret Aim at "#${outside}"`,
      `field turret Aim from "barrel"`,
      `field barrel Bag owner {"b":{"c":3,"d":4}}`,
      "field motor Health hp 11",
      `parent motor/belt "turret"`,
      "removed hatch",
      `order turret ["#${flag}","barrel","motor/belt"]`,
      "added turret",
    ]);
  });

  it("are reverted all at once", () => {
    const set = setUp();
    const { tree, world, instance, prefab } = set;
    const { outside } = changeEverything(set);
    const kept = instance.find("barrel");
    instance.revert();
    expect(instance.overrides()).toMatchObject([{ kind: "name", target: ".", own: true }]);
    expect(instance.find("barrel")).toBe(kept);
    const fresh = prefab.instantiate(tree);
    const shapes = [instance, fresh].map(({ root }) =>
      shapeOf(tree, [root], (entity) => JSON.stringify(Object.keys(valuesOf(world, entity)))),
    );
    expect(shapes[0]).toBe(shapes[1]);
    expect(world.isAlive(outside)).toBe(true);
    expect(world.get(instance.find("turret")!, Aim)).toEqual({ at: null, from: instance.root });
    expectSound(tree);
  });

  it("are reverted one by one, in any order", () => {
    for (const seed of [0, 1, 2, 3, 4]) {
      const set = setUp();
      const { tree, instance } = set;
      changeEverything(set);
      for (let left = instance.overrides(); left.length > 0; ) {
        const override = left[(seed * 7) % left.length]!;
        instance.revert(override);
        const now = list(instance);
        expect(now.length).toBeLessThan(left.length);
        left = instance.overrides();
      }
      expectSound(tree);
    }
  });

  it("are applied: the prefab says them, and the other instances follow unless they say otherwise", () => {
    const { tree, world, prefab, instance } = setUp();
    const other = prefab.instantiate(tree);
    world.set(other.root, Health, { lives: 7 });
    world.set(other.find("motor")!, Health, { hp: 99 });
    world.set(instance.root, Health, { hp: 1 });
    world.set(instance.find("motor")!, Health, { hp: 11, armored: true });
    world.remove(instance.root, Position);
    tree.destroy(instance.find("hatch")!);
    const flag = tree.attachNew(instance.find("turret")!, Health({ hp: 5 }));
    tree.setName(flag, "flag");
    tree.attachNew(flag, Aim({ at: flag }));
    const kept = other.find("barrel");

    const next = prefab.apply(instance);
    expect(instance.overrides()).toEqual([]);
    expect(instance.find("flag")).toBe(flag);
    expect(list(other)).toEqual(["field . Health lives 7", "field motor Health hp 99"]);
    expect(other.find("barrel")).toBe(kept);
    expect(valuesOf(world, other.root)).toEqual({ Health: { hp: 1, armored: false, lives: 7, mood: 0 } });
    expect(valuesOf(world, other.find("motor")!)).toMatchObject({ Health: { hp: 99, armored: true } });
    expect(other.find("hatch")).toBeUndefined();
    const copy = other.find("flag")!;
    expect(tree.parentOf(copy)).toBe(other.find("turret"));
    expect(world.get(tree.childrenOf(copy)[0]!, Aim)?.at).toBe(copy);
    expect(next.toFile().entities).toEqual([
      { id: "tank", name: "Tank", components: { Health: { hp: 1 } } },
      { id: "turret", parent: "tank", components: { Position: { y: 20 }, Aim: { from: "tank" } } },
      { id: "barrel", parent: "turret", components: { Bag: { owner: { a: 1, b: { c: 2 } } } } },
      { id: "flag", name: "flag", parent: "turret", components: { Health: { hp: 5 } } },
      { id: "entity-1", parent: "flag", components: { Aim: { at: "flag" } } },
      { id: "motor", parent: "tank", prefab: "engine", components: { Health: { hp: 11, armored: true } } },
    ]);
    expect(prefab.instances(tree)).toEqual([]);
    expect(next.instances(tree).length).toBe(2);
    expectSound(tree);
  });

  it("are applied one at a time", () => {
    const { world, prefab, instance } = setUp();
    world.set(instance.root, Health, { hp: 1, lives: 9 });
    const [first] = instance.overrides();
    const next = prefab.apply(instance, [first!]);
    expect(list(instance)).toEqual(["field . Health lives 9"]);
    expect(next.toFile().entities[0]?.components).toMatchObject({ Health: { hp: 1 } });
  });

  it("cannot be applied when they refer to what is outside", () => {
    const set = setUp();
    changeEverything(set);
    expect(() => set.prefab.apply(set.instance)).toThrow(
      "Cannot apply the overrides of tank: tank: Aim.at of turret refers to #7, which is not part of the prefab. Leave that override out. [scene/outside-reference]",
    );
    const inside = set.instance.overrides().filter(({ field, own }) => field !== "at" && own !== true);
    set.prefab.apply(set.instance, inside);
    expect(list(set.instance)).toEqual([`name . "Red"`, `field turret Aim at "#7"`]);
  });

  it("list children in another order, which is applied and reverted like the rest", () => {
    const { tree, prefab, instance } = setUp();
    const other = prefab.instantiate(tree);
    const flag = attachNewAt(tree, instance.root, { at: "first" });
    tree.setName(flag, "flag");
    tree.moveChild(instance.find("hatch")!, "first");
    const order = `["hatch","#${flag}","turret","motor"]`;
    expect(list(instance)).toEqual([`order . ${order}`, "added ."]);

    const name = (entity: Entity) => tree.nameOf(entity) ?? "?";
    const children = (of: Instance) =>
      tree.childrenOf(of.root).map((child) => of.tree.nameOf(child) ?? localId(of, child));
    expect(children(instance)).toEqual(["hatch", "flag", "turret", "motor"]);
    const orderOnly = instance.overrides().filter(({ kind }) => kind === "order");
    const next = prefab.apply(instance, orderOnly);
    expect(children(other)).toEqual(["hatch", "turret", "motor"]);
    expect(list(instance)).toEqual([`order . ${order}`, "added ."]);
    next.apply(instance);
    expect(list(instance)).toEqual([]);
    expect(children(instance)).toEqual(["hatch", "flag", "turret", "motor"]);
    expect(name(tree.childrenOf(other.root)[1]!)).toBe("flag");

    tree.moveChild(other.find("hatch")!, "last");
    const [changed] = other.overrides();
    expect(changed?.kind).toBe("order");
    expect(other.revert(changed).moved.length).toBe(4);
    expect(list(other)).toEqual([]);
    expectSound(tree);
  });

  it("of order are forgotten by the prefab with the entities that leave it", () => {
    const file: SceneFile = {
      entities: [
        { id: "car", prefab: "engine", order: ["mirror", "car/belt"] },
        { id: "mirror", parent: "car" },
      ],
    };
    const tree = emptyTree();
    const prefab = format.prefab(file, { file: "car", prefabs: { engine } });
    const instance = prefab.instantiate(tree);
    expect(tree.childrenOf(instance.root)[0]).toBe(instance.find("mirror"));
    tree.destroy(instance.find("mirror")!);
    const next = prefab.apply(instance);
    expect(next.toFile().entities).toEqual([{ id: "car", prefab: "engine" }]);
  });

  it("survive another form of the prefab", () => {
    const { tree, world, prefab, instance } = setUp();
    world.set(instance.find("barrel")!, Bag, { items: ["x"] });
    const turret = instance.find("turret");
    const file = JSON.parse(JSON.stringify(tank)) as {
      entities: [{ children: object[]; components: object }];
    };
    file.entities[0].components = { Health: { hp: 7 } };
    file.entities[0].children.push({ id: "flag" });
    const next = format.prefab(file as unknown as SceneFile, { file: "tank", prefabs: { engine } });
    prefab.replace(tree, next);
    expect(world.get(instance.root, Health)?.hp).toBe(7);
    expect(world.has(instance.root, Position)).toBe(false);
    expect(instance.find("turret")).toBe(turret);
    expect(tree.parentOf(instance.find("flag")!)).toBe(instance.root);
    expect(list(instance)).toEqual([`field barrel Bag items ["x"]`]);
  });
});

describe("an instance below its own part", () => {
  it("is not reverted, because it would go with what was added", () => {
    const { tree, world, instance } = setUp();
    const turret = instance.find("turret")!;
    tree.detach(turret);
    const crane = tree.attachNew(turret);
    tree.attach(instance.root, crane);
    const before = shapeOf(tree, [...tree.roots()], (entity) => `${entity}`);
    const added = instance.overrides().find(({ kind }) => kind === "added")!;
    const message =
      "Cannot revert the instance Tank#1: it is below its own turret, which cannot go back below it. Move the instance elsewhere first. [scene/invalid-use]";
    expect(() => instance.revert()).toThrow(message);
    expect(() => instance.revert(added)).toThrow(message);
    expect(shapeOf(tree, [...tree.roots()], (entity) => `${entity}`)).toBe(before);
    expectSound(tree);
    tree.detach(instance.root);
    instance.revert();
    expect([instance.overrides(), tree.parentOf(turret), world.isAlive(crane)]).toEqual([
      [],
      instance.root,
      false,
    ]);
  });
});

describe("an instance that is edited at random", () => {
  const edit = fc.tuple(fc.nat(7), fc.nat(), fc.nat(), fc.nat(9));

  it("is saved and loaded to the same, and reverted to the prefab", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 25 }), (edits) => {
        const tree = emptyTree();
        const { world } = tree;
        const options = { prefabs: { tank, engine } };
        const entities = [{ id: "a", prefab: "tank" }, { id: "b", prefab: "tank" }, { id: "c" }];
        const scene = format.load(tree, { entities }, options);
        for (const [kind, first, second, value] of edits) {
          const all = world.entities();
          // One may take all others with it.
          if (all.length === 0) break;
          const [e, other] = [all[first % all.length]!, all[second % all.length]!];
          if (kind === 0 && world.count > 3 && e !== scene.find("a")) tree.destroy(e);
          else if (kind === 1 && tree.canAttach(e, other)) tree.attach(e, other, { at: value % 3 });
          else if (kind === 2) tree.attachNew(e, Position({ x: value }));
          else if (kind === 3) world.add(e, Health({ hp: value * 100, lives: value }));
          else if (kind === 4) world.remove(e, Position);
          else if (kind === 5) world.add(e, Aim({ at: other, from: null }));
          else if (kind === 6) tree.setName(e, value === 0 ? undefined : `n${value}`);
          else if (kind === 7) world.add(e, Bag({ owner: { a: value, b: { c: value % 3 } } }));
        }
        const text = scene.save();
        const again = format.load(emptyTree(), text, options);
        expect(again.save()).toBe(text);
        expect(shape(again)).toBe(shape(scene));
        for (const e of world.entities()) {
          const id = scene.idOf(e);
          if (id === undefined) continue;
          const plain = (values: object) =>
            JSON.parse(
              JSON.stringify(values, (key, item) => (key === "at" || key === "from" ? typeof item : item)),
            );
          expect(plain(valuesOf(again.tree.world, again.entity(id)))).toEqual(plain(valuesOf(world, e)));
        }
        expectSound(again.tree);
        // The edits may have destroyed it, and everything else with it.
        const some = scene.find("a") ?? world.entities()[0];
        const instance = some === undefined ? undefined : instanceOf(tree, some);
        if (instance === undefined) return;
        try {
          instance.revert();
        } catch (error) {
          if (error instanceof SceneUseError && /below its own/.test(error.message)) return;
          throw error;
        }
        expect(instance.overrides().filter(({ own }) => own !== true)).toEqual([]);
        expectSound(tree);
      }),
      { numRuns: 150 },
    );
  });
});

/** The id in the prefab of an entity of an instance. */
function localId(instance: Instance, entity: Entity): string {
  return ["turret", "motor", "hatch"].find((id) => instance.find(id) === entity) ?? "?";
}

describe("instanceOf", () => {
  it("finds the instance of its root and of everything the prefab made", () => {
    const { tree, world, instance } = setUp();
    const flag = tree.attachNew(instance.root);
    expect(instanceOf(tree, instance.find("motor/belt")!)?.root).toBe(instance.root);
    expect(instanceOf(tree, instance.root)?.prefab).toBe("tank");
    expect(instanceOf(tree, flag)).toBeUndefined();
    expect(instanceOf(tree, world.spawn())).toBeUndefined();
  });

  it("finds instances that were loaded, and copies of them", () => {
    const scene = format.load(
      emptyTree(),
      { entities: [{ id: "a", prefab: "tank" }] },
      { prefabs: { tank, engine } },
    );
    const { tree } = scene;
    tree.world.set(scene.entity("a"), Health, { hp: 1 });
    const copy = instanceOf(tree, clone(tree, scene.entity("a")))!;
    expect(list(copy)).toEqual(["field . Health hp 1"]);
    copy.revert();
    expect(tree.world.get(copy.root, Health)?.hp).toBe(250);
    expect(tree.world.get(scene.entity("a"), Health)?.hp).toBe(1);
    scene.add(copy.root, "b");
    expect(shape(scene)).toBe("a(a/turret(a/barrel) a/motor(a/motor/belt) a/hatch) b(?(?) ?(?) ?)");
    expect(scene.toFile().entities).toEqual([
      { id: "a", prefab: "tank", components: { Health: { hp: 1 } } },
      { id: "b", prefab: "tank" },
    ]);
  });

  it("costs the same in large instances", () => {
    // So many that looking through all of them for each would run out of time.
    const count = 200_000;
    const entities = Array.from({ length: count }, (_, k) => ({
      id: `e${k}`,
      ...(k > 0 && { parent: "e0" }),
    }));
    const tree = emptyTree();
    const { root } = format.prefab({ entities }, { file: "large" }).instantiate(tree);
    let found = 0;
    for (const child of tree.children(root)) if (instanceOf(tree, child)?.root === root) found++;
    expect(found).toBe(count - 1);
  });

  it("is one of all instances of the tree", () => {
    const { tree, prefab, instance } = setUp();
    const other = prefab.instantiate(tree);
    const copy = clone(tree, other.root);
    tree.destroy(other.root);
    expect(instancesIn(tree).map(({ root }) => root)).toEqual([instance.root, copy]);
    expect(instancesIn(emptyTree())).toEqual([]);
  });

  it("refuses to continue when the root is destroyed", () => {
    const { tree, instance } = setUp();
    tree.destroy(instance.root);
    expect(() => instance.overrides()).toThrow(
      "Cannot use the instance #1: it is no longer an instance of a prefab. Its root was destroyed, or its file has changed. [scene/invalid-use]",
    );
  });

  it("forgets dead instances", () => {
    const { tree, prefab } = setUp();
    for (let k = 0; k < 5000; k++) tree.destroy(prefab.instantiate(tree).root);
    expect(prefab.instances(tree).length).toBe(1);
  });
});
