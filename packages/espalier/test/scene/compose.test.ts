/** Prefabs that are composed of others: against composing by hand, saved, reloaded, overridden, and refused. */
import type { Entity } from "espalier";
import { createHistory } from "espalier/history";
import {
  basePrefabOf,
  changePrefab,
  clone,
  composedOf,
  composePrefabs,
  type Instance,
  instanceOf,
  instancesIn,
  keptOf,
  makeInstance,
  mergeScenes,
  type Prefab,
  type Prefabs,
  prefabOf,
  SceneError,
  type SceneFile,
  SceneUseError,
} from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { type File, type Files, fileOf, randomFiles, randomFrom, worldLines } from "./prefab-twin.ts";
import { isSound, variant, type World } from "./reload-twin.ts";
import { Aim, createFormat, emptyTree, expectSound, Health, Label, Position, problemsOf } from "./scenes.ts";
import { tank } from "./tank-prefabs.ts";

const format = createFormat();

/** Something that burns: its flame follows the entity that burns. */
const burning: SceneFile = {
  entities: [
    {
      id: "burning",
      components: { Health: { armored: true, hp: 99 }, Label: { text: "hot" } },
      children: [{ id: "flame", name: "Flame", components: { Aim: { at: "burning" } } }],
    },
  ],
};
const wreck: SceneFile = { compose: ["tank", "burning"], entities: [] };
const prefabs = { tank, burning, wreck };

function read(all: Prefabs = prefabs, file = "wreck"): Prefab {
  const source = typeof all === "function" ? wreck : (all[file] as SceneFile);
  return format.prefab(source, { file, prefabs: all });
}

function kinds(instance: Instance): string[] {
  return instance.overrides().map(({ kind, target }) => `${kind} ${target}`);
}

