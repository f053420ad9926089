import { component, createCommands, createWorld, EspalierError, f32, object } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import * as history from "espalier/history";
import * as room from "espalier/scene";
import { describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100) });
const Bag = component("Bag", { items: object((): unknown => null) });

/** Whatever may be passed where something else is expected. Each is made anew, because a call may change it. */
const bad: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => Symbol("bad"),
  () => 10n,
  () => Object.create(null),
  () => () => {},
  () => "text",
  () => "",
  () => Number.NaN,
  () => -1,
  () => 1,
  () => 2 ** 60,
  () => true,
  () => [],
  () => [null],
  () => [undefined, Symbol("inside"), 5n],
  () => ({}),
  () => ({ entities: [0], order: ["p"] }),
  () => ({ entities: [null, { id: 5n }], version: 1 }),
  () => {
    const self: { [key: string]: unknown } = { entities: [] };
    self.self = self;
    return self;
  },
  () => new Date(0),
  () => new Map(),
  () => new ArrayBuffer(40),
  () => new Proxy({}, { get: () => undefined }),
  () => ({ world: null, trees: 5, root: null, codecs: [], key: 1, components: "x", resources: {} }),
  () => ({ parent: Symbol("p"), file: 5, prefabs: 5, lenient: "yes", unknown: 1, key: "k", map: 1, copy: 1 }),
  () => ({ parent: {}, name: 5, components: 5, overrides: 5, at: {}, before: "x" }),
  () => [{ op: "add", id: "x", components: null, positions: null }],
  () => [{ op: "add", id: "x", components: { Health: null }, positions: { tree: null } }],
  () => [{ op: "move", id: 1, tree: "tree", parent: {} }],
];

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const format = room.createSceneFormat({ components: [Health, Bag] });
  const text = `{ "entities": [{ "id": "a", "children": [{ "id": "b", "components": { "Health": {} } }] }] }`;
  const scene = format.load(tree, text, { prefabs: { p: text } });
  const prefab = format.prefab(text, { file: "p" });
  const instance = prefab.instantiate(tree);
  const entity = scene.entity("b");
  const snapshot = history.takeSnapshot(world, { trees: [tree] });
  return { world, tree, format, scene, prefab, instance, entity, snapshot, text };
}

type Things = ReturnType<typeof setUp>;

