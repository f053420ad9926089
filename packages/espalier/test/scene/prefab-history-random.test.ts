/**
 * Sessions of random edits, prefabs that are applied, reverted, replaced and unpacked, undo, redo, snapshots and saves. At equal
 * positions of the history the texts of the scene and of the prefabs are equal, and the scene loads with these prefabs.
 */
import type { Entity } from "espalier";
import { attachNewAt, checkTree, type Hierarchy } from "espalier/hierarchy";
import {
  createHistory,
  restoreSnapshot,
  takeSnapshot,
  transaction,
  type UndoHistory,
} from "espalier/history";
import {
  clone,
  createSceneFormat,
  type Instance,
  instancesIn,
  prefabOf,
  type Scene,
  SceneError,
  type SceneFile,
  SceneUseError,
  unpackInstance,
} from "espalier/scene";
import { Transform2D } from "espalier/transform";
import fc from "fast-check";
import { expect, it } from "vitest";
import { property } from "../testing.ts";
import { type Random, randomFrom } from "./prefab-twin.ts";
import { Aim, components, emptyTree, expectSound, Health, Position } from "./scenes.ts";

const format = createSceneFormat({ components: [Transform2D, ...components] });
const engine: SceneFile = {
  entities: [{ id: "engine", components: { Health: { hp: 10 } }, children: [{ id: "belt" }, { id: "fan" }] }],
};
const tank: SceneFile = {
  entities: [
    {
      id: "tank",
      name: "Tank",
      components: { Transform2D: {}, Health: { hp: 250 } },
      children: [
        {
          id: "turret",
          components: { Position: { y: 20 }, Aim: { from: "tank" } },
          children: [{ id: "barrel" }, { id: "scope" }],
        },
        { id: "motor", prefab: "engine" },
        { id: "hatch" },
      ],
    },
  ],
};
const wreck: SceneFile = { compose: ["tank", "engine"], entities: [] };
const prefabs = { engine, tank, wreck };
const level: SceneFile = {
  entities: [
    { id: "a", prefab: "tank" },
    { id: "b", prefab: "tank", components: { Transform2D: { x: 9 } }, children: [{ id: "flag" }] },
    { id: "e", prefab: "engine" },
    { id: "w", prefab: "wreck", overrides: { "tank/hatch": null }, children: [{ id: "smoke" }] },
    { id: "c", children: [{ id: "d" }] },
  ],
};

interface Session {
  readonly tree: Hierarchy;
  readonly scene: Scene;
  readonly history: UndoHistory;
  readonly random: Random;
}

/** The texts of the prefabs that are followed, by name. */
function prefabTexts(tree: Hierarchy): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  for (const each of instancesIn(tree)) {
    const known = texts.get(each.prefab) ?? new Set();
    texts.set(each.prefab, known.add(prefabOf(each).save()));
  }
  return texts;
}

function textsOf({ scene, tree }: Session): string {
  const text = scene.save();
  const texts = [...prefabTexts(tree)].map(([name, known]) => `${name}\n${[...known].sort().join("\n")}`);
  return [text, ...texts.sort()].join("\n\n");
}

/** The prefabs that are followed, where all instances of a name follow the same; nothing where the text of one is unknown. */
function followed(tree: Hierarchy): { [name: string]: string } | undefined {
  const texts = [...prefabTexts(tree)];
  const has = (name: string) => texts.some(([other]) => other === name);
  // A tank has an engine inside, and the wreck is a tank.
  const isWhole = has("engine") && (has("tank") || !has("wreck"));
  const isKnown = isWhole && texts.every(([, known]) => known.size === 1);
  return isKnown
    ? Object.fromEntries(texts.map(([name, known]) => [name, [...known][0] as string]))
    : undefined;
}

/** What is saved loads with the prefabs that are followed. */
function expectLoadable({ scene, tree }: Session): void {
  const own = followed(tree);
  const text = scene.save();
  if (own !== undefined) expect(format.load(emptyTree(), text, { prefabs: own }).save()).toBe(text);
}

/** Does one thing to an entity of the scene. */
function edit({ tree, scene, random }: Session): void {
  const { world } = tree;
  const all = scene.roots().flatMap((root) => [...tree.descendants(root, { includeSelf: true })]);
  const any = () => all[random(all.length)] as Entity;
  const e = any();
  if (e === undefined) return;
  const to = any();
  const kind = random(9);
  if (kind === 0 && all.length > 6) tree.destroy(e);
  else if (kind === 1 && tree.canAttach(e, to)) tree.attach(e, to, { at: random(3) });
  else if (kind === 2) attachNewAt(tree, e, { at: random(3) }, Position({ x: random(9) }));
  else if (kind === 3) world.add(e, Health({ hp: random(9) }));
  else if (kind === 4) world.remove(e, random(2) === 0 ? Position : Aim);
  else if (kind === 5) world.add(e, Aim({ at: to }));
  else if (kind === 6) tree.setName(e, random(4) === 0 ? undefined : `n${random(4)}`);
  else if (kind === 7) world.add(e, Transform2D({ x: random(9), scaleX: 1 + random(3) }));
  else if (kind === 8) clone(tree, e);
}