describe("a composed prefab", () => {
  it("has the components of all roots, the later fields counting, and the children of all", () => {
    const tree = emptyTree();
    const instance = read().instantiate(tree);
    const { root } = instance;
    const { world } = tree;
    expect(world.get(root, Health)).toEqual({ hp: 99, armored: true, lives: 3, mood: 0 });
    expect(world.get(root, Position)).toEqual({ x: 1, y: 2 });
    expect(world.get(root, Label)).toEqual({ text: "hot" });
    expect(tree.nameOf(root)).toBe("Tank");
    const [turret, hatch, flame] = ["tank/turret", "tank/hatch", "burning/flame"].map((id) =>
      instance.find(id),
    );
    expect(tree.childrenOf(root)).toEqual([turret, hatch, flame]);
    // References to the root of either prefab lead to the one root.
    expect(world.get(turret as Entity, Aim)).toEqual({ at: instance.find("tank/barrel"), from: root });
    expect(world.get(flame as Entity, Aim)).toEqual({ at: root, from: null });
    expect(kinds(instance)).toEqual([]);
    expectSound(tree);
  });

  it("is an instance of one prefab: saved by its name, with what differs, and loaded again", () => {
    const tree = emptyTree();
    const level: SceneFile = {
      entities: [
        {
          id: "a",
          prefab: "wreck",
          components: { Label: { text: "cold" } },
          overrides: { "tank/hatch": null, Flame: { components: { Position: { x: 7 } } } },
          children: [{ id: "flag", components: { Aim: { at: "a/burning/flame" } } }],
        },
        { id: "eye", components: { Aim: { at: "a/tank/barrel" } } },
      ],
    };
    const scene = format.load(tree, level, { prefabs });
    const text = scene.save();
    expect(text).toContain('"prefab": "wreck"');
    expect(format.load(emptyTree(), text, { prefabs }).save()).toBe(text);
    const instance = instanceOf(tree, scene.entity("a/tank/turret")) as Instance;
    expect([instance.prefab, instance.root]).toEqual(["wreck", scene.entity("a")]);
    expect(kinds(instance)).toEqual(["field .", "removed tank/hatch", "component burning/flame", "added ."]);
    instance.revert();
    expect(tree.world.get(scene.entity("a"), Label)?.text).toBe("hot");
    expectSound(tree);
  });

  it("is made of prefabs in code, which gives the same", () => {
    const parts = [format.prefab(tank, { file: "tank" }), format.prefab(burning, { file: "burning" })];
    const made = composePrefabs(format, parts, { file: "wreck" });
    expect(made.save()).toBe(read().save());
    expect(composedOf(made).map(({ name, size }) => [name, size])).toEqual([
      ["tank", 4],
      ["burning", 2],
    ]);
    expect(composedOf(parts[0] as Prefab)).toEqual([]);
    // Lenient reading goes on without what is not there or wrong.
    const halfway = {
      tank,
      burning: { entities: [{ id: "burning", components: { Health: { hp: "much" } } }] },
    };
    const partly: SceneFile = { compose: ["tank", "burning", "gone"], entities: [] };
    const lenient = createFormat().prefab(partly, {
      file: "partly",
      prefabs: halfway as unknown as Prefabs,
      lenient: true,
    });
    expect(composedOf(lenient).map(({ name }) => name)).toEqual(["tank", "burning"]);
    const [one, other] = [emptyTree(), emptyTree()];
    made.instantiate(one);
    read().instantiate(other);
    expect(format.save(one)).toBe(format.save(other));
    // One of them is a prefab that is composed itself.
    const twice = composePrefabs(
      format,
      [made, format.prefab({ entities: [{ id: "flag" }] }, { file: "flag" })],
      {
        file: "twice",
      },
    );
    const tree = emptyTree();
    expect(twice.instantiate(tree).find("wreck/tank/turret")).toBeDefined();
  });

  it("keeps unknown components of every root", () => {
    const all = {
      ...prefabs,
      tank: { entities: [{ id: "tank", components: { Fuel: { left: 3 }, Crew: { size: 4 } } }] },
      burning: { entities: [{ id: "burning", components: { Smoke: {}, Crew: { fled: true } } }] },
    };
    const tree = emptyTree();
    const prefab = format.prefab(wreck, { file: "wreck", prefabs: all, unknown: "keep" });
    const { root } = prefab.instantiate(tree);
    expect(keptOf(tree, root).components).toEqual({
      Fuel: { left: 3 },
      Crew: { size: 4, fled: true },
      Smoke: {},
    });
  });

  it("made in code has inside of each prefab what that one was read with", () => {
    const [gun, cannon] = ["gun", "cannon"].map(
      (text): SceneFile => ({
        entities: [{ id: "gun", components: { Label: { text } } }],
      }),
    ) as [SceneFile, SceneFile];
    const withGun = (id: string, source: SceneFile, file: string) =>
      format.prefab(
        { entities: [{ id, children: [{ id: "gun", prefab: "gun" }] }] },
        { file: id, prefabs: () => ({ file, source }) },
      );
    const compose = (...parts: Prefab[]) => composePrefabs(format, parts, { file: "both" });
    const tree = emptyTree();
    const instance = compose(withGun("jeep", gun, "a/gun"), withGun("ship", cannon, "b/gun")).instantiate(
      tree,
    );
    const textOf = (id: string) => tree.world.get(instance.find(id) as Entity, Label)?.text;
    expect([textOf("jeep/gun"), textOf("ship/gun")]).toEqual(["gun", "cannon"]);
    // Files are told apart by their names, so two of one name cannot be.
    expect(
      problemsOf(() => compose(withGun("jeep", gun, "gun"), withGun("ship", cannon, "gun")))[0],
    ).toContain(
      'the prefab "gun" cannot be found: jeep and ship have different prefabs of that name inside. Give one of them another name.',
    );
    expect(compose(withGun("jeep", gun, "gun"), withGun("ship", { ...gun }, "gun")).size).toBe(3);
  });

  it("made in code is refused where equal files inside of two prefabs have different prefabs below", () => {
    const gun: SceneFile = { entities: [{ id: "gun", children: [{ id: "barrel", prefab: "barrel" }] }] };
    const barrel = (text: string): SceneFile => ({
      entities: [{ id: "barrel", components: { Label: { text } }, children: [{ id: "tip", prefab: "tip" }] }],
    });
    const tip = (text: string): SceneFile => ({ entities: [{ id: "tip", components: { Label: { text } } }] });
    type Inside = { readonly [name: string]: { file: string; source: SceneFile } | undefined };
    const insides = (barrelText: string, tipText: string, folder = ""): Inside => ({
      gun: { file: "gun", source: { ...gun } },
      barrel: { file: `${folder}barrel`, source: barrel(barrelText) },
      tip: { file: "tip", source: tip(tipText) },
    });
    const withGun = (id: string, inside: Inside) =>
      format.prefab(
        { entities: [{ id, children: [{ id: "gun", prefab: "gun" }] }] },
        { file: id, prefabs: (name) => inside[name] },
      );
    const jeep = withGun("jeep", insides("long", "red"));
    const compose = (...parts: Prefab[]) => composePrefabs(format, parts, { file: "both" });
    const different = (name: string, one = "jeep", other = "ship") =>
      `the prefab "${name}" cannot be found: ${one} and ${other} have different prefabs of that name inside. Give one of them another name.`;
    for (const [inside, name] of [
      [insides("short", "red"), "barrel"],
      [insides("long", "blue"), "tip"],
      [insides("long", "red", "b/"), "barrel"],
    ] as const) {
      const ship = withGun("ship", inside);
      expect(problemsOf(() => compose(jeep, ship))[0]).toContain(different(name));
      expect(problemsOf(() => compose(ship, jeep))[0]).toContain(different(name, "ship", "jeep"));
    }
    const same = compose(jeep, withGun("ship", insides("long", "red"))).instantiate(emptyTree());
    expect(same.find("ship/gun/barrel/tip")).toBeDefined();

    // One of them has the other one inside.
    const carrier = format.prefab(
      { entities: [{ id: "carrier", children: [{ id: "jeep", prefab: "jeep" }] }] },
      {
        file: "carrier",
        prefabs: (name) =>
          name === "jeep"
            ? { entities: [{ id: "jeep", children: [{ id: "gun", prefab: "gun" }] }] }
            : insides("long", "blue")[name],
      },
    );
    expect(problemsOf(() => compose(jeep, carrier))[0]).toContain(different("tip", "jeep", "carrier"));
  });

  it("has the name of its file as the id of its root, wherever the file is", () => {
    const flag: SceneFile = { entities: [{ id: "flag" }] };
    for (const file of ["wreck", "ships/wreck", "ships/wreck.prefab.json", "C:\\ships\\wreck.prefab.json"]) {
      const find = (name: string) => {
        if (name === "wreck") return { file, source: wreck };
        return { ...prefabs, flag }[name as "tank"];
      };
      const twice = format.prefab(
        { compose: ["wreck", "flag"], entities: [] },
        { file: "twice", prefabs: find },
      );
      expect(twice.instantiate(emptyTree()).find("wreck/tank/turret")).toBeDefined();
    }
  });

  it("follows each of its prefabs, with overrides, references and kept entities, and an undo leads back", () => {
    const tree = emptyTree();
    const history = createHistory(tree.world);
    const prefab = read();
    const instance = prefab.instantiate(tree);
    const { root } = instance;
    const [turret, flame] = ["tank/turret", "burning/flame"].map((id) => instance.find(id)) as [
      Entity,
      Entity,
    ];
    history.step("Label", () => tree.world.add(turret, Label({ text: "mine" })));
    const before = format.save(tree, tree.childrenOf(null));

    const hotter: SceneFile = {
      entities: [
        {
          id: "burning",
          components: { Health: { hp: 5 } },
          children: [{ id: "smoke" }, { id: "flame", components: { Aim: { at: "smoke" } } }],
        },
      ],
    };
    expect(format.reloadPrefab(tree, "burning", hotter).map((one) => one.root)).toEqual([root]);
    expect(tree.world.get(root, Health)?.hp).toBe(5);
    expect(tree.world.has(root, Label)).toBe(false);
    expect(instance.find("burning/flame")).toBe(flame);
    expect(tree.world.get(flame, Aim)?.at).toBe(instance.find("burning/smoke"));
    const [fromTank] = tank.entities;
    format.reloadPrefab(tree, "tank", {
      entities: [{ ...fromTank, components: { Position: { x: 50 } } }],
    } as SceneFile);
    expect([tree.world.get(root, Position)?.x, tree.world.get(turret, Label)?.text]).toEqual([50, "mine"]);
    expect(tree.world.get(root, Health)?.hp).toBe(5);
    // The prefab that the program holds follows too.
    expect(tree.world.get(prefab.instantiate(tree).root, Position)?.x).toBe(50);
    expect(history.undoLabels).toEqual(["", "Reload prefab", "Reload prefab", "Label", ""]);
    for (let k = 0; k < 3; k++) history.undo();
    expect(format.save(tree, tree.childrenOf(null))).toBe(before);
    expect(prefabOf(instance).save()).toBe(read().save());
    expectSound(tree);
  });

  it("follows its own file when that is composed of others, and becomes an ordinary prefab", () => {
    const tree = emptyTree();
    const prefab = read();
    const instance = prefab.instantiate(tree);
    const turret = instance.find("tank/turret");
    const flag: SceneFile = { entities: [{ id: "flag", components: { Label: { text: "flag" } } }] };
    const next: SceneFile = { compose: ["flag", "tank"], entities: [] };
    format.reloadPrefab(tree, "wreck", next, { prefabs: { flag } });
    expect(instance.find("tank/turret")).toBe(turret);
    expect([instance.find("burning/flame"), tree.world.get(instance.root, Label)?.text]).toEqual([
      undefined,
      "flag",
    ]);
    format.reloadPrefab(tree, "wreck", { entities: [{ id: "plain", children: [{ id: "x" }] }] });
    expect([instance.find("x") === undefined, tree.childCount(instance.root)]).toEqual([false, 1]);
    expectSound(tree);
  });

  it("may be the base of a variant, which takes overrides where the composed one refuses them", () => {
    const tree = emptyTree();
    const direct = read().instantiate(tree);
    tree.world.set(direct.root, Health, { hp: 1 });
    const before = format.save(tree, [direct.root]);
    expect(problemsOf(() => prefabOf(direct).apply(direct), tree)).toEqual([
      "wreck:-:-  . scene/invalid-composition wreck is composed of other prefabs. Apply them to an instance of one of those, or write a prefab whose root is an instance of wreck and use that.",
    ]);
    expect(format.save(tree, [direct.root])).toBe(before);

    const all = { ...prefabs, own: { entities: [{ id: "own", prefab: "wreck" }] } };
    const own = read(all, "own");
    expect(basePrefabOf(own)?.name).toBe("wreck");
    expect(composedOf(basePrefabOf(own) as Prefab).map(({ name }) => name)).toEqual(["tank", "burning"]);
    const instance = own.instantiate(tree);
    tree.world.add(instance.find("own/burning/flame") as Entity, Label({ text: "blue" }));
    const next = own.apply(instance);
    expect(next.toFile().entities).toEqual([
      {
        id: "own",
        prefab: "wreck",
        overrides: { "burning/flame": { components: { Label: { text: "blue" } } } },
      },
    ]);
    expect(kinds(instance)).toEqual([]);
  });

  it("copies, and gives each instance objects of its own", () => {
    const tree = emptyTree();
    const { root } = read().instantiate(tree);
    const copy = clone(tree, root);
    expect(instancesIn(tree).map((one) => one.root)).toEqual([root, copy]);
    expect(kinds(instanceOf(tree, copy) as Instance)).toEqual([]);
  });

  it("is what entities made by hand become an instance of, matched by names as in a variant", () => {
    const variantOf = { entities: [{ id: "own", prefab: "tank" }] };
    for (const prefab of [read(), read({ ...prefabs, wreck: variantOf })]) {
      const tree = emptyTree();
      const root = tree.attachNew(null);
      const turret = tree.attachNew(root);
      const barrel = tree.attachNew(turret);
      tree.setName(turret, "Turret");
      tree.setName(barrel, "Barrel");
      const instance = makeInstance(tree, root, prefab);
      expect(instance.overrides().filter(({ kind }) => kind === "added")).toEqual([]);
      instance.revert();
      expect([tree.parentOf(barrel), tree.world.has(turret, Aim)]).toEqual([turret, true]);
      expectSound(tree);
    }
  });

  it("is what an instance can change to, and its file merges like others", () => {
    const tree = emptyTree();
    const instance = format.prefab(tank, { file: "tank" }).instantiate(tree);
    changePrefab(instance, read());
    expect([instance.prefab, instance.find("burning/flame") === undefined]).toEqual(["wreck", false]);

    const all = { ...prefabs, flag: { entities: [{ id: "flag" }] } };
    const ours = { compose: ["tank", "burning", "flag"], entities: [] };
    expect(mergeScenes(format, wreck, ours, wreck, { prefabs: all })).toEqual({
      file: { compose: ours.compose, entities: [] },
      conflicts: [],
    });
    const theirs = { compose: ["tank", "flag"], entities: [] };
    const merged = mergeScenes(format, wreck, ours, theirs, { prefabs: all });
    expect([merged.file.compose, merged.conflicts.length]).toEqual([ours.compose, 1]);
    expect(mergeScenes(format, wreck, ours, theirs, { prefabs: all, resolve: "theirs" }).file).toEqual(
      theirs,
    );
    // One side wrote it out, the other changed what it is composed of: it is one of the two.
    const plain = { entities: [{ id: "plain" }] };
    const either = mergeScenes(format, wreck, ours, plain, { prefabs: all });
    expect([either.file, either.conflicts.map(({ key }) => key)]).toEqual([ours, ["unsound"]]);
    expect(mergeScenes(format, wreck, wreck, plain, { prefabs: all }).file).toEqual(plain);
    const broken = { compose: ["tank"], entities: [] };
    expect(problemsOf(() => mergeScenes(format, wreck, broken, wreck, { prefabs }))[0]).toContain(
      "compose takes an array of at least two names",
    );
  });
});

