import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat, type SceneFile } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { chain } from "./prefab-chain.ts";
import {
  Broken,
  type Entry,
  expand,
  type File,
  type Files,
  fileOf,
  plainLines,
  randomFile,
  randomFiles,
  randomFrom,
  worldLines,
} from "./prefab-twin.ts";
import { createFormat, emptyTree } from "./scenes.ts";

const format = createFormat();

function library(files: Files): { [name: string]: SceneFile } {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, fileOf(file)]));
}

/** A scene of the prefabs that is sound by the slow twin. */
function randomScene(seed: number): { files: Files; scene: File } {
  const random = randomFrom(seed);
  const files = randomFiles(random, 2 + random(7));
  return { files, scene: randomFile(random, files, Object.keys(files).reverse(), 1 + random(3)) };
}

describe("prefabs inside prefabs", () => {
  it("give what copying everything by plain recursion gives", () => {
    property(
      fc.integer(),
      (seed) => {
        const { files, scene } = randomScene(seed);
        const prefabs = library(files);
        const wanted = plainLines(expand(files, scene));
        const tree = emptyTree();
        const loaded = format.load(tree, fileOf(scene), { prefabs });
        const lines = (from = loaded) => worldLines(from.tree, from.roots(), (e) => from.idOf(e) ?? "?");
        expect(lines()).toEqual(wanted);
        for (const id of expand(files, scene).byId.keys()) expect(loaded.idOf(loaded.entity(id))).toBe(id);
        const lenient = format.load(emptyTree(), fileOf(scene), { prefabs, lenient: true });
        expect([...lenient.problems, ...lines(lenient)]).toEqual(wanted);
        const text = loaded.save();
        expect(lenient.save()).toBe(text);
        const again = format.load(emptyTree(), text, { prefabs });
        expect(lines(again)).toEqual(wanted);
        expect(again.save()).toBe(text);
      },
      200,
    );
  });

  it("give the same whether a prefab is used once or elsewhere too", () => {
    property(
      fc.integer(),
      (seed) => {
        const { files, scene } = randomScene(seed);
        const prefabs = library(files);
        const spare = Object.keys(files).map((prefab) => ({ id: `spare-${prefab}`, prefab }));
        const load = (file: File) => format.load(emptyTree(), fileOf(file), { prefabs });
        const once = load(scene);
        const often = load({ entities: [...scene.entities, ...spare] });
        for (const { id } of spare) often.tree.destroy(often.entity(id));
        expect(often.save()).toBe(once.save());
      },
      100,
    );
  });

  it("are instantiated as they are, with nothing that differs from the prefab", () => {
    property(
      fc.integer(),
      (seed) => {
        const { files } = randomScene(seed);
        const prefab = format.prefab(fileOf(files[0] as File), {
          file: "0",
          prefabs: library(files),
        });
        const tree = emptyTree();
        const instance = prefab.instantiate(tree);
        expect(instance.overrides()).toEqual([]);
        const { roots, byId } = expand(files, files[0] as File);
        expect(prefab.size).toBe(byId.size);
        const ids = new Map([...byId.keys()].map((id) => [instance.find(id), id]));
        expect(worldLines(tree, [instance.root], (e) => ids.get(e) ?? "?")).toEqual(plainLines({ roots }));
        const flat = format.prefab(prefab.toFile(), { file: "0", prefabs: library(files) });
        expect(flat.save()).toBe(prefab.save());
      },
      100,
    );
  });

  it("are refused where the slow twin refuses them, wherever the fault is", () => {
    property(
      fc.integer(),
      (seed) => {
        const { files, scene } = randomScene(seed);
        const random = randomFrom(seed + 1);
        const broken = JSON.parse(JSON.stringify(files)) as Files;
        damage(random, broken[random(Object.keys(files).length)] as File);
        let isSound = true;
        try {
          for (const [name, file] of Object.entries(broken)) {
            if (expand(broken, file).roots.length !== 1) throw new Broken(name);
          }
          expand(broken, scene);
        } catch (error) {
          if (!(error instanceof Broken)) throw error;
          isSound = false;
        }
        const used = Object.keys(broken).map((prefab) => ({ id: `used-${prefab}`, prefab }));
        const prefabs = library(broken);
        const problems = format.check(fileOf({ entities: [...scene.entities, ...used] }), { prefabs });
        expect(problems.length === 0).toBe(isSound);
        const alone = format.check(fileOf(scene), { prefabs });
        if (isSound) expect(alone).toEqual([]);
      },
      200,
    );
  });
});

