import { component, type Entity, f32 } from "espalier";
import { attachNewAt } from "espalier/hierarchy";
import { SceneError, type SceneFile } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Aim, Bag, createFormat, emptyTree, expectSound, Health, Position, shapeOf } from "./scenes.ts";

const format = createFormat();
const engine: SceneFile = {
  entities: [{ id: "engine", components: { Health: { hp: 10 } }, children: [{ id: "belt" }, { id: "fan" }] }],
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
          children: [
            { id: "barrel", components: { Bag: { owner: { a: 1, b: { c: 2 } } } } },
            { id: "scope" },
          ],
        },
        { id: "motor", prefab: "engine" },
        { id: "hatch" },
      ],
    },
  ],
};
const refusals = ["scene/outside-reference", "scene/outside-parent", "scene/removed-with-parts"];
/** An edit of some entity of the tree: its kind, the entity, another one, and a value. */
const edit = fc.tuple(fc.nat(8), fc.nat(), fc.nat(), fc.nat(9));

/** A tree with an instance of the tank, after these edits. */
function setUp(edits: readonly (readonly [number, number, number, number])[] = []) {
  const tree = emptyTree();
  const { world } = tree;
  const prefab = format.prefab(tank, { file: "tank", prefabs: { engine } });
  const instance = prefab.instantiate(tree);
  for (const [kind, first, second, value] of edits) {
    const all = world.entities();
    const [e, other] = [all[first % all.length]!, all[second % all.length]!];
    if (kind === 0 && e !== instance.root) tree.destroy(e);
    else if (kind === 1 && e !== instance.root && tree.canAttach(e, other))
      tree.attach(e, other, { at: value % 3 });
    else if (kind === 2) attachNewAt(tree, e, { at: value % 4 }, Position({ x: value }));
    else if (kind === 3) world.add(e, Health({ hp: value * 100, lives: value }));
    else if (kind === 4) world.remove(e, Position);
    else if (kind === 5) world.add(e, Aim({ at: other, from: null }));
    else if (kind === 6) tree.setName(e, value === 0 ? undefined : `n${value}`);
    else if (kind === 7) world.add(e, Bag({ owner: { a: value, b: { c: value % 3 } } }));
    else if (kind === 8 && e !== instance.root) tree.moveChild(e, value % 2 ? "first" : "last");
  }
  return { tree, world, prefab, instance };
}
describe("overrides that were made at random", () => {
  it("are reverted one by one, in any order", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 15 }), fc.infiniteStream(fc.nat()), (edits, picks) => {
        const { tree, instance } = setUp(edits);
        let list = instance.overrides();
        for (let k = 0; k < 200 && list.length > 0; k++) {
          instance.revert(list[picks.next().value % list.length]);
          list = instance.overrides();
        }
        expect(list).toEqual([]);
        expectSound(tree);
      }),
      { numRuns: 100 },
    );
  });

  it("are applied: all instances are equal then, including later ones", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 15 }), (edits) => {
        const { tree, prefab, instance } = setUp(edits);
        const other = prefab.instantiate(tree);
        let next: typeof prefab;
        try {
          next = prefab.apply(instance);
        } catch (error) {
          // What became a root, or lost the inner instance it came with.
          if (error instanceof SceneError && refusals.includes(error.code)) return;
          throw error;
        }
        const name = (entity: Entity) => tree.nameOf(entity) ?? "-";
        const below = ({ root }: { root: Entity }) => shapeOf(tree, tree.childrenOf(root), name);
        for (const each of [other, next.instantiate(tree)]) expect(below(each)).toBe(below(instance));
        const rest = [...instance.overrides(), ...other.overrides()];
        expect(rest.filter(({ own }) => own !== true)).toEqual([]);
        expectSound(tree);
      }),
      { numRuns: 150 },
    );
  });
});

