import { component, type Entity, f32 } from "espalier";
import { checkTree, constrain } from "espalier/hierarchy";
import {
  applyPatch,
  createHistory,
  diff,
  restoreSnapshot,
  takeSnapshot,
  transaction,
} from "espalier/history";
import {
  createSceneFormat,
  type Instance,
  instanceOf,
  instancesIn,
  prefabOf,
  type Scene,
  SceneError,
  type SceneFile,
  unpackInstance,
} from "espalier/scene";
import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { Aim, components, emptyTree, expectSound, Health, Position } from "./scenes.ts";

const format = createSceneFormat({ components: [Transform2D, ...components] });
const tank: SceneFile = {
  entities: [
    {
      id: "tank",
      name: "Tank",
      components: { Transform2D: {}, Health: { hp: 250 } },
      children: [
        { id: "turret", components: { Position: { y: 20 } }, children: [{ id: "barrel" }] },
        { id: "hatch" },
      ],
    },
  ],
};
const squad: SceneFile = {
  entities: [
    {
      id: "squad",
      children: [
        { id: "lead", prefab: "tank" },
        { id: "wing", prefab: "tank" },
      ],
    },
  ],
};
const prefabs = { tank, squad };
const level: SceneFile = {
  entities: [
    { id: "a", prefab: "tank" },
    { id: "b", prefab: "tank", components: { Transform2D: { x: 5 } } },
    { id: "s", prefab: "squad" },
    { id: "crate", name: "crate", components: { Position: { x: 1 } } },
  ],
};

function setUp() {
  const tree = emptyTree();
  const scene = format.load(tree, level, { prefabs });
  const history = createHistory(tree.world);
  const instance = (id: string) => instanceOf(tree, scene.entity(id)) as Instance;
  return { tree, world: tree.world, scene, history, a: instance("a"), b: instance("b"), s: instance("s") };
}

/** The texts of the scene and of all prefabs that are followed in it. */
function textsOf(scene: Scene): string {
  const texts = instancesIn(scene.tree).map((each) => `${each.prefab}: ${prefabOf(each).save()}`);
  return [scene.save(), ...[...new Set(texts)].sort()].join("\n");
}

/** Loads what was saved with the prefabs that are followed, and compares what is saved then. */
function expectLoadable(scene: Scene): void {
  const own = Object.fromEntries(instancesIn(scene.tree).map((each) => [each.prefab, prefabOf(each).save()]));
  const text = scene.save();
  expect(format.load(emptyTree(), text, { prefabs: { ...prefabs, ...own } }).save()).toBe(text);
}