/** Every call, with arguments that are right; each argument is replaced by each bad one in turn. */
const calls: {
  readonly [name: string]: (things: Things) => readonly [(...args: never[]) => unknown, readonly unknown[]];
} = {
  clone: ({ tree, entity }) => [room.clone, [tree, entity, {}]],
  shallowClone: ({ tree, entity }) => [room.shallowClone, [tree, entity, {}]],
  keptOf: ({ tree, entity }) => [room.keptOf, [tree, entity]],
  setKept: ({ tree, entity }) => [room.setKept, [tree, entity, {}]],
  unpackInstance: ({ tree, instance }) => [room.unpackInstance, [tree, instance.root]],
  referencesTo: ({ tree, entity }) => [room.referencesTo, [tree.world, entity]],
  replaceEntity: ({ tree, entity }) => [room.replaceEntity, [tree, entity, tree.world.spawn(), {}]],
  withCodec: () => [room.withCodec, [Health, {}]],
  toFlat: ({ text }) => [room.toFlat, [room.parseScene(text)]],
  toNested: ({ text }) => [room.toNested, [room.parseScene(text)]],
  assetsOf: ({ format, text }) => [room.assetsOf, [text, format, {}]],
  checkAssets: ({ format, text }) => [room.checkAssets, [text, format, () => undefined, {}]],
  saveInSlices: ({ scene }) => [
    (given: never, options: never) => [...room.saveInSlices(given, options)],
    [scene, {}],
  ],
  printScene: ({ text }) => [room.printScene, [room.parseScene(text)]],
  parseScene: ({ text }) => [room.parseScene, [text, {}]],
  diffScenes: ({ format, text }) => [room.diffScenes, [format, text, text, {}]],
  mergeScenes: ({ format, text }) => [room.mergeScenes, [format, text, text, text, {}]],
  patchScene: ({ scene }) => [room.patchScene, [scene, []]],
  formatProblem: ({ format }) => [room.formatProblem, [format.check("{")[0]]],
  createSceneFormat: () => [room.createSceneFormat, [{ components: [] }]],
  createLoadOnlyFormat: () => [room.createLoadOnlyFormat, [{ components: [] }]],
  "createSceneFormat: components": () => [
    (components: never) => room.createSceneFormat({ components }),
    [[Health]],
  ],
  "createSceneFormat: a component": () => [
    (item: never) => room.createSceneFormat({ components: [item] }),
    [Health],
  ],
  "createSceneFormat: transient": () => [
    (transient: never) => room.createSceneFormat({ components: [], transient }),
    [[]],
  ],
  "createSceneFormat: migrations": () => [
    (migrations: never) => room.createSceneFormat({ components: [], version: 2, migrations }),
    [{}],
  ],
  "createSceneFormat: schema": () => [
    (schema: never, version: never) => room.createSceneFormat({ components: [], schema, version }),
    ["x", 1],
  ],
  "withCodec: parts": () => [
    (fields: never, validate: never, description: never) =>
      room.createSceneFormat({ components: [room.withCodec(Health, { fields, validate, description })] }),
    [{}, undefined, "x"],
  ],
  instanceOf: ({ tree, entity }) => [room.instanceOf, [tree, entity]],
  instancesIn: ({ tree }) => [room.instancesIn, [tree]],
  prefabOf: ({ instance }) => [room.prefabOf, [instance]],
  basePrefabOf: ({ prefab }) => [room.basePrefabOf, [prefab]],
  composedOf: ({ prefab }) => [room.composedOf, [prefab]],
  composePrefabs: ({ format, prefab }) => {
    const other = format.prefab(`{ "entities": [{ "id": "z" }] }`, { file: "z" });
    return [room.composePrefabs, [format, [prefab, other], { file: "both" }]];
  },
  "composePrefabs: file": ({ format, prefab }) => [
    (part: never, file: never) => room.composePrefabs(format, [prefab, part], { file }),
    [format.prefab(`{ "entities": [{ "id": "z" }] }`, { file: "z" }), "both"],
  ],
  "format.prefab: composed": ({ format, text }) => [
    (compose: never, entities: never, order: never) =>
      format.prefab({ compose, entities, order }, { prefabs: { p: text, q: `{ "entities": [{}] }` } }),
    [["p", "q"], [], undefined],
  ],
  "mergeScenes: composed": ({ format, text }) => [
    (compose: never, entities: never) =>
      room.mergeScenes(
        format,
        { compose: ["p", "q"], entities: [] },
        { compose, entities },
        { compose: ["q", "p"], entities: [] },
        { prefabs: { p: text, q: `{ "entities": [{}] }` } },
      ),
    [["p", "q"], []],
  ],
  sceneCommands: ({ tree }) => [room.sceneCommands, [tree, createCommands(tree.world)]],
  "sceneCommands: calls": ({ tree, entity, prefab, instance }) => {
    const buffer = createCommands(tree.world);
    const later = room.sceneCommands(tree, buffer);
    return [
      (one: never, other: never, given: never, of: never) => {
        later.instantiate(given);
        later.clone(one);
        later.replaceEntity(one, other);
        later.makeInstance(one, given);
        later.changePrefab(of, given);
        later.unpackInstance(one);
        buffer.discard();
      },
      [entity, tree.attachNew(null), prefab, instance],
    ];
  },
  changePrefab: ({ instance, prefab }) => [room.changePrefab, [instance, prefab, { overrides: "drop" }]],
  makeInstance: ({ tree, prefab }) => [room.makeInstance, [tree, tree.attachNew(null), prefab]],
  "format.component": ({ format }) => [format.component.bind(format), ["Health"]],
  "format.load": ({ format, tree, text }) => [format.load.bind(format), [tree, text, {}]],
  "format.load: parts": ({ format, tree, text, entity }) => [
    (parent: never, prefabs: never, file: never, lenient: never, unknown: never) =>
      format.load(tree, text, { parent, prefabs, file, lenient, unknown }),
    [entity, {}, "f", false, "keep"],
  ],
  "format.load: a prefab": ({ format, tree }) => [
    (prefab: never) =>
      format.load(tree, `{ "entities": [{ "id": "i", "prefab": "p" }] }`, {
        prefabs: () => prefab,
        lenient: true,
      }),
    [`{ "entities": [{ "id": "x" }] }`],
  ],
  "format.load: values": ({ format, tree }) => [
    (values: never, id: never) =>
      format.load(tree, { entities: [{ id, components: { Bag: { items: values } } }] }),
    [1, "x"],
  ],
  "format.check": ({ format, text }) => [format.check.bind(format), [text, {}]],
  "format.createScene": ({ format, tree }) => [format.createScene.bind(format), [tree, {}]],
  "format.save": ({ format, tree, entity }) => [format.save.bind(format), [tree, [entity], {}]],
  "format.prefab": ({ format, text }) => [format.prefab.bind(format), [text, {}]],
  "format.clone": ({ format, tree, entity }) => [format.clone.bind(format), [tree, entity, {}]],
  "format.reloadPrefab": ({ format, tree, text }) => [
    format.reloadPrefab.bind(format),
    [tree, "p", text, {}],
  ],
  "prefab.instantiate": ({ prefab, tree }) => [prefab.instantiate.bind(prefab), [tree, {}]],
  "prefab.instantiate: parts": ({ prefab, tree, entity }) => [
    (parent: never, name: never, components: never, overrides: never) =>
      prefab.instantiate(tree, { parent, name, components, overrides }),
    [entity, "x", {}, {}],
  ],
  "prefab.instances": ({ prefab, tree }) => [prefab.instances.bind(prefab), [tree]],
  "prefab.replace": ({ prefab, tree }) => [prefab.replace.bind(prefab), [tree, prefab]],
  "prefab.apply": ({ prefab, instance }) => [prefab.apply.bind(prefab), [instance, []]],
  "instance.find": ({ instance }) => [instance.find.bind(instance), ["b"]],
  "instance.revert": ({ instance }) => [instance.revert.bind(instance), [undefined]],
  "scene.find": ({ scene }) => [scene.find.bind(scene), ["a"]],
  "scene.entity": ({ scene }) => [scene.entity.bind(scene), ["a"]],
  "scene.idOf": ({ scene, entity }) => [scene.idOf.bind(scene), [entity]],
  "scene.add": ({ scene, entity }) => [scene.add.bind(scene), [entity, "new"]],
  "scene.save": ({ scene }) => [scene.save.bind(scene), [{}]],
  "scene.toFile": ({ scene }) => [scene.toFile.bind(scene), [{}]],
  "scene.reload": ({ scene, text }) => [scene.reload.bind(scene), [text, {}]],
  takeSnapshot: ({ world, tree, entity }) => [history.takeSnapshot, [world, { trees: [tree], root: entity }]],
  "takeSnapshot: parts": ({ world, tree, entity }) => [
    (trees: never, root: never, resources: never, codecs: never) =>
      history.takeSnapshot(world, { trees, root, resources, codecs }),
    [[tree], entity, [], {}],
  ],
  restoreSnapshot: ({ world, snapshot, tree }) => [
    history.restoreSnapshot,
    [world, snapshot, { trees: [tree] }],
  ],
  diff: ({ world, snapshot, tree }) => [history.diff, [snapshot, { world, trees: [tree] }, {}]],
  "diff: parts": ({ snapshot }) => [
    (key: never, components: never, codecs: never) =>
      history.diff(snapshot, snapshot, { key, components, codecs }),
    [undefined, undefined, {}],
  ],
  applyPatch: ({ world, tree }) => [history.applyPatch, [world, [], { trees: [tree] }]],
  "applyPatch: values": ({ world, tree, entity }) => [
    (values: never, items: never) =>
      history.applyPatch(
        world,
        [
          { op: "set", id: entity, component: "Health", values },
          { op: "set", id: entity, component: "Bag", values: { items } },
        ],
        { trees: [tree], components: [Bag] },
      ),
    [{ hp: 1 }, []],
  ],
  fromJson: () => [history.fromJson, [{ a: 1 }]],
  "fromJson: a kind": () => [
    (kind: never, value: never) => history.fromJson({ $: kind, value }),
    ["set", []],
  ],
  requirePatch: () => [history.requirePatch, [[]]],
  followChanges: ({ tree }) => [history.followChanges, [tree.world, { trees: [tree] }]],
  "followChanges: options": ({ tree }) => [
    (trees: never, components: never, codecs: never, maxBytes: never) =>
      history.followChanges(tree.world, { trees, components, codecs, maxBytes }),
    [[tree], () => true, {}, 1000],
  ],
  "followChanges: parts": ({ tree, entity }) => [
    (key: never, root: never, where: never, fields: never, epoch: never) =>
      history.followChanges(tree.world, { trees: [tree], key, root, where, fields, epoch }).snapshot(),
    [undefined, entity, () => true, () => true, "run"],
  ],
  expandColumns: () => [
    history.expandColumns,
    [[{ op: "columns", component: "Health", ids: [], values: {} }]],
  ],
  "expandColumns: an entry": () => [
    (component: never, ids: never, values: never) =>
      history.expandColumns([{ op: "columns", component, ids, values }]),
    ["Health", [1], { hp: [1] }],
  ],
  "applyPatch: columns": ({ world, entity }) => [
    (component: never, ids: never, values: never) =>
      history.applyPatch(world, [{ op: "columns", component, ids, values }]),
    ["Health", [entity], { hp: [1] }],
  ],
  "applyPatch: ids": ({ world }) => [
    (ids: never, rules: never) => history.applyPatch(world, [], { ids, rules }),
    [history.createIdMap(), "report"],
  ],
  createIdMap: () => [history.createIdMap, [{}]],
  revive: ({ world, entity }) => {
    world.destroy(entity);
    return [history.revive, [world, entity, [Health], { ids: history.createIdMap(), key: "a" }]];
  },
  createFollower: ({ world, tree }) => [history.createFollower, [world, { trees: [tree] }]],
  "createFollower: parts": ({ world, tree }) => [
    (trees: never, components: never, codecs: never, ids: never, rules: never) =>
      history.createFollower(world, { trees, components, codecs, ids, rules }),
    [[tree], [Health], {}, history.createIdMap(), "refuse"],
  ],
  "createFollower: a batch": ({ world, tree }) => [
    (epoch: never, from: never, to: never, patch: never, snapshot: never) =>
      history.createFollower(world, { trees: [tree] }).receive({ epoch, from, to, patch, snapshot }),
    ["run", 0, 1, [], []],
  ],
  createChangeFormat: () => [history.createChangeFormat, [{ components: [Health] }]],
  "createChangeFormat: a batch": () => [
    (epoch: never, from: never, to: never, patch: never, snapshot: never) =>
      history.createChangeFormat({ components: [Health] }).encode({ epoch, from, to, patch, snapshot }),
    ["run", 0, 1, [], []],
  ],
  "createChangeFormat: values": () => [
    (hp: never, id: never, parent: never) =>
      history.createChangeFormat({ components: [Health] }).encode({
        epoch: "run",
        from: 0,
        to: 1,
        patch: [{ op: "add", id, components: { Health: { hp } }, positions: { tree: { parent } } }],
      }),
    [1, "a", null],
  ],
};