describe("applying", () => {
  it("includes what refers to added entities, and what they refer to", () => {
    const { tree, world, prefab, instance } = setUp();
    const turret = instance.find("turret")!;
    const flag = tree.attachNew(turret, Aim({ at: turret }));
    const lamp = tree.attachNew(instance.root, Aim({ at: flag, from: instance.root }));
    tree.setName(flag, "flag");
    tree.setName(lamp, "lamp");
    world.set(turret, Aim, { at: lamp });
    tree.attach(instance.find("barrel")!, flag);
    const next = prefab.apply(instance);
    expect(instance.overrides()).toEqual([]);
    const { entities } = next.toFile();
    expect(Object.fromEntries(entities.map(({ id, components }) => [id, components?.Aim]))).toMatchObject({
      turret: { at: "lamp", from: "tank" },
      flag: { at: "turret" },
      lamp: { at: "flag", from: "tank" },
    });
    expect(entities.find(({ id }) => id === "barrel")?.parent).toBe("flag");
  });

  it("keeps the order below added entities, even where a part of the prefab was moved there", () => {
    const { tree, prefab, instance } = setUp();
    const added = attachNewAt(tree, instance.root, { at: 0 });
    const first = tree.attachNew(added);
    const last = tree.attachNew(added);
    tree.setName(added, "added");
    tree.setName(first, "first");
    tree.setName(last, "last");
    tree.attach(instance.find("turret")!, added, { after: first });
    const { entities } = prefab.apply(instance).toFile();
    expect(entities.map(({ id }) => id)).toEqual([
      "tank",
      "added",
      "first",
      "turret",
      "barrel",
      "scope",
      "last",
      "motor",
      "hatch",
    ]);
  });

  it("keeps the order below added entities, even where a part of an inner instance was moved there", () => {
    const { tree, prefab, instance } = setUp();
    const added = attachNewAt(tree, instance.root, { at: 0 });
    tree.setName(added, "added");
    tree.attach(instance.find("motor")!, added);
    tree.attach(instance.find("motor/belt")!, added, { at: 0 });
    const other = prefab.instantiate(tree);
    const next = prefab.apply(instance);
    expect(next.toFile().entities.find(({ id }) => id === "added")?.order).toEqual(["motor/belt", "motor"]);
    expect(instance.overrides()).toEqual([]);
    const [copy] = tree.childrenOf(other.root);
    expect(tree.childrenOf(copy!)).toEqual([other.find("motor/belt"), other.find("motor")]);
  });

  it("refuses an entity whose parent is not included, or that has none", () => {
    const { tree, prefab, instance } = setUp();
    const flag = tree.attachNew(instance.root);
    tree.attach(instance.find("barrel")!, flag);
    tree.detach(instance.find("hatch")!);
    const before = prefab.save();
    const some = instance.overrides().filter(({ kind }) => kind === "parent");
    expect(() => prefab.apply(instance, some)).toThrow(
      `barrel is below #${flag}, which is not part of the prefab. Leave that override out.`,
    );
    expect(() => prefab.apply(instance, some)).toThrow(
      "hatch no longer has a parent, and a prefab has one root. Leave that override out.",
    );
    expect(prefab.save()).toBe(before);
  });

  it("refuses to remove an inner instance of which a part lives on", () => {
    const { tree, prefab, instance } = setUp();
    tree.attach(instance.find("motor/belt")!, instance.root);
    tree.destroy(instance.find("motor")!);
    expect(() => prefab.apply(instance)).toThrow(
      "motor is gone, but motor/belt, which comes with it, is still there. Leave that override out.",
    );
  });

  it("includes an added instance whose entities traded positions with those of the prefab", () => {
    const { tree, prefab, instance } = setUp();
    const added = format
      .prefab(engine, { file: "engine" })
      .instantiate(tree, { parent: instance.find("hatch")!, name: "spare" });
    tree.attach(added.find("fan")!, instance.find("turret")!, { at: "first" });
    tree.attach(instance.find("barrel")!, added.find("belt")!);
    tree.attach(instance.find("motor/belt")!, added.root, { at: "first" });
    const name = (entity: Entity) => tree.nameOf(entity) ?? "-";
    const wanted = shapeOf(tree, [instance.root], name);
    const next = prefab.apply(instance);
    expect(shapeOf(tree, [instance.root], name)).toBe(wanted);
    expect(shapeOf(tree, [next.instantiate(tree).root], name)).toBe(wanted);
    expect(instance.overrides()).toEqual([]);
    expect(next.toFile().entities.find(({ id }) => id === "spare")).toMatchObject({
      parent: "hatch",
      prefab: "engine",
      overrides: { fan: { parent: "turret" } },
    });
  });

  it("takes away a component that only this prefab gave to an inner instance", () => {
    const file: SceneFile = {
      entities: [
        { id: "car" },
        { id: "motor", parent: "car", prefab: "engine", components: { Position: { y: 3 } } },
      ],
    };
    const tree = emptyTree();
    const prefab = format.prefab(file, { file: "car", prefabs: { engine } });
    const instance = prefab.instantiate(tree);
    tree.world.remove(instance.find("motor")!, Position);
    expect(prefab.apply(instance).toFile().entities[1]).toEqual({
      id: "motor",
      parent: "car",
      prefab: "engine",
    });
  });

  it("replaces a value as a whole inside an inner instance, beside another one", () => {
    const part: SceneFile = {
      entities: [{ id: "part", children: [{ id: "box", components: { Bag: { owner: { a: 1, b: 2 } } } }] }],
    };
    const file: SceneFile = { entities: [{ id: "car", children: [{ id: "in", prefab: "part" }] }] };
    const tree = emptyTree();
    const prefab = format.prefab(file, { file: "car", prefabs: { part } });
    const instance = prefab.instantiate(tree);
    tree.world.set(instance.find("in/box")!, Bag, { items: [1], owner: { b: 3 } });
    const fresh = prefab.apply(instance).instantiate(tree);
    expect(tree.world.get(fresh.find("in/box")!, Bag)).toEqual({ items: [1], owner: { b: 3 } });
  });

  it("forgets the order of an inner instance for what leaves it", () => {
    const file: SceneFile = {
      entities: [
        { id: "car", children: [{ id: "motor", prefab: "engine", order: ["motor/fan", "motor/belt"] }] },
      ],
    };
    const tree = emptyTree();
    const prefab = format.prefab(file, { file: "car", prefabs: { engine } });
    const instance = prefab.instantiate(tree);
    tree.destroy(instance.find("motor/fan")!);
    expect(prefab.apply(instance).toFile().entities[1]).toEqual({
      id: "motor",
      parent: "car",
      prefab: "engine",
      overrides: { fan: null },
    });
  });

  it("leaves the edited instance as it is, with what was not chosen", () => {
    const { tree, world, prefab, instance } = setUp();
    const flag = attachNewAt(tree, instance.root, { at: 1 }, Aim({ at: world.spawn() }));
    tree.attach(instance.find("barrel")!, flag);
    tree.attach(instance.find("motor/fan")!, instance.find("turret")!, { at: "first" });
    world.set(instance.find("barrel")!, Bag, { items: [1] });
    const all = instance.overrides();
    const name = (entity: Entity) => `${entity}`;
    const before = shapeOf(tree, [instance.root], name);
    prefab.apply(
      instance,
      all.filter(({ kind }) => kind === "field"),
    );
    expect(shapeOf(tree, [instance.root], name)).toBe(before);
    expect(instance.overrides()).toEqual(all.filter(({ kind }) => kind !== "field"));
  });

  it("refuses to remove what still has a living part, unless that has its new parent in the prefab", () => {
    const { tree, prefab, instance } = setUp();
    tree.attach(instance.find("barrel")!, instance.root);
    tree.destroy(instance.find("turret")!);
    const all = instance.overrides();
    expect(() =>
      prefab.apply(
        instance,
        all.filter(({ kind }) => kind === "removed"),
      ),
    ).toThrow(
      "turret is gone, but barrel, which the prefab has below it, is still there. Choose its new parent too, or leave that override out.",
    );
    expect(instance.overrides()).toEqual(all);
    const { entities } = prefab.apply(instance).toFile();
    expect(entities.map(({ id }) => id)).toEqual(["tank", "motor", "hatch", "barrel"]);
  });

  it("refuses overrides that make a cycle without others", () => {
    const { tree, prefab, instance } = setUp();
    tree.attach(instance.find("barrel")!, instance.root);
    tree.attach(instance.find("turret")!, instance.find("barrel")!);
    const some = instance.overrides().filter(({ target }) => target === "turret");
    expect(() => prefab.apply(instance, some)).toThrow(
      "That would be the result of the chosen overrides: also choose those that belong to them, or leave some out.",
    );
    expect(() => prefab.apply(instance)).not.toThrow();
  });

  it("ignores unknown components of the prefab's entities, and refuses those of added ones", () => {
    const Heat = component("Heat", { degrees: f32() });
    const { tree, world, prefab, instance } = setUp();
    world.add(instance.find("turret")!, Heat());
    world.set(instance.find("turret")!, Position, { y: 1 });
    const added = tree.attachNew(instance.root, Heat());
    expect(() => prefab.apply(instance)).toThrow("has Heat, which the scene format does not know");
    const some = instance.overrides().filter(({ kind }) => kind !== "added");
    expect(prefab.apply(instance, some).toFile().entities[1]?.components).toMatchObject({
      Position: { y: 1 },
    });
    expect(instance.overrides()).toMatchObject([{ kind: "added", entity: added }]);
  });

  it("takes an instance that was made by another reading of the prefab", () => {
    const { tree, world, instance } = setUp();
    world.set(instance.root, Health, { hp: 1 });
    tree.attachNew(instance.find("motor")!);
    const again = format.prefab(tank, { file: "tank", prefabs: { engine } });
    const { entities } = again.apply(instance).toFile();
    expect(entities[0]?.components?.Health).toEqual({ hp: 1 });
    expect(entities.find(({ parent }) => parent === "motor")?.id).toBe("entity-1");
  });

  it("refuses an added instance of a prefab that has another form by that name", () => {
    const { tree, prefab, instance } = setUp();
    const other: SceneFile = { entities: [{ id: "engine", children: [{ id: "pump" }] }] };
    const { root } = format
      .prefab(other, { file: "engine" })
      .instantiate(tree, { parent: instance.root, name: "spare" });
    tree.attachNew(tree.childrenOf(root)[0]!);
    expect(() => prefab.apply(instance)).toThrow(
      "spare is an instance of engine in another form than tank finds by that name. Replace the prefab first, or leave that override out.",
    );
    expect(tree.childrenOf(instance.root)).toContain(root);
  });
});