describe("applying overrides", () => {
  it("is a step of its own, which undo takes back with the prefab's text, and redo does again", () => {
    const { world, scene, history, a, b, s } = setUp();
    const start = textsOf(scene);
    world.set(a.root, Health, { hp: 7 });
    const edited = textsOf(scene);
    prefabOf(a).apply(a);
    const applied = textsOf(scene);
    world.set(b.root, Health, { lives: 9 });
    expect(history.undoLabels).toEqual(["", "Apply to tank", ""]);
    expect([b.root, s.find("lead")!].map((e) => world.get(e, Health)?.hp)).toEqual([7, 7]);
    expectLoadable(scene);
    history.undo();
    expect(textsOf(scene)).toBe(applied);
    history.undo();
    expect(textsOf(scene)).toBe(edited);
    expect([a.root, b.root].map((e) => world.get(e, Health)?.hp)).toEqual([7, 250]);
    expectLoadable(scene);
    history.undo();
    expect(textsOf(scene)).toBe(start);
    expectLoadable(scene);
    history.redo();
    history.redo();
    expect(textsOf(scene)).toBe(applied);
    expect(a.overrides()).toEqual([]);
  });

  it("is rolled back with a transaction that fails", () => {
    const { tree, world, scene, a } = setUp();
    world.set(a.root, Health, { hp: 7 });
    const before = textsOf(scene);
    const fail = () => {
      prefabOf(a).apply(a);
      throw new Error("no");
    };
    expect(() => transaction(world, fail)).toThrow("no");
    expect(textsOf(scene)).toBe(before);
    expectSound(tree);
  });

  it("is brought back by snapshots and differences, even where many instances came and went meanwhile", () => {
    const { tree, world, scene, history, a } = setUp();
    history.close();
    const options = { trees: [tree] };
    const before = takeSnapshot(world, options);
    const [start, former] = [textsOf(scene), a.overrides()];
    world.set(a.root, Health, { hp: 7 });
    prefabOf(a).apply(a);
    const after = takeSnapshot(world, options);
    const applied = textsOf(scene);
    const other = format.prefab({ entities: [{ id: "shot" }] }, { file: "shot" });
    for (let k = 0; k < 3000; k++) tree.destroy(other.instantiate(tree).root);
    restoreSnapshot(world, before, options);
    expect([textsOf(scene), a.overrides()]).toEqual([start, former]);
    applyPatch(world, diff(before, after), options);
    expect(textsOf(scene)).toBe(applied);
    restoreSnapshot(world, before, options);
    expect(textsOf(scene)).toBe(start);
  });

  it("keeps the name and the pose of the root in the instance, in every form of the call", () => {
    const { tree, world, scene, history, a, b } = setUp();
    tree.setName(a.root, "Red");
    world.set(a.root, Transform2D, { x: 30, rotation: 1, scaleX: 2 });
    world.set(a.find("turret")!, Position, { y: 1 });
    const own = a.overrides().filter((override) => override.own);
    expect(own.map(({ kind, field = "" }) => `${kind} ${field}`)).toEqual([
      "name ",
      "field x",
      "field rotation",
    ]);
    const before = textsOf(scene);
    for (const override of own) {
      expect(() => prefabOf(a).apply(a, override)).toThrow("of the root is the instance's own.");
    }
    expect(textsOf(scene)).toBe(before);
    const next = prefabOf(a).apply(a);
    expect(next.toFile().entities[0]).toMatchObject({
      name: "Tank",
      components: { Transform2D: { scaleX: 2 } },
    });
    expect(next.toFile().entities[0]?.components?.Transform2D).toEqual({ scaleX: 2 });
    expect(a.overrides()).toEqual(own);
    expect(world.get(b.root, Transform2D)).toMatchObject({ x: 5, rotation: 0, scaleX: 2 });
    a.revert();
    expect([tree.nameOf(a.root), world.get(a.root, Transform2D)?.x]).toEqual(["Red", 30]);
    a.revert(own);
    expect([tree.nameOf(a.root), world.get(a.root, Transform2D)?.x]).toEqual(["Tank", 0]);
    while (history.undo()) {}
    expect(a.overrides()).toEqual([]);
  });

  it("leaves the pose out of a component that was added to the root", () => {
    const bare = format.prefab({ entities: [{ id: "bare" }] }, { file: "bare" });
    const tree = emptyTree();
    const instance = bare.instantiate(tree);
    tree.world.add(instance.root, Transform2D({ x: 3, scaleY: 4 }));
    const next = bare.apply(instance);
    expect(next.toFile().entities[0]?.components).toEqual({ Transform2D: { scaleY: 4 } });
    expect(instance.overrides()).toMatchObject([{ field: "x", value: 3, own: true }]);
  });

  it("makes an entity that was moved into the instance part of the prefab, once", () => {
    const { tree, scene, history, a, b } = setUp();
    const crate = scene.entity("crate");
    scene.save();
    history.step("Move", () => tree.attach(crate, a.find("turret")!));
    const before = textsOf(scene);
    // As a tool does that has nothing but the text of the file.
    const next = format.prefab(prefabOf(a).save(), { file: "tank", prefabs }).apply(a);
    expect(tree.childrenOf(a.find("turret")!)).toEqual([a.find("barrel"), crate]);
    expect(tree.childrenOf(b.find("turret")!)).toHaveLength(2);
    expect([a.overrides(), next.toFile().entities.map(({ id }) => id)]).toEqual([
      [],
      ["tank", "turret", "barrel", "crate", "hatch"],
    ]);
    const saved = textsOf(scene);
    expect(scene.toFile().entities.map(({ id }) => id)).toEqual(["a", "b", "s"]);
    expectLoadable(scene);
    scene.reload(scene.save(), { prefabs: { ...prefabs, tank: next.save() } });
    expect(textsOf(scene)).toBe(saved);
    history.undo();
    expect(textsOf(scene)).toBe(before);
    history.undo();
    expect(scene.entity("crate")).toBe(crate);
  });

  it("to one of two instances and unpacking the other are undone step by step", () => {
    const { tree, world, scene, history, a, b } = setUp();
    const texts = [textsOf(scene)];
    const step = (label: string, work: () => void) => {
      history.step(label, work);
      texts.push(textsOf(scene));
    };
    step("Change", () => world.set(a.find("turret")!, Position, { x: 3 }));
    step("Change the other", () => world.set(b.find("turret")!, Position, { y: 1 }));
    step("Apply", () => prefabOf(b).apply(b));
    step("Unpack", () => unpackInstance(tree, a.root));
    for (let k = texts.length - 2; k >= 0; k--) {
      expect(history.undo()).toBe(true);
      expect(textsOf(scene)).toBe(texts[k]);
    }
    for (let k = 1; k < texts.length; k++) {
      expect(history.redo()).toBe(true);
      expect(textsOf(scene)).toBe(texts[k]);
    }
    expectSound(tree);
  });

  it("takes single fields, components, and entities that were added or removed, each undone exactly", () => {
    const { tree, world, scene, history, a, b } = setUp();
    const added = tree.attachNew(a.root, Position({ x: 9 }));
    tree.setName(added, "flag");
    world.add(a.find("turret")!, Aim({ at: a.root }));
    world.set(a.find("turret")!, Position, { x: 1, y: 2 });
    tree.destroy(a.find("hatch")!);
    history.commit();
    const before = textsOf(scene);
    const all = a.overrides();
    const part = (k: number) => all.filter((override) => override !== all[k]);
    expect(all.map(({ kind }) => kind)).toEqual(["field", "field", "component", "removed", "added"]);
    all.forEach((override, k) => {
      history.step("Apply", () => prefabOf(a).apply(a, override));
      expect(a.overrides()).toEqual(part(k));
      history.undo();
      expect(textsOf(scene)).toBe(before);
      history.step("Revert", () => a.revert(override));
      expect(a.overrides()).toEqual(part(k));
      expectLoadable(scene);
      history.undo();
      expect([textsOf(scene), a.overrides()]).toEqual([before, all]);
    });
    const fields = all.filter(({ component: name }) => name === "Position");
    history.step("Revert", () => a.revert(fields));
    expect(world.get(a.find("turret")!, Position)).toEqual({ x: 0, y: 20 });
    history.undo();
    history.step("Apply", () => prefabOf(a).apply(a, fields));
    expect(world.get(b.find("turret")!, Position)).toEqual({ x: 1, y: 2 });
    history.undo();
    expect(textsOf(scene)).toBe(before);
  });

  it("refuses a prefab that would contain itself, and changes nothing", () => {
    const { tree, scene, a, b } = setUp();
    tree.attach(b.root, a.find("turret")!);
    const before = textsOf(scene);
    let code = "";
    try {
      prefabOf(a).apply(a);
    } catch (error) {
      code = (error as SceneError).code;
    }
    expect(code).toBe("scene/prefab-loop");
    expect(textsOf(scene)).toBe(before);
    prefabOf(b).apply(b);
    expect(textsOf(scene)).toBe(before);
  });

  it("to a prefab inside which the instance is refuses to take that part away, and changes nothing", () => {
    const { tree, world, scene, history, a, b } = setUp();
    tree.attach(b.root, a.find("turret")!);
    tree.destroy(b.find("turret")!);
    world.set(b.root, Health, { hp: 3 });
    history.commit();
    const before = textsOf(scene);
    expect(() => prefabOf(b).apply(b)).toThrow("the instance is below an entity of another one");
    expect(() => transaction(world, () => prefabOf(b).apply(b))).toThrow(SceneError);
    expect(textsOf(scene)).toBe(before);
    expectSound(tree);
    const removal = b.overrides().filter(({ kind }) => kind !== "removed");
    prefabOf(b).apply(
      b,
      removal.filter((override) => !override.own),
    );
    expect(world.get(a.root, Health)?.hp).toBe(3);
    history.undo();
    expect(textsOf(scene)).toBe(before);
  });
});

