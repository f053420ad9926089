/** Every edit of prefabs and copies as a command: nothing happens before the flush, and then what the call does, which can be undone. */
import { createCommands, createWorld, DEVELOPMENT, type Entity } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import * as room from "espalier/scene";
import {
  changePrefab,
  clone,
  type Instance,
  instanceOf,
  instancesIn,
  makeInstance,
  type Prefab,
  replaceEntity,
  type SceneCommands,
  sceneCommands,
  shallowClone,
  unpackInstance,
} from "espalier/scene";
import { describe, expect, it } from "vitest";
import { Aim, createFormat, emptyTree, expectSound, Health } from "./scenes.ts";
import { tank } from "./tank-prefabs.ts";

const format = createFormat();
const tiger = {
  entities: [{ id: "tiger", children: [{ id: "turret", components: { Health: { hp: 9 } } }] }],
};

interface Cast {
  readonly tree: Hierarchy;
  readonly prefab: Prefab;
  readonly other: Prefab;
  readonly instance: Instance;
  readonly rock: Entity;
  readonly moss: Entity;
}

function start(tree = emptyTree()): Cast {
  const prefab = format.prefab(tank, { file: "tank" });
  const other = format.prefab(tiger, { file: "tiger" });
  const instance = prefab.instantiate(tree);
  const rock = tree.attachNew(null, Health({ hp: 3 }));
  const moss = tree.attachNew(rock);
  tree.attachNew(null, Aim({ at: rock }));
  return { tree, prefab, other, instance, rock, moss };
}

/** What each call does at once; the command takes the same arguments without the tree. */
const calls: {
  readonly [Name in keyof SceneCommands]: readonly [
    now: (cast: Cast) => unknown,
    later: (commands: SceneCommands, cast: Cast) => void,
  ];
} = {
  instantiate: [
    ({ prefab, tree, rock }) => prefab.instantiate(tree, { parent: rock, name: "x" }),
    (commands, { prefab, rock }) => commands.instantiate(prefab, { parent: rock, name: "x" }),
  ],
  clone: [
    ({ tree, rock }) => clone(tree, rock, { name: "copy" }),
    (commands, { rock }) => commands.clone(rock, { name: "copy" }),
  ],
  shallowClone: [
    ({ tree, rock }) => shallowClone(tree, rock, { name: "copy" }),
    (commands, { rock }) => commands.shallowClone(rock, { name: "copy" }),
  ],
  replaceEntity: [
    ({ tree, rock, moss }) => replaceEntity(tree, rock, moss),
    (commands, { rock, moss }) => commands.replaceEntity(rock, moss),
  ],
  makeInstance: [
    ({ tree, rock, other }) => makeInstance(tree, rock, other),
    (commands, { rock, other }) => commands.makeInstance(rock, other),
  ],
  changePrefab: [
    ({ instance, other }) => changePrefab(instance, other, { overrides: "drop" }),
    (commands, { instance, other }) => commands.changePrefab(instance, other, { overrides: "drop" }),
  ],
  unpackInstance: [
    ({ tree, instance }) => unpackInstance(tree, instance.root),
    (commands, { instance }) => commands.unpackInstance(instance.root),
  ],
};

const notEdits: ReadonlySet<string> = new Set(
  `assetsOf basePrefabOf checkAssets composePrefabs composedOf createLoadOnlyFormat createSceneFormat diffScenes formatProblem
   instanceOf instancesIn keptOf mergeScenes parseScene prefabOf printScene referencesTo saveInSlices sceneCommands
   sceneComponents toFlat toNested withCodec`
    .split(/\s+/)
    // Of tools.
    .concat("patchScene", "setKept"),
);

const save = ({ tree }: Cast) => format.save(tree);

it.runIf(DEVELOPMENT)("options that do not exist are refused when they are recorded", () => {
  const { tree, prefab, instance } = start();
  const later = sceneCommands(tree, createCommands(tree.world));
  expect(() => later.instantiate(prefab, { nme: "x" } as never)).toThrow('Did you mean "name"?');
  expect(() => later.changePrefab(instance, prefab, { overrides: "lose" as never })).toThrow(
    /^Cannot record/,
  );
});