describe("a random composed prefab", () => {
  const library = (files: Files) => (name: string) => {
    const file = files[name];
    return file && fileOf(file);
  };
  const linesOf = ({ tree, root }: Instance) => {
    const numbers = new Map<Entity, number>();
    for (const entity of tree.descendants(root, { includeSelf: true })) numbers.set(entity, numbers.size);
    return worldLines(tree, [root], (entity) => String(numbers.get(entity)));
  };

  it("is the same after a reload of one of its prefabs as when it is read again, and saves and loads the same", () => {
    property(
      fc.integer(),
      (seed) => {
        const random = randomFrom(seed);
        const first: World = { files: { ...randomFiles(random, 2 + random(4)) }, scene: { entities: [] } };
        const names = Object.keys(first.files);
        first.files["-1"] = { entities: [], compose: names.slice(0, 2), file: "-1" };
        if (!isSound(first)) return;
        const tree = emptyTree();
        // Of its own: a format reloads every prefab that it read and that is still held.
        const format = createFormat();
        const read = (files: Files) =>
          format.prefab(fileOf(files["-1"] as File), { file: "-1", prefabs: library(files) });
        const prefab = read(first.files);
        const instance = prefab.instantiate(tree, { name: "one" });
        const parts = names
          .slice(0, 2)
          .map((name) =>
            format.prefab(fileOf(first.files[name] as File), { file: name, prefabs: library(first.files) }),
          );
        const made = composePrefabs(format, parts, { file: "-1" });
        const inCode = made.instantiate(tree, { name: "one" });
        expect(linesOf(inCode)).toEqual(linesOf(instance));
        const second = variant(random, first);
        const name = Object.keys(first.files)[random(names.length + 1)] as string;
        const files = { ...first.files, [name]: second.files[name] as File };
        if (!isSound({ files, scene: first.scene })) return;
        format.reloadPrefab(tree, name, fileOf(files[name] as File), { prefabs: library(files) });
        const again = read(files).instantiate(tree, { name: "one" });
        expect(linesOf(instance)).toEqual(linesOf(again));
        expect(linesOf(prefab.instantiate(tree, { name: "one" }))).toEqual(linesOf(again));
        // Of its own file it knows the former text only.
        if (name !== "-1") {
          expect(linesOf(inCode)).toEqual(linesOf(again));
          expect(linesOf(made.instantiate(tree, { name: "one" }))).toEqual(linesOf(again));
        }
        expect(kinds(instance)).toEqual(kinds(again));
        const text = format.save(tree);
        const loaded = format.load(emptyTree(), text, { prefabs: library(files) });
        expect(format.save(loaded.tree)).toBe(text);
        expectSound(tree);
      },
      200,
    );
  });
});