describe("replacing a prefab", () => {
  it("is undone: the instances follow the former one again, and are saved as before", () => {
    const { world, scene, history, a, b, s } = setUp();
    world.set(b.root, Health, { hp: 1 });
    history.commit();
    const before = textsOf(scene);
    const text = JSON.stringify(tank).replace("250", "40").replace(`{"id":"hatch"}`, `{"id":"door"}`);
    prefabOf(a).replace(scene.tree, format.prefab(text, { file: "tank", prefabs }));
    const after = textsOf(scene);
    expect([a.root, b.root, s.find("wing")!].map((e) => world.get(e, Health)?.hp)).toEqual([40, 1, 40]);
    expect([a.find("hatch"), s.find("lead/hatch")]).toEqual([undefined, undefined]);
    expectLoadable(scene);
    history.undo();
    expect(textsOf(scene)).toBe(before);
    expectLoadable(scene);
    expect(b.overrides()).toMatchObject([{ field: "x" }, { field: "hp", value: 1 }]);
    history.redo();
    expect(textsOf(scene)).toBe(after);
    expect(checkTree(scene.tree)).toEqual([]);
  });

  it("changes nothing when an instance cannot follow", () => {
    const { tree, scene, a, b } = setUp();
    const before = textsOf(scene);
    const children = [{ id: "turret" }, { id: "hatch", children: [{ id: "third" }] }];
    const next = format.prefab({ entities: [{ id: "tank", children }] }, { file: "tank" });
    // The first instance has followed when the second one is refused.
    constrain(tree, {
      name: "a closed hatch",
      attach: (_child, parent) => (parent === b.find("hatch") ? "it takes none" : undefined),
    });
    expect(() => prefabOf(a).replace(tree, next)).toThrow("it takes none");
    expect(textsOf(scene)).toBe(before);
  });
});

describe("a component", () => {
  it("refuses a placement that is not one of its fields", () => {
    expect(() => component("Wrong", { x: f32() }, { placement: ["y"] })).toThrow(
      "Cannot define component Wrong: placement is",
    );
  });

  it("says itself which of its fields are placement", () => {
    const Cell = component("Cell", { column: f32(), width: f32() }, { placement: ["column"] });
    const own = createSceneFormat({ components: [Cell] });
    const prefab = own.prefab({ entities: [{ id: "p", components: { Cell: {} } }] }, { file: "p" });
    const tree = emptyTree();
    const instance = prefab.instantiate(tree, { components: { Cell: { column: 2, width: 3 } } });
    expect(prefab.apply(instance).toFile().entities[0]?.components).toEqual({ Cell: { width: 3 } });
    expect(tree.world.get(instance.root as Entity, Cell)).toEqual({ column: 2, width: 3 });
  });
});