/** Functions and methods that other tests call. */
const elsewhere =
  /Error$|^(create(History|Versions)|enableTransactions|isReplaying|reconcile|transaction|unrecorded)$/;

describe("every call of the scene room, and those about snapshots and patches", () => {
  it("is in the list below", () => {
    const named = new Set(Object.keys(calls).map((name) => name.split(":")[0]));
    const exported = [...Object.entries(room), ...Object.entries(history)]
      .filter(([name, value]) => typeof value === "function" && !elsewhere.test(name))
      .map(([name]) => name);
    expect(exported.filter((name) => !named.has(name))).toEqual([]);
    const { format, scene, prefab, instance } = setUp();
    const methods = Object.entries({ format, scene, prefab, instance }).flatMap(([name, object]) =>
      Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object)))
        .filter(
          ([key, { value }]) => key !== "constructor" && typeof value === "function" && value.length > 0,
        )
        .map(([key]) => `${name}.${key}`),
    );
    // What is marked @internal or private, or gets nothing.
    const internal =
      /adopt|take$|writeInput|readOrigin|strangers|isBelowOther|spawn|formsAfter|follow$|differences|revertA|revertO|draftWith|patch$|saving$|saved$/;
    expect(methods.filter((name) => !named.has(name) && !internal.test(name))).toEqual([]);
  });

  it.each(Object.keys(calls))(
    "%s answers everything with an error that has a code, or as documented",
    (name) => {
      const make = calls[name] as (typeof calls)[string];
      const { length } = make(setUp())[1];
      for (let k = 0; k < length; k++) {
        for (const value of bad) {
          const [call, right] = make(setUp());
          const args = right.map((argument, at) => (at === k ? value() : argument));
          try {
            call(...(args as never[]));
          } catch (error) {
            if (error instanceof EspalierError && error.code.includes("/")) continue;
            expect.unreachable(
              `${name}, argument ${k}, ${String(value)}: ${String((error as Error)?.stack ?? error)}`,
            );
          }
        }
      }
    },
  );

  it("a codec that requests entities by any value, or throws any value, is reported", () => {
    for (const value of bad) {
      for (const read of [
        (_json: unknown, context: room.ReadContext) => context.entity(value() as string) as unknown,
        () => {
          throw value();
        },
      ]) {
        for (const references of [true, false]) {
          const format = room.createSceneFormat({
            components: [room.withCodec(Bag, { fields: { items: { write: () => null, read, references } } })],
          });
          const tree = createHierarchy(createWorld());
          try {
            format.load(tree, `{ "entities": [{ "id": "text", "components": { "Bag": { "items": 1 } } }] }`);
          } catch (error) {
            expect(error).toBeInstanceOf(room.SceneError);
            expect(tree.world.count).toBe(0);
          }
        }
      }
    }
  });
});