/** Breaks something in a file, or not. */
function damage(random: (below: number) => number, file: File): void {
  if (file.compose !== undefined) {
    if (random(2) === 0) file.compose.push(file.compose[random(file.compose.length)] as string);
    return;
  }
  const list: Entry[] = [];
  const stack = [...file.entities];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    list.push(entry);
    stack.push(...(entry.children ?? []));
  }
  const entry = list[random(list.length)] as Entry;
  const what = random(5);
  const [key = "e1"] = Object.keys(entry.overrides ?? {});
  if (what === 0) {
    delete entry.prefab;
    delete entry.overrides;
  } else if (what === 1)
    entry.components = { ...entry.components, Aim: { at: `e${random(9)}/e${random(3)}` } };
  else if (what === 2 && entry.prefab !== undefined) entry.overrides = { ...entry.overrides, [key]: null };
  else if (what === 3) entry.children = [];
  else if (entry.prefab !== undefined)
    entry.overrides = { ...entry.overrides, [`e${random(9)}`]: { name: "x" } };
}

describe("a chain of 10,000 prefabs, each with the next inside", () => {
  // Once per level, each of these would make fifty million entities.
  const levels = 10_000;
  const prefabs = chain(levels);
  const count = 3 * levels + levels - 1;

  it("is checked, loaded, saved and loaded again", () => {
    const scene = { entities: [{ id: "s", prefab: "0" }] };
    expect(format.check(scene, { prefabs })).toEqual([]);
    const tree = createHierarchy(createWorld());
    const loaded = format.load(tree, scene, { prefabs });
    expect(tree.world.count).toBe(count);
    const deep = `s/${"in/".repeat(levels - 1)}second`;
    expect(loaded.idOf(loaded.entity(deep))).toBe(deep);
    const text = loaded.save();
    expect(text).not.toContain("overrides");
    expect(format.load(createHierarchy(createWorld()), text, { prefabs }).save()).toBe(text);
  });

  it("is made, differs nowhere from itself, and is written flat", () => {
    const prefab = format.prefab(prefabs[0] as SceneFile, { file: "0", prefabs });
    const instance = prefab.instantiate(createHierarchy(createWorld()));
    expect(prefab.size).toBe(count);
    expect(instance.overrides()).toEqual([]);
    expect(prefab.toFile().entities).toHaveLength(5);
  });

  it("is edited deep inside, which is applied", () => {
    const prefab = format.prefab(prefabs[0] as SceneFile, { file: "0", prefabs });
    const tree = createHierarchy(createWorld());
    const instance = prefab.instantiate(tree);
    const deepest = `${"in/".repeat(levels - 1)}second`;
    tree.attach(instance.find(deepest)!, instance.root);
    tree.attachNew(instance.find(deepest)!);
    const next = prefab.apply(instance);
    expect(instance.overrides()).toEqual([]);
    expect(next.size).toBe(count + 1);
    const { entities } = next.toFile();
    expect(entities.find(({ id }) => id === "in")?.overrides?.[deepest.slice(3)]).toEqual({ parent: "root" });
    expect(entities.find(({ parent }) => parent === deepest)?.id).toBe("entity-1");
  });

  it("is checked, loaded and saved where every level moves entities of the next to other parents", () => {
    const moving = chain(levels, { moves: true });
    const scene = { entities: [{ id: "s", prefab: "0" }] };
    expect(format.check(scene, { prefabs: moving })).toEqual([]);
    const tree = createHierarchy(createWorld());
    const loaded = format.load(tree, scene, { prefabs: moving });
    const side = `s/${"in/".repeat(levels - 2)}side`;
    expect(tree.childrenOf(loaded.entity(side)).map((child) => loaded.idOf(child)?.slice(-11))).toEqual([
      "n/in/second",
      "/in/in/more",
    ]);
    const text = loaded.save();
    expect(text).not.toContain("overrides");
    expect(format.load(createHierarchy(createWorld()), text, { prefabs: moving }).save()).toBe(text);
  });

  it("is refused where its end contains its beginning, or is broken", () => {
    const plain = createSceneFormat({ components: [] });
    const file = (prefab: string): SceneFile => ({
      entities: [{ id: "r", children: [{ id: "in", prefab }] }],
    });
    const of = (last: SceneFile) => (name: string) =>
      Number(name) === levels ? last : file(String(Number(name) + 1));
    const [loop] = plain.check(file("0"), { prefabs: of(file("0")) });
    expect(loop?.code).toBe("scene/prefab-loop");
    const problems = plain.check(file("0"), { prefabs: of({ entities: [{ id: "a" }, { id: "b" }] }) });
    expect(problems.map(({ code }) => code)).toEqual(["scene/invalid-prefab"]);
  });
});