/** One of the calls about prefabs. What is refused has changed nothing. */
function changePrefabs(session: Session): void {
  const { tree, scene, random } = session;
  const instances = instancesIn(tree).filter(({ root }) => scene.idOf(root) !== undefined);
  const instance = instances[random(instances.length)];
  if (instance === undefined) return;
  const some = () => instance.overrides().filter(({ own }) => own !== true && random(2) === 0);
  const before = textsOf(session);
  try {
    const kind = random(8);
    if (kind < 2) prefabOf(instance).apply(instance);
    else if (kind === 2) prefabOf(instance).apply(instance, some());
    else if (kind === 3) instance.revert();
    else if (kind === 4) instance.revert(some());
    else if (kind === 5) replace(instance, random);
    else if (kind === 6) unpackInstance(tree, instance.root);
    else prefabOf(instance).instantiate(tree, { parent: scene.roots()[0] as Entity });
  } catch (error) {
    const isKnown = error instanceof SceneError || error instanceof SceneUseError;
    if (!isKnown) throw error;
    expect(textsOf(session), `after ${error.message}`).toBe(before);
  }
}

/** Gives the prefab of an instance another text: a value, a new entity, one entity less. */
function replace(instance: Instance, random: Random): void {
  const prefab = prefabOf(instance);
  const { entities, ...file } = prefab.toFile();
  const [root, ...others] = entities;
  const kind = random(3);
  const gone = others[random(others.length)]?.id;
  const parents = new Set(others.map(({ parent }) => parent));
  const list =
    kind === 0
      ? [{ ...root, components: { ...root?.components, Label: { text: `${random(9)}` } } }, ...others]
      : kind === 1
        ? [...entities, { id: `new-${random(1000)}`, parent: root?.id as string }]
        : entities.filter(({ id }) => id !== gone || parents.has(id) || id === "turret");
  const next = format.prefab(
    { ...file, entities: list as SceneFile["entities"] },
    { file: prefab.name, prefabs: { ...prefabs, ...followed(instance.tree) } },
  );
  prefab.replace(instance.tree, next);
}

it("the texts of scene and prefabs are the same at equal positions of a history", () => {
  property(
    fc.integer(),
    (seed) => {
      const random = randomFrom(seed);
      const tree = emptyTree();
      const scene = format.load(tree, level, { prefabs });
      const history = createHistory(tree.world);
      const session = { tree, scene, history, random };
      const options = { trees: [tree] };
      /** By position; a new step forgets what lay behind it. */
      const texts: (string | undefined)[] = [];
      const snapshots: { readonly buffer: ArrayBuffer; readonly text: string }[] = [];
      let position = 0;
      const compare = () => {
        const text = textsOf(session);
        if (texts[position] !== undefined) expect(text).toBe(texts[position]);
        texts[position] = text;
      };
      const step = (work: () => void) => {
        compare();
        const { version } = history;
        history.step("step", work);
        if (history.version === version) return;
        position++;
        texts.length = position;
        compare();
      };
      compare();
      for (let k = 0; k < 40; k++) {
        const choice = random(16);
        if (choice < 4) step(() => edit(session));
        else if (choice < 8) step(() => changePrefabs(session));
        else if (choice < 10) {
          if (history.undo()) position--;
          compare();
        } else if (choice < 12) {
          if (history.redo()) position++;
          compare();
        } else if (choice === 12)
          snapshots.push({ buffer: takeSnapshot(tree.world, options), text: textsOf(session) });
        else if (choice === 13 && snapshots.length > 0) {
          const { buffer, text } = snapshots[random(snapshots.length)] as (typeof snapshots)[number];
          step(() => restoreSnapshot(tree.world, buffer, options));
          expect(textsOf(session)).toBe(text);
        } else if (choice === 14) {
          const before = textsOf(session);
          const work = () => {
            changePrefabs(session);
            edit(session);
            changePrefabs(session);
            throw new Error("taken back");
          };
          expect(() => transaction(tree.world, work)).toThrow("taken back");
          expect(textsOf(session)).toBe(before);
        } else expectLoadable(session);
      }
      expect(checkTree(tree)).toEqual([]);
      while (history.undo()) {
        position--;
        compare();
      }
      expect(position).toBe(0);
      while (history.redo()) {
        position++;
        compare();
      }
      expectLoadable(session);
      expectSound(tree);
    },
    20,
  );
});