describe("a composition that cannot be", () => {
  const check = (compose: unknown, more: object = {}, all: object = {}) =>
    problemsOf(() =>
      format.prefab({ compose, entities: [], ...more } as SceneFile, {
        file: "it",
        prefabs: { ...prefabs, ...all },
      }),
    );

  it("is refused with its location and what to do", () => {
    expect(check(["tank", "burning", "tank"])).toEqual([
      'it:-:- compose - scene/invalid-composition The prefab is composed of "tank" twice. Name each prefab once.',
    ]);
    expect(check(["tank", "other"], {}, { other: { entities: [{ id: "tank" }] } })).toEqual([
      'it:-:- compose[1] - scene/invalid-composition The roots of several of the prefabs have the id "tank", by which their entities are told apart. Give the root in other another id.',
    ]);
    expect(
      check(["wreck", "b/wreck"], {}, { "b/wreck": { compose: ["tank", "burning"], entities: [] } })[0],
    ).toContain(
      'have the id "wreck", by which their entities are told apart. Rename b/wreck: the id is the name of the file.',
    );
    expect(problemsOf(() => format.prefab({ compose: ["tank", "burning"] } as never, { prefabs }))).toEqual([
      "-:-:- entities - scene/wrong-shape A scene has an array of entities, found none. A composed prefab has an empty one.",
    ]);
    expect(check(["tank", "brning"])).toEqual([
      'it:-:- compose[1] - scene/unknown-prefab A composed prefab: there is no prefab "brning". Did you mean "burning"?',
    ]);
    expect(check(["tank"])).toEqual([
      "it:-:- compose - scene/wrong-shape compose takes an array of at least two names of prefabs, got an array of 1.",
    ]);
    expect(check("tank")[0]).toContain("scene/wrong-shape compose takes an array");
    expect(check(["tank", 5])[0]).toContain("scene/wrong-shape compose takes an array");
    expect(check(["tank", "burning"], { entities: [{ id: "x" }] })).toEqual([
      "it:-:- entities - scene/invalid-composition A composed prefab has no entities of its own. Leave entities empty, and write what differs into a prefab whose root is an instance of this one.",
    ]);
  });

  it("is refused when it contains itself, directly or by others", () => {
    const loop = (all: { [name: string]: SceneFile }) =>
      problemsOf(() => format.prefab(all.a as SceneFile, { file: "a", prefabs: { ...prefabs, ...all } })).map(
        (line) => line.split(" ").slice(3).join(" "),
      );
    expect(loop({ a: { compose: ["tank", "a"], entities: [] } })).toEqual([
      'scene/prefab-loop A composed prefab: the prefab "a" contains itself: a > a. Remove one of the instances.',
    ]);
    expect(
      loop({
        a: { compose: ["tank", "b"], entities: [] },
        b: { entities: [{ id: "b", children: [{ id: "c", prefab: "a" }] }] },
      })[0],
    ).toContain('scene/prefab-loop Entity "c": the prefab "a" contains itself: a > b > a.');
  });

  it("is refused as a scene, and where an entity names several prefabs", () => {
    const tree = emptyTree();
    const why =
      "A composed prefab is not a scene. Instantiate it, or open one of the prefabs that it is composed of.";
    expect(problemsOf(() => format.load(tree, wreck, { prefabs }), tree)).toEqual([
      `-:-:- compose - scene/invalid-composition ${why}`,
    ]);
    const scene = format.load(tree, { entities: [{ id: "a" }] }, { prefabs });
    expect(() => scene.reload(wreck)).toThrow(why);
    expect(scene.find("a")).toBeDefined();
    expect(format.check(wreck, { prefabs })).toEqual([]);
    const several = { entities: [{ id: "a", prefab: ["tank", "burning"] }] } as unknown as SceneFile;
    expect(problemsOf(() => format.load(tree, several, { prefabs }), tree)[0]).toContain(
      'Write a prefab that is composed of them, { "compose": [...], "entities": [] }, and name that.',
    );
  });

  it("is refused in code", () => {
    const one = format.prefab(tank, { file: "tank" });
    const compose = (...given: unknown[]) => (composePrefabs as (...all: unknown[]) => unknown)(...given);
    expect(() => compose(format, [one, one], { file: "x" })).toThrow(SceneError);
    expect(() => compose(format, [one], { file: "x" })).toThrow(SceneError);
    for (const wrong of [
      [undefined, [one, one], { file: "x" }],
      [format, one, { file: "x" }],
      [format, [one, tank], { file: "x" }],
      [format, [one], {}],
      [format, [one], { file: "" }],
      [format, [one], { name: "x" }],
    ]) {
      expect(() => compose(...wrong)).toThrow(/^Cannot compose prefabs/);
    }
    expect(() => composedOf(tank as never)).toThrow(SceneUseError);
  });
});