describe("edits of prefabs on a command buffer", () => {
  it.each(Object.keys(calls) as (keyof SceneCommands)[])(
    "%s does at the flush what the call does",
    (name) => {
      const [now, later] = calls[name];
      const [one, other] = [start(), start()];
      now(one);
      const history = createHistory(other.tree.world);
      const commands = createCommands(other.tree.world);
      const before = save(other);
      later(sceneCommands(other.tree, commands), other);
      expect(save(other)).toBe(before);
      history.step(name, () => {
        expect(commands.flush()).toMatchObject({ applied: 1, skipped: [], refused: [] });
      });
      expect(save(other)).toBe(save(one));
      expect(save(other)).not.toBe(before);
      history.undo();
      expect(save(other)).toBe(before);
      history.redo();
      expect(save(other)).toBe(save(one));
      expectSound(other.tree);
    },
  );

  it("exist for every exported function of the room that edits entities", () => {
    const functions = Object.keys(room).filter((name) => /^[a-z]/.test(name));
    const edits = functions.filter((name) => !notEdits.has(name));
    expect(edits.sort()).toEqual(
      Object.keys(calls)
        .filter((name) => name !== "instantiate")
        .sort(),
    );
    for (const name of notEdits) expect(functions, name).toContain(name);
  });

  it("are skipped for an entity that is dead by then, and refused with what the call would throw", () => {
    const tolerant = createHierarchy(createWorld({ onError: () => {} }));
    const { tree, prefab, rock, instance } = start(tolerant);
    const commands = createCommands(tree.world);
    const later = sceneCommands(tree, commands);
    later.instantiate(prefab, { parent: rock });
    later.unpackInstance(rock);
    later.makeInstance(instance.root, prefab);
    later.clone(instance.root, { parent: null, after: rock });
    tree.destroy(rock);
    const count = tree.world.count;
    const { skipped, refused } = commands.flush();
    expect(skipped.map(({ index, label, entity }) => [index, label, entity])).toEqual([
      [0, "instantiate", rock],
      [1, "unpackInstance", rock],
      [3, "clone", rock],
    ]);
    expect(refused.map(({ index, error }) => [index, error.message])).toEqual([
      [2, expect.stringContaining("it is an instance of tank already")],
    ]);
    expect([tree.world.count, instancesIn(tree).length]).toEqual([count, 1]);
  });

  it("take the options as they are when they are recorded, and entities that the buffer will spawn", () => {
    const { tree, prefab } = start();
    const commands = createCommands(tree.world);
    const later = sceneCommands(tree, commands);
    const top = commands.spawn();
    const options = { parent: top, name: "first" };
    later.instantiate(prefab, options);
    options.name = "second";
    commands.flush();
    const [made] = tree.childrenOf(top);
    expect([tree.nameOf(made as Entity), instanceOf(tree, made as Entity)?.prefab]).toEqual([
      "first",
      "tank",
    ]);
  });

  it("refuse what is invalid", () => {
    const { tree, instance, prefab } = start();
    const buffer = createCommands(tree.world);
    const later = sceneCommands(tree, buffer);
    for (const wrong of [
      () => sceneCommands(tree, {} as never),
      () => sceneCommands(tree, tree as never),
      () => sceneCommands({} as never, createCommands(tree.world)),
      () => sceneCommands(tree, createCommands(createWorld())),
      () => later.instantiate({} as never),
      () => later.makeInstance(instance.root, "tank" as never),
      () => later.changePrefab({} as never, prefab),
    ]) {
      expect(wrong).toThrow("[scene/invalid-use]");
    }
    expect(() => later.clone("x" as never)).toThrow();
    // Options when they are recorded, as the call itself would refuse them.
    for (const wrong of [
      () => later.instantiate(prefab, 5 as never),
      () => later.clone(instance.root, 5 as never),
      () => later.shallowClone(instance.root, 5 as never),
      () => later.replaceEntity(instance.root, instance.root, 5 as never),
      () => later.changePrefab(instance, prefab, 5 as never),
    ]) {
      expect(wrong).toThrow("options are an object, got 5.");
    }
    expect(buffer.pending).toBe(0);
  });
});
